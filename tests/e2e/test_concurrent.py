# SPDX-License-Identifier: Apache-2.0
"""Any number of processes at once: nothing lost, nothing twice."""
import json

import level
from mail import message, uids

BOX = ("--account", "work", "--folder", "INBOX")
N = 64


def start(emcli, *argv):
    return emcli.start([str(a) for a in argv],
                       emcli.environment(EMCLI_KEY=emcli.agent_key))


def finish(processes):
    replies = []
    for p in processes:
        out, err = p.communicate(timeout=120)
        assert p.returncode == 0, (out, err)
        replies.append(json.loads(out))
    return replies


def test_64_processes_ack_disjoint_and_overlapping_uids(emcli, site):
    # With a broker as many as a user may have waiting: 64 are too many at once.
    n = 32 if level.name == "broker" else N
    for i in range(n + 1):
        site.deliver("agent", message(subject="s%d" % i))
    emcli.account_maildir(site.path, process_backlog=True)
    every = sorted(uids(emcli.run("list", *BOX, "--limit", "500")))
    assert len(every) == n + 1
    # Each takes its own and its neighbour's: all are acked but the last one.
    finish([start(emcli, "ack", *BOX, "--uid", every[i], every[max(i - 1, 0)])
            for i in range(n)])
    assert uids(emcli.run("list", *BOX, "--new")) == [every[-1]]
    rows = emcli.admin("audit", "list", "--limit", "1000", "--json").json
    assert sum(r["action"] == "ack" and r["result"] == "allowed"
               for r in rows["audit"]) == n


def test_first_contact_by_many_agrees(emcli, site):
    for i in range(5):
        site.deliver("agent", message(subject="s%d" % i))
    emcli.account_maildir(site.path, process_backlog=True)
    replies = finish([start(emcli, "list", *BOX, "--new") for _ in range(16)])
    pages = [[m["uid"] for m in r["data"]["messages"]] for r in replies]
    assert pages == [pages[0]] * 16 and len(pages[0]) == 5


def test_senders_at_once_deliver_once_each(emcli, site):
    emcli.account_maildir(site.path)
    finish([start(emcli, "send", "--account", "work", "--to",
                  "bob@lab.example", "--subject", "n%d" % i, "--body", "b")
            for i in range(16)])
    got = site.messages("bob")
    assert len(got) == 16
    for i in range(16):
        assert sum(b"Subject: n%d\r\n" % i in m for m in got) == 1
