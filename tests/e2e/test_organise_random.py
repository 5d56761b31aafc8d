# SPDX-License-Identifier: Apache-2.0
"""
Agents mark, move and take back at random, are killed, and a person moves and flags the same
messages meanwhile: no message is ever lost or doubled.  In the end all of it is taken back, and
the mailbox is as it was, but for what the person touched.

EMCLI_STEPS is how many steps are taken on each store, EMCLI_SEED which; the seed is printed.
"""

import collections
import contextlib
import json
import os
import random
import re

import pytest

import cli
from mail import message
from test_crash import killed as crashed, rows, sound
from test_mcp import MODERN, Host
from test_organise_killed import Relay

STEPS = {"maildir": 200, "imap": 120}
MAILS = 30
FOLDERS = ["INBOX", "Archive", "Trash", "Old"]
TO = {"archive": "Archive", "trash": "Trash"}
# Others were faster, or the message is not where it was.
ENDS = {None, "not_found", "rejected", "unknown_outcome", "network", "limit", "usage"}
ID = re.compile(rb"<(\d+)\.random@tests\.example>")


class Files:
    """A Maildir, and a person's program that renames its files."""

    # At which calls emcli is killed: around the row, and the change itself.
    steps = [("fdatasync", n) for n in (1, 2, 3)] + [("renameat2", n) for n in (1, 2, 3)]

    def __init__(self, emcli, request):
        self.site = request.getfixturevalue("site")
        self.top = self.site.box("agent")
        for folder in FOLDERS[1:]:
            for half in "cur", "new", "tmp":
                (self.top / f".{folder}" / half).mkdir(parents=True)
        emcli.account_maildir(self.site.path, process_backlog=True)

    def put(self, raw):
        self.site.deliver("agent", raw)

    def box(self, folder):
        return self.top if folder == "INBOX" else self.top / f".{folder}"

    def paths(self):
        for folder in FOLDERS:
            for half in "new", "cur":
                for path in (self.box(folder) / half).iterdir():
                    yield folder, path

    def look(self):
        """[(folder, flags)] of each message, by its number."""
        out = collections.defaultdict(list)
        for folder, path in self.paths():
            flags = set(path.name.partition(":2,")[2]) & set("SF")
            out[int(ID.search(path.read_bytes())[1])].append((folder, frozenset(flags)))
        return out

    def person(self, rng, n=MAILS):
        """Moves or flags one of the first n messages; its number."""
        number = n
        while number >= n:
            folder, path = rng.choice(list(self.paths()))
            number = int(ID.search(path.read_bytes())[1])
        name, _, flags = path.name.partition(":2,")
        if rng.random() < 0.5:
            folder = rng.choice(FOLDERS)
        else:
            flags = "".join(sorted(set(flags) ^ {rng.choice("SF")}))
        os.rename(path, self.box(folder) / "cur" / f"{name}:2,{flags}")
        return number

    def quiet(self):
        pass

    def close(self):
        pass


class Imap:
    """Dovecot, and a person's client."""

    steps = [("fdatasync", n) for n in (1, 2, 3)] + [("sendto", n) for n in range(4, 11)]

    def __init__(self, emcli, request):
        dovecot = request.getfixturevalue("dovecot")
        self.relay = Relay(dovecot.imaps)
        self.relay.start()
        self.client = dovecot.client("agent")
        for folder in FOLDERS[1:]:
            self.client.create(folder)
        emcli.account_imap(dovecot, imap_port=self.relay.port, process_backlog=True)

    def put(self, raw):
        assert self.client.append("INBOX", None, None, raw)[0] == "OK"

    def every(self):
        for folder in FOLDERS:
            assert self.client.select(folder)[0] == "OK"
            _, data = self.client.uid("FETCH", "1:*",
                                      "(UID FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])")
            for row in data or []:
                if isinstance(row, tuple):
                    yield (folder, int(re.search(rb"UID (\d+)", row[0])[1]), row[0],
                           int(ID.search(row[1])[1]))

    def look(self):
        out = collections.defaultdict(list)
        for folder, _, said, number in self.every():
            flags = {f for f, name in (("S", b"\\Seen"), ("F", b"\\Flagged")) if name in said}
            out[number].append((folder, frozenset(flags)))
        return out

    def person(self, rng):
        folder, uid, said, number = rng.choice(list(self.every()))
        assert self.client.select(folder)[0] == "OK"
        if rng.random() < 0.5:
            to = rng.choice([f for f in FOLDERS if f != folder])
            assert self.client.uid("MOVE", str(uid), to)[0] == "OK"
        else:
            sign = "-" if b"\\Flagged" in said else "+"
            assert self.client.uid("STORE", str(uid), f"{sign}FLAGS", r"(\Flagged)")[0] == "OK"
        return number

    def quiet(self):
        """Has the server ended what it was told by a process that was killed?"""
        self.relay.quiet()

    def close(self):
        self.client.select("INBOX")
        for folder in FOLDERS[1:]:
            self.client.delete(folder)
        self.client.logout()
        self.relay.stop()


