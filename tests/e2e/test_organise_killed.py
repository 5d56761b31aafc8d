# SPDX-License-Identifier: Apache-2.0
"""
Marking, moving and taking it back on servers, killed at steps of a change: what the next call
writes down is what a second client finds, and every message is still there once.
"""

import collections
import contextlib
import re
import selectors
import socket
import time

import pytest

import cyrus
import killsteps
import servers
from listener import Listener
from mail import message
from test_crash import killed, rows, sound, strace

BOX = ("--account", "work", "--folder", "INBOX")
# Before each of these something is sent, heard, or written down.
CALLS = ("write", "sendto", "recvfrom", "fdatasync")
EACH = 3  # messages of a change
STEPS = {"move": 10, "mark": 6}
JMAP_STEPS = {"move": 7, "mark": 4}
UNDO_STEPS = {"move": 6, "mark": 4}
ID = re.compile(rb"<(\d+)\.kill@tests\.example>")


class Passing:
    """Octets both ways."""

    def __init__(self, server, sock):
        self.sock, self.behind, self.over = sock, server.behind, False
        server.passing.append(self)

    def run(self):
        try:
            with socket.create_connection(self.behind) as there, \
                    selectors.DefaultSelector() as ready:
                ready.register(self.sock, selectors.EVENT_READ, there)
                ready.register(there, selectors.EVENT_READ, self.sock)
                while ready.get_map():
                    for key, _ in ready.select():
                        self.pass_on(ready, key.fileobj, key.data, there)
        finally:
            self.over = True

    @staticmethod
    def pass_on(ready, here, to, there):
        part = b""
        with contextlib.suppress(ConnectionResetError):
            part = here.recv(1 << 16)
        with contextlib.suppress(OSError):
            if part:
                to.sendall(part)
            elif here is not there:
                to.shutdown(socket.SHUT_WR)
        if not part:
            for end in (here, to) if here is there else (here,):
                if end in ready.get_map():
                    ready.unregister(end)

    def is_left(self):
        """Is there more for the server, or has the client hung up and the server not yet?"""
        if self.over:
            return False
        try:
            self.sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            return True  # its last words, or that it has no more
        except BlockingIOError:
            return False
        except OSError:
            return not self.over


class Relay(Listener):
    session = Passing

    def __init__(self, port):
        super().__init__(None, None, "127.0.0.1")
        self.behind, self.passing = ("127.0.0.1", port), []

    def quiet(self):
        """Waits until the server has ended what it was told by clients that are gone."""
        end = time.monotonic() + 30
        while any(p.is_left() for p in self.passing):
            assert time.monotonic() < end
            time.sleep(0.002)
        self.passing = [p for p in self.passing if not p.over]


class Site:
    """A server, another client of it, and the way of emcli to it."""

    def __init__(self, kind, certs, introspection, emcli):
        self.copies, self.jmap = kind == "without MOVE", kind == "JMAP"
        self.server = cyrus.Cyrus() if self.jmap else servers.Dovecot(
            certs.good, introspection.port, more=servers.WITHOUT_MOVE if self.copies else "")
        self.relay = Relay(self.server.http if self.jmap else self.server.imaps)
        self.relay.start()
        self.client = self.server.client("agent")
        if self.jmap:
            emcli.set_up("account", "add", "work", "--backend", "jmap", "--mode", "RW",
                         "--url", f"http://127.0.0.1:{self.relay.port}",
                         "--from", servers.address("agent"), "--username",
                         servers.address("agent"), "--process-backlog", "--password-stdin",
                         stdin=servers.password("agent"))
        else:
            emcli.account_imap(self.server, imap_port=self.relay.port, process_backlog=True)
        self.n, self.doubled = 0, set()
        self.put(1)

    def close(self):
        self.client.logout()
        self.relay.stop()
        self.server.stop()

    def put(self, n):
        """So many messages; their numbers."""
        numbers = range(self.n, self.n + n)
        self.n += n
        for i in numbers:
            raw = message(subject=f"s{i}", mid=f"<{i}.kill@tests.example>")
            assert self.client.append("INBOX", None, None, raw)[0] == "OK"
        return list(numbers)

    def look(self):
        """(folder, read) of every copy of a message, by its number."""
        out = collections.defaultdict(list)
        for folder in "INBOX", "Archive":
            assert self.client.select(folder, readonly=True)[0] == "OK"
            _, data = self.client.uid("FETCH", "1:*",
                                      "(FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])")
            for row in data or []:
                if isinstance(row, tuple):
                    out[int(ID.search(row[1])[1])].append((folder, b"\\Seen" in row[0]))
        return out


