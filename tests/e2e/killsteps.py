"""The system calls at which a test kills emcli, chosen from the trace of one undisturbed run."""
import itertools


def chosen(trace, kinds, each=24):
    """(call, N) of every call of these kinds; of many in a row the first, the last and each
    so many-th between, which are pages of a database."""
    names = [line.split("(")[0].split()[-1] for line in trace.splitlines() if "(" in line]
    seen = dict.fromkeys(kinds, 0)
    out = []
    for call, row in itertools.groupby(n for n in names if n in seen):
        count = len(list(row))
        first, last = seen[call] + 1, seen[call] + count
        out += [(call, n) for n in sorted({*range(first, last + 1, each), last})]
        seen[call] = last
    return out
