"""Pages of practice: sessions, the daily challenge, progress."""
