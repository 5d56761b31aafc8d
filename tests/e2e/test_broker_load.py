# SPDX-License-Identifier: Apache-2.0
"""
The broker under load: 200 clients of 20 agents at once; one agent that floods
and a mail server that stalls, while the others are served; and many calls,
after which nothing has grown.  Times are compared with times of the same
minute; bench/load.py has the figures.
"""

import contextlib
import imaplib
import os
import pathlib
import ssl
import statistics

import pytest

import crowd
import imapd
from test_broker import A, begin, busy, house, until

assert house  # a fixture: a house of this module's own


@pytest.fixture(scope="module")
def agents(house):
    return crowd.agents(house, 20)


def test_a_server_of_this_process_serves_while_it_connects_as_another_user(certs):
    trust = ssl.create_default_context(cafile=certs.ca)
    with imapd.Imapd(*certs.good[:2]) as server:
        os.setresuid(A, A, 0)
        try:
            imaplib.IMAP4_SSL("localhost", server.port, ssl_context=trust, timeout=20).logout()
        finally:
            os.setresuid(0, 0, 0)


def test_two_hundred_clients_of_twenty_agents_are_all_served(house, agents):
    calls = crowd.at_once(house, agents, 200)
    assert {c.code for c in calls} == {None}
    until(lambda: house.status().json["waiting"] == 0)


def test_one_agent_that_floods_stops_no_other(house, agents):
    flood = crowd.Flood(house, A)
    _, under = crowd.compared(house, agents, flood, rounds=1)
    # Its own calls wait instead, or are refused.
    assert flood.codes.keys() == {"limit", None}
    assert under < statistics.median(flood.took) / 2, (under, flood.took)


@contextlib.contextmanager
def stalled(house):
    calls = [begin(house, "list", "--account", "slow", "--folder", "INBOX") for _ in range(8)]
    try:
        until(busy(house, 8))
        yield
    finally:
        for p in calls:
            p.kill()
            p.communicate()


def nice(pid):
    """0, or how far it comes behind others."""
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[16])


def test_all_but_one_call_of_an_agent_come_behind_those_of_others(house, agents):
    # Those that are more than it keeps end after ten seconds.  A call that is still under
    # way would make all eight come behind.
    until(lambda: [house.status().json[key] for key in ("workers", "calls")] == [2, 0], 60)
    first = os.nice(0)
    with stalled(house):
        def late(but=()):
            found = {}
            for pid in house.workers() - set(but):
                with contextlib.suppress(OSError):  # it has ended
                    found[pid] = nice(pid)
            return found

        # All eight, if another waits when the first gets its worker.  One that has only
        # just begun has no name yet.
        def begun():
            return len(house.workers()) == house.status().json["workers"]
        until(lambda: begun() and sorted(late().values())[-7:] == [10] * 7)
        before = late()
        assert first in before.values()
        # Another's call gets a worker that is as quick as before.
        assert {c.code for c in crowd.at_once(house, agents[:1], 1)} == {None}
        assert set(late(but=before).values()) <= {first}


def test_a_server_that_stalls_stops_no_other(house, agents):
    for _ in range(3):
        rest, under = crowd.compared(house, agents, lambda: stalled(house), rounds=1)
        # Generous: a machine may do much else, and a call takes milliseconds.  It may
        # even begin with it between the two.
        if under < 6 * rest + 0.1:
            break
    assert under < 6 * rest + 0.1, (rest, under)


def grown(house, agents, calls):
    codes = crowd.soak(house, agents, calls)
    assert set(codes) == {"None", "not_found", "usage"}, codes
    return crowd.rested(house)


def test_nothing_has_grown_after_many_calls(house, agents):
    before, now = (grown(house, agents, 300) for _ in range(2))
    assert {name: x[:2] for name, x in now.items()} == {name: x[:2] for name, x in before.items()}
    for name, (_, _, kib) in now.items():
        assert kib < before[name][2] + 2048, (name, before, now)
