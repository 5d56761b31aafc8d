# SPDX-License-Identifier: Apache-2.0
"""emcli init by forms: from nothing to an account that works, and again."""

import os
import re
import signal
import socket

import pytest

import cli
import ports
from firstrun import KEY, ADDRESS, PASSWORD, finish, flags, keys, to_login, to_servers, to_who
from firstrun import first  # noqa: F401
from test_broker import until


# A vt100 has no second screen to go back from.
@pytest.mark.parametrize("term", ["xterm-256color", "vt100"])
def test_first_run_by_forms(first, dovecot, term):
    with first.screen(TERM=term) as s:
        to_who(first, s)
        to_servers(s)
        to_login(dovecot, s)
        assert first.nothing()
        s.type(PASSWORD)
        s.wait(r"Password +\*{12}")
        s.press("Enter")
        said = s.wait(r"imap.login +ok[\s\S]*Write it down").group(0)
        # A long path is cut to the window's width.
        assert "Account lab" in said and str(first.db) in re.sub(r"\s", "", said)
        assert first.nothing()
        s.press("Enter")
        assert s.end() == 0
        assert s.pressed < 12
        after = s.text(history=True)
    assert f"made {first.db}" in after.replace("\n", "") and "export EMCLI_DB=" in after
    for secret in first.admin_key, first.agent_key, PASSWORD:
        assert secret not in after
    assert first.healthy()
    accounts, lists, audit = first.rows()
    assert [a["name"] for a in accounts] == ["lab"] and lists == [[], []]
    assert audit[0] == ("operator", "lab", "account.add", "allowed", "ok")
    assert oct(first.db.stat().st_mode)[-3:] == "600"
    for p in first.folder.rglob("*"):
        if p.is_file():
            raw = p.read_bytes()
            for secret in first.admin_key, first.agent_key, PASSWORD:
                assert secret.encode() not in raw


def test_back_and_forth(first, dovecot):
    with first.screen() as s:
        to_who(first, s)
        keys = first.admin_key, first.agent_key
        s.press("Escape")
        first.take_keys(s)
        assert (first.admin_key, first.agent_key) == keys
        s.press("Escape")
        s.wait("Make the keys now")
        s.press("Escape")
        s.wait("Make the keys now")
        s.press("Enter")
        first.take_keys(s)
        assert (first.admin_key, first.agent_key) == keys
        s.press("Enter")
        s.wait("Mail address")
        to_servers(s)
        to_login(dovecot, s)
        s.press("Escape", "Escape", "Escape")
        s.wait("Account name")
        # A field is replaced by what is typed into it.
        s.go("Account name")
        s.type("mine")
        s.press("Enter")
        s.wait(rf"IMAP port +{dovecot.imaps}")
        s.press("Enter", "Enter")
        s.wait("User name")
        assert finish(s) == 0
    assert [a["name"] for a in first.rows()[0]] == ["mine"]
    assert first.healthy("mine")


def test_mistakes_stay_on_their_page(first):
    with first.screen() as s:
        to_who(first, s)
        s.press("Enter")
        s.wait("Mail address is missing")
        s.type("no address")
        s.go("Account name")
        s.type("bad name")
        s.press("Enter")
        s.wait(r'"no address" is not a mail address[\s\S]*no address\n +Account name +bad name')
        s.press("C-u")
        s.type(ADDRESS)
        s.press("Enter")
        s.wait("a name has only letters")
        s.press("C-c")
        assert s.end() == 2
    assert first.nothing()


def test_wrong_password_then_right(first, dovecot):
    with first.screen() as s:
        to_who(first, s)
        to_servers(s)
        to_login(dovecot, s)
        s.type("wrong")
        s.press("Enter")
        s.wait(r"imap.login: the server refused[\s\S]*User name[\s\S]*Password\n")
        assert finish(s) == 0
    assert first.healthy()


