"""Training rows of one relation: truths of its base predicates at the answers of hidden queries, and at rivals.

The graph lacks the triples of the queries, so no truth can see the query's own edge, in any position of any path. A
query's rivals are the entities that the first guess of the weights finds most convincing, and some random past answers.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.completion.mixture import fill_columns
from rulewright.paths.walk import add_path_scores, fill_path_truths

MOST_ANSWERS = 20  # of one query taken into its rows


@dataclass(frozen=True, eq=False)
class Rows:
    """Sparse rows, query by query; a query's true answers come first."""

    starts: NDArray[np.int64]  # (n_rows + 1,)
    column: NDArray[np.int32]  # (n_entries,)
    value: NDArray[np.float32]  # (n_entries,)
    query_starts: NDArray[np.int64]  # (n_queries + 1,)
    positives: NDArray[np.int64]  # (n_queries,)

    @staticmethod
    def joined(parts: "list[Rows]") -> "Rows":
        """Several sets of rows as one."""
        if len(parts) == 1:
            return parts[0]
        return Rows(
            chained([part.starts for part in parts]),
            np.concatenate([part.column for part in parts]),
            np.concatenate([part.value for part in parts]),
            chained([part.query_starts for part in parts]),
            np.concatenate([part.positives for part in parts]),
        )


