# SPDX-License-Identifier: Apache-2.0
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


NO_STEPS = ("restart_syscall", "exit_group", "exit")


def numbered(trace):
    """(call, N) of the calls of a trace."""
    seen, out = {}, []
    for line in trace.splitlines():
        name = line.split("(")[0].split()[-1] if "(" in line else ""
        # One that was under way is none; exits are no place to be killed at.
        if not name.isidentifier() or "resumed>" in line or name in NO_STEPS:
            continue
        seen[name] = seen.get(name, 0) + 1
        out.append((name, seen[name]))
    return out


def evenly(steps, some):
    """So many of them: the first, the last, and the others evenly between."""
    if len(steps) <= some:
        return steps
    return [steps[i * (len(steps) - 1) // (some - 1)] for i in range(some)]


def spread(trace, some):
    """(call, N) of so many calls of a trace, whatever their kind."""
    return evenly(numbered(trace), some)


def exchanged(trace, some):
    """So many of what is written and sent, and of the first waits for answers, from the first
    time on that something is brought to the disk."""
    steps = numbered(trace)
    steps = steps[next(i for i, (name, _) in enumerate(steps) if name == "fdatasync"):]
    return evenly([step for i, step in enumerate(steps) if not step[0].startswith("re")
                   or steps[i - 1][0] == "sendto"], some)