def test_a_server_that_is_not_there(first, dovecot):
    with first.screen() as s:
        to_who(first, s)
        to_servers(s)
        s.type(f"localhost:{ports.free(1)[0]}")
        s.press("Enter", "Enter")
        s.wait("User name")
        s.type(PASSWORD)
        s.press("Enter")
        s.wait(r"imap.tcp +BAD[\s\S]*Now +mend")
        s.press("Enter")
        s.wait("imap.tcp: [\\s\\S]*IMAP server")
        s.fill("IMAP port", str(dovecot.imaps))
        s.fill("Private CA file", dovecot.ca)
        s.press("Enter")
        s.wait("Only listed senders")
        s.press("Enter")
        s.wait("as before")
        s.press("Enter")
        s.wait("Write it down")
        s.press("Enter")
        assert s.end() == 0
    assert first.healthy()


def test_resize_in_the_middle(first, dovecot):
    with first.screen() as s:
        to_who(first, s)
        s.type(ADDRESS)
        s.resize(120, 40)
        s.wait(rf"Mail address +{ADDRESS}")
        s.resize(30, 8)
        s.wait("The window is too small")
        s.press("Enter")
        s.resize(60, 16)
        s.wait(rf"Mail address +{ADDRESS}")
        s.press("Enter")
        s.wait("IMAP server")
        s.resize(80, 24)
        to_login(dovecot, s)
        s.type(PASSWORD[:6])
        s.resize(100, 30)
        s.wait(r"Password +\*{6}\n")
        s.type(PASSWORD[6:])
        s.resize(80, 24)
        s.wait(r"Password +\*{12}\n")
        s.press("Enter")
        s.wait("Write it down")
        s.resize(60, 16)
        s.wait("Write it down")
        s.press("Enter")
        assert s.end() == 0
    assert first.healthy()


@pytest.mark.parametrize("typed, left, rest", [
    (ADDRESS[:4], 0, ADDRESS[4:]),  # what came first was typed over
    (ADDRESS[:4] + ADDRESS[6:], len(ADDRESS) - 6, ADDRESS[4:6]),
    (ADDRESS[2:], len(ADDRESS) - 2, ADDRESS[:2]),
])
def test_goes_on_where_it_was_in_a_window_of_another_size(first, typed, left, rest):
    with first.screen() as s:
        to_who(first, s)
        s.type(typed)
        s.press(*["Left"] * left)
        s.wait(rf"Mail address +{typed}\n")
        for columns, rows in (120, 40), (60, 16), (30, 8), (100, 30):
            s.resize(columns, rows)
            s.wait("too small" if rows < 12 else rf"\A(?:[^\n]*\n){{{rows - 1}}}  Enter:")
            if rows == 16:
                s.type(rest[:1])
                s.wait(rf"Mail address +{typed[:len(typed) - left]}{rest[0]}")
        s.press("C-l")
        s.type(rest[1:])
        s.wait(rf"Mail address +{ADDRESS}\n")


def test_the_beginning_of_what_was_typed_is_before_it(first):
    with first.screen() as s:
        to_who(first, s)
        s.type(ADDRESS[1:])
        s.press("C-a")
        s.type(ADDRESS[:1])
        s.wait(rf"Mail address +{ADDRESS}\n")


STEPS = ["keys", "shown", "who", "servers", "policy", "login", "confirm"]


@pytest.mark.parametrize("at, how", [
    *((step, "C-c") for step in STEPS),
    ("shown", signal.SIGTERM), ("confirm", signal.SIGTERM),
    ("shown", signal.SIGKILL), ("confirm", signal.SIGKILL),
])
def test_given_up_at_each_step_leaves_nothing(first, dovecot, at, how):
    walk = [
        lambda s: s.wait("Make the keys now"),
        lambda s: (s.press("Enter"), first.take_keys(s)),
        lambda s: (s.press("Enter"), s.wait("Mail address")),
        lambda s: to_servers(s),
        lambda s: (s.type(f"localhost:{dovecot.imaps}"), s.fill("Private CA file", dovecot.ca),
                   s.press("Enter"), s.wait("Only listed")),
        lambda s: (s.press("Enter"), s.wait("User name")),
        lambda s: (s.type(PASSWORD), s.press("Enter"), s.wait("Write it down")),
    ]
    with first.screen() as s:
        for step in walk[:STEPS.index(at) + 1]:
            step(s)
        if how == "C-c":
            s.press("C-c")
            assert s.end() == 2
            # The folders of the database are not made either.
            assert list(first.folder.iterdir()) == []
            shown = s.text(history=True)
            assert "nothing was written" in shown
            assert not re.search(KEY, shown) and "User name" not in shown
        else:
            os.kill(s.pid, how)
            assert s.end() != 0
    assert first.nothing()