@pytest.fixture(params=["MOVE", "without MOVE", "JMAP"])
def place(request, emcli, certs, introspection):
    site = Site(request.param, certs, introspection, emcli)
    assert emcli.admin("account", "edit", "work", "--organise", "on").rc == 0
    yield site
    site.close()


def change(emcli, number=None):
    """The newest, or that one."""
    of = emcli.run("changes", "--account", "work").data["changes"]
    return of[0] if number is None else next(c for c in of if c["change"] == number)


def finish(emcli):
    """Some other change, of the first message."""
    assert emcli.run("mark", *BOX, "--uid", "1", "--read").rc == 0


def known(emcli, last):
    """Of a change that was cut off: did it write down where all its copies are?"""
    got = rows(emcli, "SELECT min(new_uid) FROM journal_message m JOIN journal j"
                      " ON j.id = m.journal_id WHERE j.state = 'begun' AND j.id > %d" % last)
    return bool(got[0][0])


def truth(op, place, row, numbers, where, back=False):
    """Is the row what the server shows?"""
    found = place.look()
    places = [sorted(f for f, _ in found[i]) for i in numbers]
    done = sum(p == ["INBOX" if back else "Archive"] for p in places) if op == "move" else \
        sum(any(read != back for _, read in found[i]) for i in numbers)
    # A copy that nobody knows for one: emcli removes neither.
    both = sum(p == ["Archive", "INBOX"] for p in places)
    assert both == 0 or (place.copies and where[0] in ("recvfrom", "fdatasync")), where
    assert all(len(p) == 1 for p in places) or both > 0, (where, places)
    assert all(len(found[i]) == 1 for i in set(range(place.n)) - set(numbers)
               - place.doubled), where
    place.doubled |= {i for i, p in zip(numbers, places) if len(p) == 2}
    if row is None:
        assert (done, both) == (0, 0), where
        return "none"
    assert (row["done"], row.get("copied", 0)) == (done, both), where
    want = "done" if done == EACH else "partly" if done + both else "failed"
    assert row["state"] == want, where
    return "copied" if both else want


def changes(emcli, place, op, n):
    """So many changes of new messages: their numbers, and the command lines."""
    numbers = place.put(EACH * n)
    rows = emcli.run("list", *BOX, "--limit", "500").data["messages"]
    uid = {int(r["subject"][1:]): str(r["uid"]) for r in rows}
    more = ["--to", "Archive"] if op == "move" else ["--read"]
    for some in (numbers[i:i + EACH] for i in range(0, len(numbers), EACH)):
        yield some, (op, *BOX, "--uid", *(uid[i] for i in some), *more)


def undos(emcli, todo):
    """The same changes, made, and the command lines that take them back."""
    for numbers, argv in todo:
        made = emcli.run(*argv).data
        assert made["count"] == EACH
        yield numbers, ("undo", str(made["change"]), "--account", "work")


