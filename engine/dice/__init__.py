"""Dice themselves: distributions (``pmf``), notation (``notation``) and sources of rolls with proofs (``roller``)."""