class Agent:
    """One agent's MCP server; its calls that are to be killed are processes of their own."""

    def __init__(self, emcli, name):
        self.emcli, self.env, self.known = emcli, {"EMCLI_AGENT": name}, {}
        self.host = Host(emcli, "--always", revision=MODERN, env=self.env)
        self.codes = collections.Counter()

    def send(self, op, args):
        self.host.send("tools/call", name=op, arguments={"account": "work", **args})

    def hear(self, op):
        """Its answer: the data, or nothing if others were faster."""
        got = cli.envelope(self.host.read(60)["result"])
        code = got["error_detail"]["code"] if got["error"] else None
        self.codes[op, code] += 1
        assert code in ENDS, got
        return got["data"]

    def call(self, op, **args):
        self.send(op, args)
        return self.hear(op)

    def uids(self, rng, folder):
        """Of some messages that it knows, which may be elsewhere by now."""
        if folder not in self.known or rng.random() < 0.4:
            got = self.call("list", folder=folder, limit=100)
            self.known[folder] = [m["uid"] for m in got["messages"]]
        some = self.known[folder]
        return rng.sample(some, min(len(some), rng.randint(1, 4)))

    def change(self, rng):
        """An operation and its arguments, or None."""
        folder = rng.choice(FOLDERS)
        uids = self.uids(rng, folder)
        if not uids:
            return None
        op = rng.choice(["mark", "mark", "move", "move",
                         *(op for op, to in TO.items() if to != folder)])
        args = {"folder": folder, "uid": uids}
        if op == "mark":
            args[rng.choice(["read", "unread", "flag", "unflag"])] = True
        elif op == "move":
            args["to"] = rng.choice([f for f in FOLDERS if f != folder])
        return op, args

    def killed(self, rng, steps, op, args):
        argv = [op, "--account", "work"]
        for key, value in args.items():
            argv += [f"--{key}", *map(str, value if isinstance(value, list) else
                                      [] if value is True else [value])]
        crashed(self.emcli, rng.choice(steps), argv)
        self.codes["left"] += len(rows(self.emcli, "SELECT id FROM journal WHERE state = 'begun'"))

    def undo(self, rng):
        """One of its own changes, whether it can be or not."""
        mine = self.call("changes", limit=20)["changes"]
        if mine:
            self.call("undo", change=rng.choice(mine)["change"])

    def end(self):
        self.host.proc.kill()
        self.host.proc.communicate(timeout=60)


def can_undo(emcli):
    return "undo" in json.loads(emcli.call(["schema"], emcli.environment(), None, 60).out)


def whole(place, what):
    """Is each message there once?"""
    found = place.look()
    assert {n: len(found[n]) for n in range(MAILS)} == dict.fromkeys(range(MAILS), 1), what
    assert len(found) == MAILS, what
    return {n: found[n][0] for n in found}


def step(rng, place, agents, undo, touched):
    """One at random; what it was."""
    agent, chance = rng.choice(agents), rng.random()
    if chance > 0.95:
        changes = [(a, c) for a in agents for c in [a.change(rng)] if c]
        for a, (op, args) in changes:
            a.send(op, args)
        for a, (op, _) in changes:
            a.hear(op)
        return "at once", changes
    if chance < 0.2:
        touched.add(place.person(rng))
        return "person"
    if undo and chance < 0.32:
        return "undo", agent.undo(rng)
    if chance > 0.86:
        agent.known.clear()  # it would end before it has begun
    change = agent.change(rng)
    if change is None:
        return "nothing"
    if chance > 0.86:
        agent.killed(rng, place.steps, *change)
        place.quiet()
        return "killed", change
    agent.call(change[0], **change[1])
    return change


@pytest.mark.parametrize("kind", STEPS)
def test_random_steps_lose_and_double_nothing(emcli, request, kind):
    seed = int(os.environ.get("EMCLI_SEED", random.randrange(1 << 32)))
    steps = int(os.environ.get("EMCLI_STEPS", STEPS[kind]))
    print(f"EMCLI_SEED={seed} EMCLI_STEPS={steps}")
    rng, touched, undo = random.Random(seed), set(), can_undo(emcli)
    place = (Files if kind == "maildir" else Imap)(emcli, request)
    with contextlib.closing(place):
        for n in range(MAILS):
            place.put(message(subject=f"s{n}", mid=f"<{n}.random@tests.example>"))
        assert emcli.admin("account", "edit", "work", "--organise", "on",
                           "--limit-organise", "0").rc == 0
        first = whole(place, "at first")
        agents = [Agent(emcli, f"a{i}") for i in range(3)]
        try:
            for i in range(steps):
                did = step(rng, place, agents, undo, touched)
                if i % 10 == 9 or did[0] == "killed":
                    whole(place, (seed, i, did))
        finally:
            for agent in agents:
                agent.end()
        print(sum((a.codes for a in agents), collections.Counter()))
        before = whole(place, seed)
        # What a process that was killed has left is settled, and nothing is done again.
        assert emcli.run("changes", "--account", "work").rc == 0
        assert whole(place, seed) == before
        sound(emcli)
        # But a move whose copies are known waits for a call that changes mail.
        assert not rows(emcli, "SELECT id FROM journal WHERE state = 'begun'"
                               " AND target_uidvalidity = 0")
        if undo:
            assert emcli.admin("undo", "--account", "work", "--since", "1d",
                               timeout=60 + steps).rc == 0
            last = whole(place, seed)
            assert {n: last[n] for n in set(last) - touched} == \
                {n: first[n] for n in set(first) - touched}, seed
            assert not rows(emcli, "SELECT id FROM journal WHERE state = 'begun'")
