# SPDX-License-Identifier: Apache-2.0
"""
The laboratory: fixtures that start real servers, and emcli itself.

A server that is missing fails the test; nothing is skipped but what a level
does otherwise (level.APART).  Servers live as long as the test session;
`dovecot` hands it out with every mailbox empty.
"""

import os
import pathlib
import re
import signal
import sqlite3
import sys
import threading

import pytest

sys.path.insert(0, os.path.dirname(__file__))

import cli  # noqa: E402
import introspect  # noqa: E402
import level as levels  # noqa: E402
import servers  # noqa: E402
import tlslab  # noqa: E402


# Never under sanitizers: modules about the operator's commands, processes that
# are killed or race, or whose memory is read, and books kept, thousands of starts
# at four times the price each; the code below them is under sanitizers in the unit tests and the others.
AS_SHIPPED = set("""
    account account_ask admin agents_mail agents_post approve attacks believe broker broker_attacks broker_floods
    broker_keys bundles
    broker_confined broker_names broker_killed broker_load broker_page
    chain claims cli completion concurrent cost crash doctor
    draft_status edit_form filter forests_own freeze unfinished grants init init_maildir
    init_oauth init_plain invisible keys key_command
    kill_send lab limits mailbox_commands mailboxes_page matrix mistakes mcp_approve mcp_boxes
    mcp_cancel mcp_elicit mcp_install mcp_judges mcp_turn nova oauth operate options organise_off outbox
    notifier permalinks prompt_turn record
    readme rematch repeats roles schema secrets seen_races session_refresh skills skills_dir
    sources taint threads_own trace triage
    home hosts session organise_killed organise_crowd organise_person organise_random postgresql
    postgresql_failover postgresql_faults postgresql_pool store_copy
""".split())

# Those that ./check runs under sanitizers, as it runs the unit tests: they read
# what strangers wrote; the others mostly speak with servers that behave.
# ./check sanitized does so with all but AS_SHIPPED.
STRANGERS = set("""
    ask broker_pipes broker_saves broker_wires conform corpus discover forests
    gate hostile_imap hostile_memory hostile_smtp html http_op human main_job mbox
    mcp mcp_http oauth_hostile quirks read search seed_mailbox tls wiped
""".split())
SANITIZED = "EMCLI_SANITIZED" in os.environ


# A command's leaks end with it, and to look for them costs a third of its
# start: it is done in the unit tests, where a process goes on, and in one walk
# through every operation.
LEAKS = {"ask", "main_job", "mcp", "mcp_http"}


# Run at both levels: what agents do all day.  At the broker's level as shipped,
# since sanitizers read the same mail at the other.  Without what is marked
# one_level: the same code reads it in the broker's process, which only
# ./check broker has it do.
BOTH = {"main_job", "grants", "outbox", "draft_status", "threads_own", "mcp"}


def name_of(item):
    return item.module.__name__.rpartition(".")[2].removeprefix("test_")


def is_second(item):
    """Is it the broker's level of a module that is run at both?"""
    callspec = getattr(item, "callspec", None)
    return callspec is not None and callspec.params.get("level") == "broker"


def at_broker(item):
    return is_second(item) or os.environ.get("EMCLI_LEVEL") == "broker"


def set_apart(item):
    """Why it is not run at the broker's level, if that is where it would be."""
    if not at_broker(item):
        return None
    name = name_of(item)
    test = item.name.replace("[broker]", "").replace("[broker-", "[").replace("-broker]", "]")
    whole = f"{name}::{test}"
    return next((levels.APART[k] for k in (whole, whole.partition("[")[0], name) if k in levels.APART),
                None)


def pytest_generate_tests(metafunc):
    if "EMCLI_LEVEL" not in os.environ and name_of(metafunc) in BOTH:
        metafunc.parametrize("level", ["direct", "broker"], indirect=True, scope="module")