def test_keys_do_not_stay_on_the_only_screen(first):
    with first.screen(TERM="vt100") as s:
        s.wait("Make the keys now")
        s.press("Enter")
        first.take_keys(s)
        s.press("C-c")
        assert s.end() == 2
        assert not re.search(KEY, s.text(history=True))


@pytest.fixture
def silent():
    """A server that accepts and says nothing."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen(8)
        yield s.getsockname()[1]


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [int(x) for x in f.read().split()]


@pytest.mark.parametrize("key", ["Escape", "C-c"])
def test_a_test_that_takes_long_can_be_left(first, silent, key):
    with first.screen() as s:
        to_who(first, s)
        to_servers(s)
        s.type(f"127.0.0.1:{silent}")
        s.press("Enter", "Enter")
        s.wait("User name")
        s.type(PASSWORD)
        s.press("Enter")
        s.wait("Trying it[\\s\\S]*imap.tcp")
        trying = children(s.pid)
        assert len(trying) == 1
        s.resize(90, 30)
        s.wait("imap.tcp")
        s.press(key)
        if key == "Escape":
            s.wait("User name")  # in half of what the test would take
            s.press("C-c")
        assert s.end() == 2
        until(lambda: not ports.alive(trying[0]))
    assert first.nothing()


def test_who_knows_the_provider_is_not_asked(first):
    with first.screen() as s:
        to_who(first, s)
        s.type("somebody@gmail.com")
        s.choose("Agents may", "RW")
        s.press("Enter")
        shown = s.wait(r"Servers found[\s\S]*SMTP security +tls").group(0)
        assert re.search("IMAP server +imap.gmail.com", shown)
        assert re.search("SMTP server +smtp.gmail.com", shown)
        assert re.search("SMTP port +465", shown)
        # Another address, other servers.
        s.press("Escape")
        s.wait("Mail address")
        s.fill("Mail address", "somebody@gmx.de")
        s.press("Enter")
        s.wait("IMAP server +imap.gmx.net")
        s.press("C-c")
        assert s.end() == 2
    assert first.nothing()


# -- again


def test_again_adds_another_or_stops(first, dovecot):
    assert flags(first, dovecot).rc == 0
    before = first.rows()
    with first.screen(**keys(first)) as s:
        s.wait(r"a database with 1 account:[\s\S]*Add another account +yes")
        s.choose("Add another account", "no")
        s.press("Enter")
        assert s.end() == 0
        assert "kept" in s.text()
    assert first.rows() == before
    with first.screen(**keys(first)) as s:
        s.wait("Add another account")
        s.press("Enter")
        s.wait("Mail address")
        s.press("Escape")
        s.wait("Add another account")
        s.press("Enter")
        s.wait("Mail address")
        s.type(ADDRESS)
        s.press("Enter")
        # The name of the first is taken.
        s.wait("there is an account lab already")
        s.go("Account name")
        s.type("second")
        s.press("Enter")
        s.wait("IMAP server")
        to_login(dovecot, s)
        assert finish(s) == 0
    assert [a["name"] for a in first.rows()[0]] == ["lab", "second"]
    assert first.healthy("second")
    with first.screen(**keys(first)) as s:
        s.wait("with 2 accounts")
        s.press("C-c")
        assert s.end() == 2


def test_a_store_is_opened_with_its_own_keys_alone(first, dovecot):
    assert flags(first, dovecot).rc == 0
    before = first.rows()
    for env, says in [({}, "requires EMCLI_ADMIN_KEY"),
                      ({"EMCLI_KEY": first.agent_key}, "requires EMCLI_ADMIN_KEY"),
                      ({"EMCLI_ADMIN_KEY": first.admin_key}, "EMCLI_KEY is not set"),
                      ({"EMCLI_ADMIN_KEY": cli.key(), "EMCLI_KEY": first.agent_key},
                       "EMCLI_ADMIN_KEY")]:
        with first.screen(**env) as s:
            assert s.end() == 1
            assert says in s.text()
    assert first.rows()[0] == before[0]