def rest(emcli, place, op, numbers, row, argv, where):
    """What the change says that was taken back; the next undo does what is missing, once."""
    was = next(c for c in emcli.run("changes", "--account", "work").data["changes"]
               if str(c["change"]) == argv[1])
    done = row["done"] if row else 0
    assert (was["undone"], was["state"]) == (done, "undone" if done == EACH else "done"), where
    got = emcli.run(*argv).data
    # Of a message that is in both folders nobody says which one to keep.
    if copied := place.doubled & set(numbers):
        assert [m["reason"] for m in got["not_restored"]] == ["copied"] * len(copied), where
        assert all(len(found) == 1 + (i in copied) for i, found in place.look().items()
                   if i in numbers), where
        return
    assert (got["count"], got["restored_before"], got["state"]) == (EACH - done, done, "undone")
    found = place.look()
    assert all(found[i] == [("INBOX", False)] for i in numbers), where


def kill(emcli, place, op, n, undo=False):
    """Kills one change at each of n steps; how often the rows said what afterwards."""
    todo = changes(emcli, place, op, n + 2)
    todo = undos(emcli, todo) if undo else todo
    for _ in range(2):  # the second is as all that follow
        whole = strace(emcli, ["-e", "trace=" + ",".join(CALLS)], next(todo)[1])
        assert whole.returncode == 0, whole.stdout
    trace = (emcli.folder / "trace").read_text(errors="replace")
    met = collections.Counter()
    for step, (numbers, argv) in zip(killsteps.exchanged(trace, n), todo):
        last = change(emcli)["change"]
        out, _ = killed(emcli, step, argv)
        place.relay.quiet()
        sound(emcli)
        before = place.look()
        finishes = known(emcli, last)
        row = change(emcli)
        row = row if row["change"] > last else None
        # To ask for changes finishes none.
        assert place.look() == before, step
        if finishes:
            assert (row["copied"], row["state"]) == (EACH, "begun"), step
            finish(emcli)
            row = change(emcli, row["change"])
            assert (row["done"], row["state"]) == (EACH, "done"), step
        said = truth(op, place, row, numbers, step, undo)
        found = place.look()
        met["finished" if any(found[i] != before[i] for i in numbers) else said] += 1
        assert b'"error":false' not in out or row["state"] == "done", step
        if undo:
            rest(emcli, place, op, numbers, row, argv, step)
    return met


@pytest.mark.parametrize("undo", [False, True])
def test_killed_at_steps_nothing_is_lost_or_doubled(emcli, place, undo):
    todo = UNDO_STEPS if undo else JMAP_STEPS if place.jmap else STEPS
    for op, n in todo.items():
        met = kill(emcli, place, op, n, undo)
        want = {"done", "failed"}
        if place.copies and op == "move":
            # And "copied", if it ends between sending COPY and hearing its answer.
            want.add("finished")
        if not want <= set(met):
            # What the server says in one piece is one step less: so many may miss one.
            met += kill(emcli, place, op, 3 * n, undo)
        assert want <= set(met), (op, met)


@pytest.mark.parametrize("place", ["without MOVE"], indirect=True)
def test_a_freeze_holds_what_was_cut_off_and_the_operator_ends_it(emcli, place):
    todo = changes(emcli, place, "move", 40)
    assert strace(emcli, ["-e", "trace=" + ",".join(CALLS)], next(todo)[1]).returncode == 0
    trace = (emcli.folder / "trace").read_text(errors="replace")
    for step, (numbers, argv) in zip(killsteps.exchanged(trace, 100), todo):
        last = change(emcli)["change"]
        killed(emcli, step, argv)
        place.relay.quiet()
        found = place.look()
        if known(emcli, last) and all(len(found[i]) == 2 for i in numbers):
            break
    else:
        raise AssertionError("no kill was between the copies and the removal")
    assert emcli.admin("freeze", "--agent", "agent").rc == 0
    emcli.run("changes", "--account", "work")
    emcli.run(*argv)
    assert place.look() == found
    back = emcli.admin("undo", str(last + 1), "--json")
    assert back.json["undone"][0]["count"] == EACH, str(back)
    assert all(place.look()[i] == [("INBOX", False)] for i in numbers)
