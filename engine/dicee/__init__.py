"""Dicee: five dice, three rolls a turn, thirteen boxes, solved exactly.

Read in this order: ``lattice`` (what five dice can do), ``boxes`` (what they pay), ``solver`` (what every card is
worth), ``tables`` (kept on disk), ``analysis`` and ``advice`` (one decision), ``simulate`` (many games) and ``game``
(events and play).

Conventions, stated once:

* A *keep* is a multiset of 0–5 dice, a *roll* a keep of all five; both are numbered, rolls from 0 to 251.
* A *box* is numbered 0–12 in the order of ``BOXES``; a set of boxes is a bit mask.
* ``turn`` means the points of this turn alone; ``game`` means all points still to come under perfect play.
"""