@pytest.fixture(scope="module", autouse=True)
def level(request):
    """At which level agents call in this module."""
    before = levels.name
    levels.name = getattr(request, "param", before)
    yield levels.name
    levels.name = before


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown():
    for words in levels.stop(everything=False):
        cli.no_report(words)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Before any fixture, of whatever scope, looks for the program."""
    name = name_of(item)
    asked = name not in AS_SHIPPED if SANITIZED else name in STRANGERS
    cli.sanitized = asked and not at_broker(item)
    cli.looks = name in LEAKS


def no_file(connect):
    """sqlite3.connect() of a store's file, where stores are in a server."""
    def instead(path, *args, **kwargs):
        if str(path).startswith("postgresql:"):
            pytest.skip("it is about the store's file")
        return connect(path, *args, **kwargs)
    return instead


def pytest_configure(config):
    sqlite3.connect = no_file(sqlite3.connect)
    config.addinivalue_line("markers", "one_level: at both levels only by ./check broker")
    # What a shell begins in the background ignores it, and so would emcli.  A
    # worker of xdist, which may have us in another thread, has it by then.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)


# Begun last, a module of a minute has one processor work and the other wait.
LONGEST = """
    oauth gateway gmail invisible mcp_http mcp_judges hostile_memory prompt_turn agents_mail
    hostile_imap cost jmap edit_form html grants mcp contract stalwart chain
""".split()


def pytest_collection_modifyitems(config, items):
    """The longest modules first; the sort keeps the order of all others."""
    # These begin brokers of their own, and are the same at both levels.
    same = [i for i in items if name_of(i).startswith("broker")]
    if os.environ.get("EMCLI_LEVEL") == "broker" and len(same) < len(items):
        config.hook.pytest_deselected(items=same)
        items[:] = [i for i in items if i not in set(same)]
    once = {i for i in items if is_second(i) and i.get_closest_marker("one_level")}
    config.hook.pytest_deselected(items=list(once))
    items[:] = [i for i in items if i not in once]
    for item in items:
        why = set_apart(item)
        if why is not None:
            item.add_marker(pytest.mark.skip(reason=why))
    place = {name: i for i, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(name_of(item), len(place)))


@pytest.fixture(scope="session")
def certs(tmp_path_factory):
    """certs.good is (certificate, key, CA); so are wronghost, expired ..."""
    return tlslab.make(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="session")
def introspection():
    server = introspect.Introspection()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def dovecot_server(certs, introspection):
    server = servers.Dovecot(certs.good, introspection.port)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postfix(certs, dovecot_server):
    server = servers.Postfix(certs.good, dovecot_server)
    yield server
    server.stop()


@pytest.fixture
def dovecot(dovecot_server):
    """Dovecot with every mailbox empty, and no folders of another test."""
    dovecot_server.settle()
    for user in servers.USERS:
        dovecot_server.delete_folders(user)
        dovecot_server.clear(user)
    return dovecot_server


@pytest.fixture
def tmp_path(request, tmp_path_factory):
    """
    The same folder for each test, so that a scene with it in its commands is
    the one of another test: cli.Scenes.  What a test leaves has its name.
    """
    here = tmp_path_factory.getbasetemp() / "test"
    here.mkdir(mode=0o700)
    yield here
    name = re.sub(r"\W", "_", request.node.name)[:30]
    here.rename(tmp_path_factory.mktemp(name) / "test")


@pytest.fixture
def emcli(tmp_path):
    """emcli with a database of its own, made by `emcli init`."""
    e = cli.Emcli(tmp_path / "emcli")
    e.init()
    return e


class Site:
    """A folder of Maildirs named by their addresses."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.mkdir(parents=True)
        self.clock = 1782000000

    def box(self, user):
        for half in "cur", "new", "tmp":
            folder = self.path / servers.address(user) / half
            folder.mkdir(parents=True, exist_ok=True)
        return self.path / servers.address(user)

    def deliver(self, user, message):
        """Into new/, each a second after the last; the file's path."""
        self.clock += 1
        path = self.box(user) / "new" / f"{self.clock}.M1P1.lab"
        path.write_bytes(message)
        return path

    def messages(self, user):
        box = self.box(user)
        files = [*box.glob("new/*"), *box.glob("cur/*")]
        return [p.read_bytes() for p in sorted(files, key=lambda p: p.name)]


@pytest.fixture
def site(tmp_path):
    """A Maildir site with empty mailboxes of agent, alice and bob."""
    s = Site(tmp_path / "site")
    for user in servers.USERS:
        s.box(user)
    return s
