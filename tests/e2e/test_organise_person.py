# SPDX-License-Identifier: Apache-2.0
"""
A person's client moves and flags messages while an agent does: over doveadm, in
mutt, and by renaming the files of a Maildir.  No message is lost or doubled, and
what the person left alone is afterwards as it was.
"""

import contextlib
import random
import threading

import pytest

import servers
from mail import message
from test_crash import rows, sound
from test_organise_random import FOLDERS, MAILS, Agent, Files, Imap, whole
from test_read_back import Mutt

STEPS = 40
THEIRS = 20  # messages that the person may touch; the agent may touch all


class Person(threading.Thread):
    """Goes on until it is told to stop; what it may have changed, by number."""

    def __init__(self):
        super().__init__(daemon=True)
        self.rng, self.touched, self.acts = random.Random(1), set(), 0
        self.over, self.fault = threading.Event(), None

    def run(self):
        try:
            while not self.over.wait(0.01):
                self.acts += self.act()
        except BaseException as e:
            self.fault = e

    def stop(self):
        self.over.set()
        self.join(60)
        assert self.fault is None, self.fault
        assert self.acts > 5


class Renames(Person):
    def __init__(self, place):
        super().__init__()
        self.place = place

    def act(self):
        # An agent may have renamed it since it was looked at.
        with contextlib.suppress(FileNotFoundError):
            self.touched.add(self.place.person(self.rng, THEIRS))
            return 1
        return 0


class Doveadm(Person):
    def __init__(self, dovecot, moves):
        super().__init__()
        self.dovecot, self.moves = dovecot, moves

    def act(self):
        n, user = self.rng.randrange(THEIRS), servers.address("agent")
        self.touched.add(n)
        which = ("HEADER", "Message-ID", f"<{n}.random@tests.example>")
        if self.moves and self.rng.random() < 0.5:
            self.dovecot.doveadm("move", "-u", user, self.rng.choice(FOLDERS), "MAILBOX", "*",
                                 *which)
        else:
            self.dovecot.doveadm("flags", self.rng.choice(["add", "remove"]), "-u", user,
                                 "\\Flagged", "MAILBOX", "*", *which)
        return 1


class Reader(Person):
    """Nobody knows which message it is that mutt shows next."""

    def __init__(self, place, folder):
        super().__init__()
        self.mutt = Mutt(place.top, folder)
        self.touched = set(range(MAILS))

    def act(self):
        self.mutt.press(self.rng.choice(["j", "k", "F", "N", "$"]))
        return 1


def change(agent, rng, ops):
    """One of these at random, of the messages that it knows."""
    for _ in range(20):
        made = agent.change(rng)
        if made and ("mark" if made[0] == "mark" else "move") in ops:
            return agent.call(made[0], **made[1])
    return None


@pytest.mark.parametrize("who, ops", [
    ("renames", ("mark", "move")), ("mutt", ("mark", "move")),
    # Two MOVEs of one message at the same time leave two copies on Dovecot.
    ("moves", ("mark",)), ("flags", ("mark", "move"))])
def test_a_person_acts_meanwhile(emcli, request, tmp_path, who, ops):
    place = (Files if who in ("renames", "mutt") else Imap)(emcli, request)
    with contextlib.closing(place):
        for n in range(MAILS):
            place.put(message(subject=f"s{n}", mid=f"<{n}.random@tests.example>"))
        assert emcli.admin("account", "edit", "work", "--organise", "on",
                           "--limit-organise", "0").rc == 0
        first = whole(place, "at first")
        person = {"renames": lambda: Renames(place), "mutt": lambda: Reader(place, tmp_path)}.get(
            who, lambda: Doveadm(request.getfixturevalue("dovecot"), who == "moves"))()
        agent, rng = Agent(emcli, "a0"), random.Random(2)
        person.start()
        try:
            for i in range(STEPS):
                if i % 5 == 4:
                    agent.undo(rng)
                else:
                    change(agent, rng, ops)
        finally:
            agent.end()
            person.stop()
        if who == "mutt":
            person.mutt.press("x")
            person.mutt.close()
        print(agent.codes, person.acts)
        before = whole(place, who)
        assert emcli.run("changes", "--account", "work").rc == 0
        assert whole(place, who) == before
        sound(emcli)
        assert not rows(emcli, "SELECT id FROM journal WHERE state = 'begun'")
        assert emcli.admin("undo", "--account", "work", "--since", "1d").rc == 0
        last = whole(place, who)
        assert {n: last[n] for n in set(last) - person.touched} == \
            {n: first[n] for n in set(first) - person.touched}
