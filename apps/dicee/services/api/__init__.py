"""What programs say and hear: the documents of RFC-003 §6, the socket messages of §7, and their schemas."""
