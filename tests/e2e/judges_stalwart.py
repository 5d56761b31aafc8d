# SPDX-License-Identifier: Apache-2.0
"""By hand: a session's mailbox on a real Stalwart server, of either version.

    EMCLI_STALWART_URL=https://mail.example.test EMCLI_STALWART_DOMAIN=agents.example.test \\
    HOUMAO_STALWART_MANAGEMENT_BEARER_TOKEN=... \\
    /usr/bin/python3 -m pytest -p no:cacheprovider tests/e2e/judges_stalwart.py

The domain is made if it is missing, and stays.  The account is deleted at the end."""

import os
import time

import pytest

import test_notifier
import test_stalwart

URL, DOMAIN = os.environ.get("EMCLI_STALWART_URL"), os.environ.get("EMCLI_STALWART_DOMAIN")
pytestmark = pytest.mark.skipif(not URL or not DOMAIN, reason="no server is named")


class Server:
    url = URL


@pytest.fixture
def office(tmp_path):
    o = test_stalwart.Office(tmp_path, Server)
    o.keys = {k: v for k, v in os.environ.items() if k.startswith("HOUMAO_STALWART_MANAGEMENT_")}
    yield o
    o.end()


def arrives(office, subject, seconds=60):
    """Delivery takes its time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for m in office.mail("check", "--unread-only")["messages"]:
            if m["subject"] == subject:
                return m
        time.sleep(1)
    raise AssertionError("it did not arrive")


def test_a_mailbox_from_its_beginning_to_its_end(office):
    address = f"emcli-{os.getpid()}@{DOMAIN}"
    home = office.stalwart(address=address)
    got = office.start(home)
    ref, first = got["mailbox"]["credential_ref"], office.password()
    try:
        office.mail("send", "--to", address, "--subject", "to myself", "--body-content", "x")
        ref_of = arrives(office, "to myself")["message_ref"]
        office.mail("reply", "--message-ref", ref_of, "--body-content", "y")
        message = office.mail("peek", "--message-ref", ref_of)["message"]
        assert message["read"] and message["answered"]
        office.mail("mark", "--message-ref", ref_of, "--unread")
        assert not office.mail("peek", "--message-ref", ref_of)["message"]["read"]
        arrives(office, "Re: to myself")
        office.mail("archive", "--message-ref", ref_of)
        office.good("credential", "rotate", ref, "--yes")
        assert office.password() != first
        office.good("session", "stop", got["session_id"])
        office.good("session", "resume", got["session_id"])
        office.mail("check")
        office.good("credential", "revoke", ref, "--yes")
        test_stalwart.refused(office.begin(home), test_stalwart.MISSING)
        office.start(home, "--reset-password")
    finally:
        office.good("credential", "deprovision", ref, "--yes")
    assert office.durable() == []


class Told(test_notifier.Told, test_stalwart.Office):
    """With an agent in a terminal."""


def test_the_server_tells_of_a_new_message(tmp_path):
    """The interval is an hour: only an event can have told."""
    o = Told(tmp_path, Server)
    o.keys = {k: v for k, v in os.environ.items() if k.startswith("HOUMAO_STALWART_MANAGEMENT_")}
    address = f"emcli-told-{os.getpid()}@{DOMAIN}"
    try:
        o.sit(o.stalwart(address=address))
        o.notifier("on", "--interval", "3600")
        o.until_row("empty", 0)
        o.mail("send", "--to", address, "--subject", "to myself", "--body-content", "x")
        o.until_row("enqueued", 1)
    finally:
        for c in o.good("credential", "list")["credentials"]:
            o.call("credential", "deprovision", c["credential_ref"], "--yes")
        o.end()
