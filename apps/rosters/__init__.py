"""Army lists of other programs, read into one neutral form.

``reading.read`` takes a pasted text or a file and gives a ``roster.Roster``, or raises ``roster.RosterError`` with one
sentence for the person who sent it. Only names, counts, points and figures are read; rule texts are passed over.
"""