def chained(starts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Offsets of several tables as offsets of their concatenation."""
    shifts = np.concatenate([[0], np.cumsum([part[-1] for part in starts])])
    parts = [part[1:] + shift for part, shift in zip(starts, shifts[:-1], strict=True)]
    return np.concatenate([np.zeros(1, np.int64), *parts])


@njit(cache=True, nogil=True)
def choose_rivals(scores, barred, pool, hard, easy, chosen, count):  # type: ignore[no-untyped-def]
    """Append to chosen[:count] the `hard` best-scored entities and `easy` random ones of the pool.

    Returns the count.
    """
    n = scores.shape[0]
    positive = np.empty(n, np.float32)
    m = 0
    for e in range(n):
        if scores[e] > 0 and not barred[e]:
            positive[m] = scores[e]
            m += 1
    least = np.partition(positive[:m], m - hard)[m - hard] if m > hard > 0 else np.float32(0.0)
    taken = 0
    for level in range(2):  # first what lies above the least, so that its equals cannot take all the room
        for e in range(n):
            wanted = scores[e] > least if level == 0 else scores[e] == least
            if wanted and scores[e] > 0 and not barred[e] and taken < hard:
                chosen[count] = e
                barred[e] = True
                count += 1
                taken += 1
    for _ in range(easy):
        e = pool[np.random.randint(pool.shape[0])]
        if not barred[e]:
            chosen[count] = e
            barred[e] = True
            count += 1
    return count


@njit(cache=True, nogil=True)
def collect_rows(  # type: ignore[no-untyped-def]
    start,
    tails,
    chance,
    entities,
    relations,
    relation,
    known_start,
    known_tails,
    heads,
    answer_starts,
    answers,
    paths,
    sharpness,
    most,
    guess,
    tables,
    head_table,
    pool,
    hard,
    easy,
    use_direct,
    profile,
    work,
    capacity,
    seed,
):
    """The rows of some heads' hidden answers; stops early when `capacity` entries are stored.

    Entries of a row: paths, columns, direct literals, then answer literals and degree where a path reaches the
    candidate. `profile` is (starts, relations, degree), empty where answer literals are not wanted.
    """
    np.random.seed(seed)
    n_paths = paths.shape[0]
    n_columns = guess.shape[0] - n_paths
    dense = n_paths + n_columns
    profile_starts, profile_relations, degree = profile
    use_answer = degree.shape[0] > 0
    widest = MOST_ANSWERS + hard + easy
    column, value = np.empty(capacity, np.int32), np.empty(capacity, np.float32)
    row_ends = np.empty(heads.shape[0] * widest, np.int64)
    query_ends, positives = np.empty(heads.shape[0], np.int64), np.empty(heads.shape[0], np.int64)
    scores, columns = np.zeros(entities, np.float32), np.zeros((n_columns, entities), np.float32)
    barred = np.zeros(entities, np.bool_)
    place = np.full(entities, -1, np.int32)
    chosen = np.empty(widest, np.int32)
    n_entries, n_rows, n_queries = 0, 0, 0
    for q in range(heads.shape[0]):
        head = heads[q]
        true = min(MOST_ANSWERS, answer_starts[q + 1] - answer_starts[q])
        for i in range(true):
            chosen[i] = answers[answer_starts[q] + i]
        scores[:] = 0.0
        add_path_scores(start, tails, chance, relations, head, paths, guess[:n_paths], sharpness, most, work, scores)
        if guess[n_paths:].max() > 0:
            fill_columns(start, tails, entities, relations, head, tables, head_table, columns)
            for c in range(n_columns):
                scores += guess[n_paths + c] * columns[c]
        row = head * relations + relation
        for k in range(known_start[row], known_start[row + 1]):
            barred[known_tails[k]] = True
        count = choose_rivals(scores, barred, pool, hard, easy, chosen, true)
        for k in range(known_start[row], known_start[row + 1]):
            barred[known_tails[k]] = False
        for i in range(count):
            place[chosen[i]] = i
            barred[chosen[i]] = False
        truths = np.zeros((count, dense), np.float32)
        fill_path_truths(start, tails, chance, relations, head, paths, sharpness, most, place, work, truths)
        edges = start[head * relations + relations] - start[head * relations]
        room = count * (dense + 1) + edges
        if use_answer:
            for i in range(count):
                room += profile_starts[chosen[i] + 1] - profile_starts[chosen[i]]
        if n_entries + room > capacity:
            for i in range(count):
                place[chosen[i]] = -1
            break
        direct = np.zeros((count, relations), np.bool_) if use_direct else np.zeros((0, 0), np.bool_)
        if use_direct:
            for s in range(relations):
                for j in range(start[head * relations + s], start[head * relations + s + 1]):
                    if place[tails[j]] >= 0:
                        direct[place[tails[j]], s] = True
        for i in range(count):
            candidate = chosen[i]
            place[candidate] = -1
            reached = False
            for p in range(n_paths):
                if truths[i, p] != 0.0:
                    column[n_entries], value[n_entries] = p, truths[i, p]
                    n_entries += 1
                    reached = True
            for c in range(n_columns):
                if columns[c, candidate] != 0.0:
                    column[n_entries], value[n_entries] = n_paths + c, columns[c, candidate]
                    n_entries += 1
            if use_direct:
                for s in range(relations):
                    if direct[i, s]:
                        column[n_entries], value[n_entries] = dense + s, 1.0
                        n_entries += 1
            if use_answer and reached:
                for k in range(profile_starts[candidate], profile_starts[candidate + 1]):
                    column[n_entries], value[n_entries] = dense + relations + profile_relations[k], 1.0
                    n_entries += 1
                column[n_entries], value[n_entries] = dense + 2 * relations, degree[candidate]
                n_entries += 1
            row_ends[n_rows] = n_entries
            n_rows += 1
        if count > true:
            query_ends[n_queries], positives[n_queries] = n_rows, true
            n_queries += 1
        else:
            n_rows = query_ends[n_queries - 1] if n_queries > 0 else 0
            n_entries = row_ends[n_rows - 1] if n_rows > 0 else 0
    return (
        row_ends[:n_rows].copy(),
        column[:n_entries].copy(),
        value[:n_entries].copy(),
        query_ends[:n_queries].copy(),
        positives[:n_queries].copy(),
    )


def rows_of(parts: Any) -> Rows:
    """The kernel's ends as offsets."""
    row_ends, column, value, query_ends, positives = parts
    zero = np.zeros(1, np.int64)
    return Rows(np.concatenate([zero, row_ends]), column, value, np.concatenate([zero, query_ends]), positives)
