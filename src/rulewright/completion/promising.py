"""Which rules with constants are worth fitting: those r(X, c) :- s(X, d) that make c likelier than it is anyway."""

import numpy as np
from numba import njit

FEWEST_HEADS = 2  # an answer that occurs once can be learned from no other occurrence
LIFT = 1.2  # a rule must make its answer at least so much more likely than it is anyway


@njit(cache=True, nogil=True)
def count_facts(start, of_edge, relations, heads, counts):  # type: ignore[no-untyped-def]
    """counts[number] = how many of the heads have the fact."""
    for head in heads:
        for k in range(start[head * relations], start[(head + 1) * relations]):
            if of_edge[k] >= 0:
                counts[of_edge[k]] += 1


@njit(cache=True, nogil=True)
def promising_rules(  # type: ignore[no-untyped-def]
    start, tails, of_edge, relations, relation, answers, own, n_heads, counts, seen, support, smoothing, per_answer
):
    """(number of the fact, place of the answer) of the promising rules; for each answer the most telling first.

    `own` is the number of the fact that has each answer as its constant: the triple itself, which tells nothing. `seen`
    is scratch memory, and comes back empty.
    """
    fact_out = np.empty(answers.shape[0] * per_answer, np.int32)
    answer_out = np.empty(answers.shape[0] * per_answer, np.int32)
    total = 0
    touched = np.empty(seen.shape[0], np.int32)
    for c in range(answers.shape[0]):
        row = np.int64(answers[c]) * relations + (relation ^ 1)
        heads = start[row + 1] - start[row]
        if heads < FEWEST_HEADS:
            continue
        n = 0
        for h in range(start[row], start[row + 1]):
            first = np.int64(tails[h]) * relations
            for k in range(start[first], start[first + relations]):
                fact = of_edge[k]
                if fact < 0 or fact == own[c]:
                    continue
                if seen[fact] == 0:
                    touched[n] = fact
                    n += 1
                seen[fact] += 1
        prior = heads / n_heads
        gains = np.empty(n, np.float64)
        kept = np.empty(n, np.int32)
        g = 0
        for i in range(n):
            fact = touched[i]
            hits = seen[fact]
            seen[fact] = 0
            if hits < support:
                continue
            confidence = min(1.0, (hits + smoothing * prior) / (counts[fact] + smoothing))
            if confidence > LIFT * prior:
                gains[g] = hits * np.log(confidence / prior)  # how often it speaks times how much it says
                kept[g] = fact
                g += 1
        order = np.argsort(-gains[:g])
        for i in range(min(g, per_answer)):
            fact_out[total] = kept[order[i]]
            answer_out[total] = c
            total += 1
    return fact_out[:total].copy(), answer_out[:total].copy()
