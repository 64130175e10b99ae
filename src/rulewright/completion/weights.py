"""The weights of one relation's mixture: softmax cross-entropy of each true answer against its rivals."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def fit_weights(  # type: ignore[no-untyped-def]
    row_starts,
    column,
    value,
    query_starts,
    positives,
    weights,
    lower,
    pull,
    anchor,
    sparsity,
    epochs,
    batch,
    rate,
    seed,
):
    """Fit `weights` in place with Adam over batches of queries; returns the last epoch's mean loss.

    A query's rows are its candidates, true answers first (`positives` of them). `lower` is 0, or -inf where a negative
    weight reads as the negated literal. `pull` draws weights towards `anchor`, what mining thinks of them;
    an infinite pull holds a weight where it is. `sparsity`
    takes a little off every weight after each step, beside Adam and not through it: the constant slope of an L1 term
    would be scaled up to full steps for rare predicates, whose own slopes are tiny, and wipe them out.
    """
    np.random.seed(seed)
    n_weights, n_queries = weights.shape[0], query_starts.shape[0] - 1
    mean, square, slope = np.zeros(n_weights), np.zeros(n_weights), np.zeros(n_weights)
    order = np.arange(n_queries)
    steps = epochs * ((n_queries + batch - 1) // batch)
    step = 0
    loss = 0.0
    terms = 0
    for _ in range(epochs):
        np.random.shuffle(order)
        loss, terms = 0.0, 0
        for begin in range(0, n_queries, batch):
            end = min(begin + batch, n_queries)
            slope[:] = 0.0
            for at in range(begin, end):
                query = order[at]
                first, last = query_starts[query], query_starts[query + 1]
                size = last - first
                logit = np.zeros(size)
                for i in range(size):
                    for k in range(row_starts[first + i], row_starts[first + i + 1]):
                        logit[i] += weights[column[k]] * value[k]
                top = logit.max()
                odds = np.exp(logit - top)
                true = positives[query]
                rivals = odds[true:].sum()
                share = 1.0 / np.sqrt(true) / (end - begin)  # a query with many answers counts more, but not as often
                back = 0.0
                pushed = np.empty(size)
                for i in range(true):
                    z = odds[i] + rivals + 1e-30
                    loss -= np.log(odds[i] / z + 1e-30)
                    pushed[i] = -(1.0 - odds[i] / z) * share
                    back += share / z
                terms += true
                pushed[true:] = odds[true:] * back
                for i in range(size):
                    if abs(pushed[i]) > 1e-7:
                        for k in range(row_starts[first + i], row_starts[first + i + 1]):
                            slope[column[k]] += pushed[i] * value[k]
            step += 1
            now = rate * (1.0 - 0.9 * step / steps)
            first_bias, second_bias = 1.0 - 0.9**step, 1.0 - 0.99**step
            for p in range(n_weights):
                if pull[p] == np.inf:
                    continue
                g = slope[p] + pull[p] * (weights[p] - anchor[p])
                mean[p] = 0.9 * mean[p] + 0.1 * g
                square[p] = 0.99 * square[p] + 0.01 * g * g
                w = weights[p] - now * (mean[p] / first_bias) / (np.sqrt(square[p] / second_bias) + 1e-8)
                off = now * sparsity
                w = max(w - off, 0.0) if w > 0 else min(w + off, 0.0)
                weights[p] = max(lower[p], w)
    return loss / max(terms, 1)


@njit(cache=True, nogil=True)
def fit_margin(  # type: ignore[no-untyped-def]
    row_starts, column, value, query_starts, positives, weights, pull, margin, epochs, batch, rate, seed
):
    """The paper's training (appendix, training algorithm), in place; returns the last epoch's mean loss.

    Adagrad on the sum over a batch's true and false answers of max(0, false - true + margin), weights kept at 0 or
    above; an infinite `pull` holds a weight where it is. A false answer is drawn from a query's rivals: a random pair
    of entities has no true path at all, so no slope either.
    """
    np.random.seed(seed)
    n_queries = query_starts.shape[0] - 1
    squares, slope = np.full(weights.shape[0], 1e-10), np.zeros(weights.shape[0])
    order = np.arange(n_queries)
    true, false = np.zeros(batch, np.int64), np.zeros(batch, np.int64)
    true_score, false_score = np.zeros(batch), np.zeros(batch)
    loss, terms = 0.0, 0
    for _ in range(epochs):
        np.random.shuffle(order)
        loss, terms = 0.0, 0
        for begin in range(0, n_queries, batch):
            n = min(batch, n_queries - begin)
            for i in range(n):
                query = order[begin + i]
                first, last, known = query_starts[query], query_starts[query + 1], positives[query]
                true[i] = first + np.random.randint(known)
                false[i] = first + known + np.random.randint(last - first - known)
                true_score[i], false_score[i] = 0.0, 0.0
                for k in range(row_starts[true[i]], row_starts[true[i] + 1]):
                    true_score[i] += weights[column[k]] * value[k]
                for k in range(row_starts[false[i]], row_starts[false[i] + 1]):
                    false_score[i] += weights[column[k]] * value[k]
            slope[:] = 0.0
            for i in range(n):
                too_low, too_high = 0, 0
                for j in range(n):
                    gap = false_score[j] - true_score[i] + margin
                    if gap > 0:
                        loss += gap
                        too_low += 1
                    if false_score[i] - true_score[j] + margin > 0:
                        too_high += 1
                for k in range(row_starts[true[i]], row_starts[true[i] + 1]):
                    slope[column[k]] -= too_low * value[k]
                for k in range(row_starts[false[i]], row_starts[false[i] + 1]):
                    slope[column[k]] += too_high * value[k]
            terms += n * n
            for p in range(weights.shape[0]):
                if slope[p] != 0.0 and pull[p] != np.inf:
                    squares[p] += slope[p] * slope[p]
                    weights[p] = max(0.0, weights[p] - rate * slope[p] / np.sqrt(squares[p]))
    return loss / max(terms, 1)
