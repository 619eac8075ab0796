"""The dice page: programs of the dice language, answered exactly, rolled with proofs, or simulated."""
