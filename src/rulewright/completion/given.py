"""Given: the base predicates of mixtures, where they are not mined but come from elsewhere."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

Facts = tuple[NDArray[np.int64], NDArray[np.int32]]  # fact id, and the entity that it speaks for


@dataclass(frozen=True)
class Misfits:
    """The rules that no mixture can hold: how many for each reason, and the first few of them."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: Mapping[str, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.counts)

    def __str__(self) -> str:
        lines = []
        for reason, count in self.counts.most_common():
            lines.append(f"{count:,} rules do not fit: {reason}")
            lines += [f"    {example}" for example in self.examples[reason]]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Given:
    """Base predicates by directed relation.

    paths      in lexicographic order, padded with -1
    constants  the rules with constants
    holds      for each weight of a mixture, in its order, what it is held at; NaN where it is to be fitted
    """

    paths: Mapping[int, NDArray[np.int32]]
    constants: Mapping[int, Facts]
    misfits: Misfits = field(default_factory=Misfits)
    holds: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """Of the longest path."""
        return max((paths.shape[1] for paths in self.paths.values()), default=1)

    @property
    def relations(self) -> set[int]:
        """The relations, not directed, that some rule is about."""
        return {relation >> 1 for relation in (*self.paths, *self.constants)}

    @property
    def fingerprint(self) -> str:
        """A hash of all that is given: the same for the same rules in the same order."""
        digest = sha256()
        for part in (self.paths, self.constants, self.holds):
            for relation in sorted(part):
                tables = part[relation]
                for table in tables if isinstance(tables, tuple) else (tables,):
                    digest.update(f"{relation} {table.dtype} {table.shape}".encode())
                    digest.update(np.ascontiguousarray(table).data)
        return digest.hexdigest()

    def __len__(self) -> int:
        """The number of rules; a path counts once for each direction."""
        return sum(map(len, self.paths.values())) + sum(len(facts) for facts, _ in self.constants.values())
