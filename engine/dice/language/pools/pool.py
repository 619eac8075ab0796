"""Dice side by side: alternatives with their chances, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from engine.dice.language import syntax
from engine.dice.language.pools import counts, ranks, sets
from engine.dice.language.pools.dice import NEGLIGIBLE, Die, Groups, alternatives, chosen
from engine.dice.language.pools.faces import multisets
from engine.dice.language.pools.mixtures import added, mixed, sum_of
from engine.dice.pmf import Pmf


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice side by side: alternatives with their chances, each so many of several kinds of dice."""

    parts: tuple[tuple[float, Groups], ...]

    @classmethod
    def of(cls, pmf: Pmf, count: int) -> Pool:
        return cls(((1.0, ((Die(pmf), count),)),))

    @classmethod
    def fixed(cls, faces: Iterable[int]) -> Pool:
        """Dice that have been rolled already."""
        return cls(((1.0, tuple((Die(Pmf.point(face)), 1) for face in faces)),))

    @classmethod
    def mixture(cls, pools: Iterable[tuple[float, Pool]]) -> Pool:
        return cls(tuple((weight * p, groups) for weight, pool in pools for p, groups in pool.parts if weight * p > 0))

    @classmethod
    def joined(cls, pools: Iterable[Pool]) -> Pool:
        """All dice of several pools."""
        parts: list[tuple[float, Groups]] = [(1.0, ())]
        for pool in pools:
            parts = [(w * p, (*groups, *more)) for w, groups in parts for p, more in pool.parts]
        return cls(tuple(parts))

    def each(self, change: Callable[[Pmf], Pmf]) -> Pool:
        """The same change to every die."""
        pool = self.expanded()
        return Pool(tuple((p, tuple((Die(change(die.pmf)), n) for die, n in groups)) for p, groups in pool.parts))

    def exploding(self, faces: syntax.Faces, limit: int) -> Pool:
        """Every die adds a new one on those faces of its own."""
        if not limit:
            return self
        pool = self.expanded()
        return Pool(
            tuple(
                (p, tuple((Die(die.pmf, chosen(die.pmf, faces), limit), n) for die, n in groups))
                for p, groups in pool.parts
            )
        )

    def expanded(self) -> Pool:
        """The same pool with all added dice in it, as a mixture over how many there are."""
        if not any(die.explodes for _, groups in self.parts for die, _ in groups):
            return self
        whole: list[tuple[float, Groups]] = []
        for weight, groups in self.parts:
            options = [alternatives(die, n) if die.explodes else [(1.0, ((die, n),))] for die, n in groups]
            for choice in product(*options):
                p = weight
                for chance, _ in choice:
                    p *= chance
                if p > NEGLIGIBLE:
                    whole.append((p, tuple(group for _, more in choice for group in more)))
        return Pool(tuple(whole))

    @property
    def size(self) -> int:
        """The largest number of dice there can be."""
        return max(sum(n for _, n in groups) for _, groups in self.parts)

    # -- questions ----------------------------------------------------------------------------------------------------

    def sum(self) -> Pmf:
        kinds = {groups[0][0] for _, groups in self.parts if len(groups) == 1}
        if len(self.parts) > 1 and len(kinds) == 1 and all(len(groups) == 1 for _, groups in self.parts):
            (die,) = kinds
            number = Pmf.from_weights(added((groups[0][1], p) for p, groups in self.parts))
            total = die.total
            # Horner's scheme wants nothing negative: shift every die, and shift back by the number of dice.
            if total.low >= 0:
                return number.copies_of(total)
        return mixed((p, sum_of(groups)) for p, groups in self.parts)

    def kept(self, keep: syntax.Keep | syntax.Trim) -> Pmf:
        """The sum of the dice of certain ranks."""
        return mixed((p, ranks.kept(groups, keep)) for p, groups in self.expanded().parts)

    def reroll_lowest(self, number: int) -> Pmf:
        """The sum after the lowest dice have been rolled again, once."""
        parts = []
        for p, groups in self.expanded().parts:
            pmf, n = single(groups)
            again = min(number, n)
            high = syntax.Keep(syntax.Number(0), "lowest", again, drop=True)
            rest = ranks.kept(groups, high) if again < n else Pmf.point(0)
            parts.append((p, rest.convolve(pmf.repeat(again))))
        return mixed(parts)

    def counted(self, count: syntax.Count) -> Pmf:
        """How many dice count, as ``table.counted`` says of one roll."""
        return mixed((p, counts.counted(groups, count)) for p, groups in self.parts)

    def asked(self, question: syntax.PoolQuestion, size: int) -> Pmf:
        """A question about all dice together, as ``table.asked`` says of one roll."""
        if question == "sum":
            return self.sum()
        return mixed((p, sets.asked(groups, question, size)) for p, groups in self.expanded().parts)

    def multisets(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """Every set of faces with its chance, dice of one kind in no order."""
        for p, groups in self.expanded().parts:
            choices = [list(multisets(die.pmf, n)) for die, n in groups]
            for choice in product(*choices):
                chance = p
                for weight, _ in choice:
                    chance *= weight
                yield chance, tuple(face for _, faces in choice for face in faces)


def single(groups: Groups) -> tuple[Pmf, int]:
    """The one kind of dice of a group; a pool of different dice has none."""
    if len({die for die, _ in groups}) != 1:
        raise ValueError("dice rolled again must be of one kind")
    return groups[0][0].pmf, sum(n for _, n in groups)
