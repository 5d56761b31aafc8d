# SPDX-License-Identifier: Apache-2.0
"""64 agents tidy one folder at the same time, and each wants what its neighbours want too."""

import collections
import json

import pytest

import level
from mail import message
from test_crash import rows, sound

N = 64
BOX = ("--account", "work", "--folder", "INBOX")
# Nothing was changed, or another agent was faster.
ENDS = {None, "not_found", "rejected", "unknown_outcome"}


class Files:
    """A Maildir."""

    def __init__(self, emcli, site):
        for half in "cur", "new", "tmp":
            (site.box("agent") / ".Archive" / half).mkdir(parents=True)
        emcli.account_maildir(site.path, process_backlog=True)
        self.site = site

    def put(self, raw):
        self.site.deliver("agent", raw)

    def look(self):
        """(folder, is it flagged) of every message, by its subject."""
        out = collections.defaultdict(list)
        for folder in "", ".Archive":
            top = self.site.box("agent") / folder
            for path in [*top.glob("new/*"), *top.glob("cur/*")]:
                subject = path.read_text().split("Subject: ")[1].split()[0]
                out[subject].append((folder, "F" in path.name.partition(":2,")[2]))
        return out


class Imap:
    def __init__(self, emcli, dovecot):
        emcli.account_imap(dovecot, process_backlog=True)
        self.client = dovecot.client("agent")

    def put(self, raw):
        assert self.client.append("INBOX", None, None, raw)[0] == "OK"

    def look(self):
        out = collections.defaultdict(list)
        for folder in "INBOX", "Archive":
            self.client.select(folder, readonly=True)
            _, data = self.client.uid("FETCH", "1:*",
                                      "(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])")
            for row in data or []:
                if isinstance(row, tuple):
                    out[row[1].decode().split()[1]].append((folder, b"\\Flagged" in row[0]))
        return out


@pytest.fixture(params=["maildir", "imap"])
def place(request, emcli):
    if request.param == "maildir":
        return Files(emcli, request.getfixturevalue("site"))
    return Imap(emcli, request.getfixturevalue("dovecot"))


def all_at_once(emcli, calls):
    """The code of each, None if it went well."""
    started = [emcli.start([str(a) for a in argv],
                           emcli.environment(EMCLI_KEY=emcli.agent_key, EMCLI_AGENT=f"a{i}"))
               for i, argv in enumerate(calls)]
    ended = [json.loads(p.communicate(timeout=120)[0]) for p in started]
    return [e["error_detail"]["code"] if e["error"] else None for e in ended]


def test_64_agents_tidy_one_folder(emcli, place):
    n = 32 if level.name == "broker" else N  # as many as a user may have waiting
    for i in range(n + 1):
        place.put(message(subject=f"s{i}"))
    assert emcli.admin("account", "edit", "work", "--organise", "on").rc == 0
    every = sorted(m["uid"] for m in emcli.run("list", *BOX, "--limit", "100").data["messages"])
    assert len(every) == n + 1
    codes = all_at_once(emcli, [
        ("archive" if i % 4 else "mark", *BOX, "--uid", every[i], every[i + 1],
         *([] if i % 4 else ["--flag"])) for i in range(n)])
    assert set(codes) <= ENDS and codes.count(None) > n // 8, codes
    sound(emcli)
    found = place.look()
    assert {s: len(v) for s, v in found.items()} == {f"s{i}": 1 for i in range(n + 1)}
    # Whoever lost an answer settles it now; looking changes nothing.
    emcli.run("changes", "--account", "work")
    assert place.look() == found
    assert not rows(emcli, "SELECT id FROM journal WHERE state = 'begun'")
    taken = dict(rows(emcli, "SELECT message_id, count(*) FROM journal_message m JOIN journal j"
                             " ON j.id = m.journal_id WHERE j.kind = 'move' AND done"
                             " GROUP BY message_id"))
    moved = sum(v[0][0] in (".Archive", "Archive") for v in found.values())
    assert (len(taken), set(taken.values())) == (moved, {1})
    flagged = rows(emcli, "SELECT count(DISTINCT message_id) FROM journal_message m JOIN journal j"
                          " ON j.id = m.journal_id WHERE j.kind = 'mark' AND done")
    assert sum(v[0][1] for v in found.values()) == flagged[0][0]
