# SPDX-License-Identifier: Apache-2.0
"""Sessions with a mailbox on a server: their account there, its password here, mail through it,
and what the credential commands do.  The server is stalwartd.py in both dialects, and Cyrus."""

import json
import os
import pathlib
import signal
import stat
import subprocess

import pytest

import cyrus
import killsteps
import ports
import servers
import stalwartd
from test_session import Desk

ADDRESS = "HOUMAO-writer@agents.example.test"
KEYS = {"token": {"HOUMAO_STALWART_MANAGEMENT_BEARER_TOKEN": stalwartd.TOKEN},
        "key": {"HOUMAO_STALWART_MANAGEMENT_API_KEY": stalwartd.KEY,
                "HOUMAO_STALWART_MANAGEMENT_API_SECRET": stalwartd.SECRET}}


class Office(Desk):
    """A desk and a mail server."""

    def __init__(self, folder, server):
        super().__init__(folder)
        self.server = server
        self.env = {k: v for k, v in self.env.items() if "STALWART" not in k}
        self.keys = KEYS["token"]

    def call(self, *argv, **env):
        return super().call(*argv, **{**self.keys, **env})

    def stalwart(self, agent="writer", address=ADDRESS):
        return self.home(agent, "--mailbox-transport", "stalwart", "--mailbox-address", address,
                         "--mailbox-stalwart-base-url", self.server.url)

    def begin(self, home, *argv):
        return self.call("session", "start", "--json", "--home", home, "--workdir",
                         str(self.work), *argv)

    def durable(self):
        return sorted((self.root / "mailbox-credentials/stalwart").glob("*.json"))

    def password(self):
        path, = self.durable()
        return json.loads(path.read_text())["password"]

    def copies(self, session):
        return sorted((pathlib.Path(session["session_root"]) / "mailbox-secrets").glob("*"))

    def mail(self, verb, *argv):
        r = self.call("agents", "mail", verb, "--agent-name", "writer", "--print-json", *argv)
        assert r.rc == 0, str(r)
        return r.json


MISSING = "give the account's password with --mailbox-password-file, or --reset-password"


def refused(r, words):
    assert r.rc != 0 and words in r.err.decode(), str(r)


@pytest.fixture(params=["0.16", "0.15"])
def server(request):
    s = stalwartd.Stalwartd(request.param)
    yield s
    s.stop()
    assert s.wrong == []


@pytest.fixture
def office(tmp_path, server):
    o = Office(tmp_path, server)
    yield o
    o.end()


def test_start_makes_an_account_and_hands_its_password_on(office, server):
    got = office.start(office.stalwart())
    box = got["mailbox"]
    assert list(server.domains) == ["agents.example.test"]
    assert server.accounts[ADDRESS.lower()].password == office.password()
    assert len(office.password()) == 32
    assert box["credential_ref"] == office.durable()[0].stem == office.copies(got)[0].stem
    kept = json.loads(office.durable()[0].read_text())
    assert kept["state"] == "confirmed" and kept["login_identity"] == ADDRESS
    assert set(json.loads(office.copies(got)[0].read_text())) == \
        {"credential_ref", "login_identity", "password"}
    account = office.good("account", "show", got["account"])
    assert (account["backend"], account["url"]) == ("jmap", server.url + "/jmap")
    out = office.call("whitelist", "out", "list", "--json", "--account", got["account"])
    assert (out.json["in_force"], out.json["entries"]) == (True, ["@agents.example.test"])
    # Nothing of the management is left anywhere, and the password only where it belongs.
    seen = office.seen()
    assert not any("STALWART" in k for k in seen["env"])
    allowed = set(office.durable()) | set(office.copies(got))
    for path in office.folder.rglob("*"):
        if path.is_file() and path not in allowed:
            raw = path.read_bytes()
            for planted in office.password(), stalwartd.TOKEN, stalwartd.SECRET:
                assert planted.encode() not in raw, path
    audit = json.dumps(office.good("audit", "list"))
    assert office.password() not in audit and stalwartd.TOKEN not in audit


def test_modes_are_closed_whatever_the_umask(office):
    old = os.umask(0)
    try:
        got = office.start(office.stalwart())
    finally:
        os.umask(old)
    for path in office.durable() + office.copies(got):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_resume_asks_no_server_and_takes_the_durable_password(office, server):
    home = office.stalwart()
    got = office.start(home)
    office.good("session", "stop", got["session_id"])
    assert office.copies(got) == []
    path, = office.durable()
    path.write_text(path.read_text().replace(office.password(), "another-password"))
    server.stop()
    office.env["HOUMAO_STALWART_BASE_URL"] = "https://elsewhere.example.test"
    again = office.good("session", "resume", got["session_id"])
    assert again["mailbox"] == got["mailbox"]
    assert json.loads(office.copies(again)[0].read_text())["password"] == "another-password"
    office.good("session", "stop", got["session_id"])
    path.unlink()
    refused(office.call("session", "resume", got["session_id"]), MISSING)


def test_a_second_start_changes_nothing_on_the_server(office, server):
    home = office.stalwart()
    office.start(home)
    before, server.log[:] = office.password(), []
    office.start(home)
    assert office.password() == before
    assert not any(who == "manager" for _, _, who in server.log)
    assert len(office.accounts()) == 1


def test_somebody_elses_account_is_never_touched(office, server):
    server.add(ADDRESS, "a-person's")
    home = office.stalwart()
    refused(office.begin(home), MISSING)
    assert server.accounts[ADDRESS.lower()].password == "a-person's"
    assert office.durable() == [] and office.sessions() == []
    # Its password, if it is right, or another one, if it is asked for.
    given = office.folder / "given"
    given.write_text("wrong\n")
    given.chmod(0o600)
    refused(office.begin(home, "--mailbox-password-file", str(given)), "refuses the password")
    assert office.durable() == []
    given.write_text("a-person's\n")
    got = office.good("session", "start", "--home", home, "--workdir", str(office.work),
                      "--mailbox-password-file", str(given))
    assert office.password() == "a-person's"
    office.good("session", "stop", got["session_id"])
    office.durable()[0].unlink()
    got = office.start(home, "--reset-password")
    assert server.accounts[ADDRESS.lower()].password == office.password() != "a-person's"


def kill_emcli():
    """The command that is being run, by its id."""
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(")")
        except OSError:
            continue
        if name.endswith("(emcli") and int(rest.split()[1]) == os.getpid():
            os.kill(int(path.parent.name), signal.SIGKILL)


@pytest.mark.parametrize("how", ["broken", "killed"])
@pytest.mark.parametrize("where", ["create individual", "created"])
def test_a_start_that_ends_between_file_and_account(office, server, where, how):
    """The file comes first; what is in it is what the server gets."""
    def ends():
        path, = office.durable()
        assert json.loads(path.read_text())["state"] == "pending"
        server.hooks.clear()
        if how == "killed":
            kill_emcli()
        raise RuntimeError
    server.before(where, ends)
    home = office.stalwart()
    r = office.begin(home)
    assert r.rc == -signal.SIGKILL if how == "killed" else b"something else" in r.err, str(r)
    pending = office.password()
    listed, = office.good("credential", "list")["credentials"]
    assert listed["state"] == "pending"
    office.start(home)
    assert office.password() == pending == server.accounts[ADDRESS.lower()].password
    assert json.loads(office.durable()[0].read_text())["state"] == "confirmed"


def test_refused_management_and_none(office, server):
    home = office.stalwart()
    office.keys = KEYS["key"]
    office.good("session", "stop", office.start(home)["session_id"])
    other = office.stalwart("other", "other@agents.example.test")
    office.keys = {"HOUMAO_STALWART_MANAGEMENT_BEARER_TOKEN": "wrong"}
    refused(office.begin(other), "refuses the management credentials")
    office.keys = {}
    refused(office.begin(other), "needs credentials")


def test_rotate_revoke_deprovision_cleanup(office, server):
    home = office.stalwart()
    got = office.start(home)
    ref, old = got["mailbox"]["credential_ref"], office.password()
    refused(office.call("credential", "rotate", ref), "--yes is needed")
    assert office.password() == old
    office.good("credential", "rotate", ref, "--yes")
    fresh = office.password()
    assert fresh != old and server.accounts[ADDRESS.lower()].password == fresh
    assert json.loads(office.copies(got)[0].read_text())["password"] == fresh
    assert office.call("list", "--account", got["account"], "--folder", "INBOX").rc == 0
    # A rotation that dies after the server has changed is settled by the next command.
    def broken():
        server.hooks.clear()
        server.accounts[ADDRESS.lower()].password = json.loads(
            office.durable()[1].read_text())["password"]
        raise RuntimeError
    server.before("password", broken)
    refused(office.call("credential", "rotate", ref, "--yes"), "answers something else")
    listed, = office.good("credential", "list")["credentials"]
    assert listed["state"] == "replacing" and listed["running"] == 1
    office.start(home)
    assert office.password() == server.accounts[ADDRESS.lower()].password != fresh
    # Locked: nobody knows the password, and the mailbox is there.
    office.good("credential", "revoke", ref, "--yes")
    assert office.durable() == [] and ADDRESS.lower() in server.accounts
    assert office.copies(got) == []
    refused(office.begin(home), MISSING)
    office.start(home, "--reset-password")
    office.good("credential", "deprovision", ref, "--yes")
    assert ADDRESS.lower() not in server.accounts and office.durable() == []
    refused(office.call("credential", "rotate", ref, "--yes"), "no such credential")


@pytest.mark.parametrize("when", ["password", "password set"])
def test_a_rotation_that_is_killed_loses_no_password(office, server, when):
    home = office.stalwart()
    got = office.start(home)
    old = office.password()

    def ends():
        server.hooks.clear()
        kill_emcli()
        raise RuntimeError
    server.before(when, ends)
    ref = got["mailbox"]["credential_ref"]
    assert office.call("credential", "rotate", ref, "--yes").rc == -signal.SIGKILL
    assert len(office.durable()) == 2
    office.start(home)
    assert office.password() == server.accounts[ADDRESS.lower()].password
    assert (office.password() == old) == (when == "password")


# What makes a change last, and what the server is told by.
STEPS = ("fsync", "fdatasync", "renameat", "renameat2", "unlinkat", "sendto", "write")


def rotate(office, ref, *options):
    trace = office.folder / "trace"
    env = office.emcli.environment(EMCLI_KEY=office.emcli.agent_key,
                                   EMCLI_ADMIN_KEY=office.emcli.admin_key, **office.env,
                                   **office.keys)
    done = subprocess.run(["strace", "-f", "-o", trace, *options, office.emcli.binary,
                           "credential", "rotate", ref, "--yes"], env=env, input=b"",
                          capture_output=True, timeout=60, umask=0)
    return done, trace.read_text(errors="replace")


@pytest.mark.parametrize("server", ["0.16"], indirect=True)
def test_a_rotation_that_is_killed_at_any_step_is_settled_by_the_next(office, server):
    """At each step the mailbox has a password that a file here has, and the next rotation
    ends with one: the server's."""
    got = office.start(office.stalwart())
    ref = got["mailbox"]["credential_ref"]
    done, trace = rotate(office, ref, "-e", "trace=" + ",".join(STEPS))
    assert done.returncode == 0, done.stderr
    todo = killsteps.chosen(trace, STEPS, each=8)
    assert len(todo) > 20 and {"fsync", "unlinkat"} <= {call for call, _ in todo}
    for call, n in todo:
        done, _ = rotate(office, ref, "-e", f"inject={call}:signal=KILL:when={n}")
        assert done.returncode in (0, 137, -signal.SIGKILL), (call, n, done.stderr)
        held = [json.loads(p.read_text())["password"] for p in office.durable()]
        assert server.accounts[ADDRESS.lower()].password in held, (call, n)
        # Nor is a secret open to others for that moment.
        for top in office.root / "mailbox-credentials", pathlib.Path(got["session_root"]):
            assert not [p for p in [top, *top.rglob("*")] if p.stat().st_mode & 0o077], (call, n)
        office.good("credential", "rotate", ref, "--yes")
        assert office.password() == server.accounts[ADDRESS.lower()].password, (call, n)
    assert office.call("list", "--account", got["account"], "--folder", "INBOX").rc == 0


def test_cleanup_keeps_what_a_session_names(office, server):
    got = office.start(office.stalwart())
    ref = got["mailbox"]["credential_ref"]
    office.start(office.stalwart("other", "other@agents.example.test"))
    assert office.good("credential", "cleanup", "--yes") == {"removed": [], "copies": 0}
    refused(office.call("credential", "cleanup", ref, "--yes"), "names this credential")
    lone = office.durable()[0].with_name("stalwart-lone-at-x-test-0011223344556677.json")
    lone.write_text(office.durable()[0].read_text())
    lone.chmod(0o600)
    refused(office.call("credential", "cleanup"), "--yes is needed")
    assert lone.exists()
    assert office.good("credential", "cleanup", "--yes")["removed"] == [lone.stem]
    assert len(office.durable()) == 2 and len(server.accounts) == 2


@pytest.mark.parametrize("spoil,why", [
    (lambda p: p.chmod(0o644), "open to others"),
    (lambda p: p.write_text("{"), "damaged"),
    (lambda p: p.write_text('{"password": " "}'), "damaged"),
    (lambda p: p.write_text('{"password": "a\\nb"}'), "damaged"),
    (lambda p: p.write_text("x" * 70000), "damaged"),
    (lambda p: (p.unlink(), p.symlink_to("/dev/zero")), "cannot be opened"),
    (lambda p: (p.unlink(), p.mkdir()), "no file of its own")])
def test_hostile_files(tmp_path, spoil, why):
    server = stalwartd.Stalwartd("0.16")
    office = Office(tmp_path, server)
    try:
        home = office.stalwart()
        got = office.start(home)
        office.good("session", "stop", got["session_id"])
        spoil(office.durable()[0])
        listed, = office.good("credential", "list")["credentials"]
        assert listed["state"] == "damaged" and why in listed["why"]
        refused(office.begin(home), why)
        refused(office.call("session", "resume", got["session_id"]), why)
        assert len(office.sessions()) == 1
    finally:
        office.end()
        server.stop()


def test_mail_through_it(office, server):
    """As an agent does: check, read, mark, reply, archive; and only to its own domain."""
    other = server.add("ci@agents.example.test", "x")
    office.start(office.stalwart())
    box = server.accounts[ADDRESS.lower()].box
    if server.version == "0.15":  # whose 0.15.3 is said to find no Message-ID
        query = box.Email_query
        box.method["Email/query"] = lambda args: {**query(args), **(
            {"ids": []} if "header" in str(args["filter"]) else {})}
    sent = office.mail("send", "--to", "ci@agents.example.test", "--subject", "s",
                       "--body-content", "b")
    assert sent["authoritative"] is True and sent["transport"] == "stalwart"
    assert sent["message"]["message_ref"].startswith("stalwart:")
    first, = other.box.inside("Inbox")
    assert b"Subject: s" in first.raw
    box.put("Inbox", b"From: ci@agents.example.test\r\nTo: " + ADDRESS.encode() +
            b"\r\nSubject: Re: s\r\nMessage-ID: <1@x.test>\r\nDate: Mon, 22 Jun 2026 10:00:00 "
            b"+0000\r\n\r\nhello\r\n")
    checked = office.mail("check", "--unread-only")
    message, = checked["messages"]
    assert checked["unread_count"] == 1 and message["body_text"].strip() == "hello"
    ref = message["message_ref"]
    office.mail("reply", "--message-ref", ref, "--body-content", "thanks")
    assert len(other.box.inside("Inbox")) == 2
    assert {"$seen", "$answered"} <= box.inside("Inbox")[0].keywords
    assert office.mail("check", "--unread-only")["messages"] == []
    office.mail("archive", "--message-ref", ref)
    assert box.inside("Inbox") == [] and len(box.inside("Archive")) == 1
    r = office.call("agents", "mail", "send", "--agent-name", "writer", "--print-json", "--to",
                    "eve@elsewhere.test", "--subject", "s", "--body-content", "b")
    assert r.code == "policy", str(r)


def test_a_persons_account_is_no_agents_mailbox(office, server, tmp_path):
    """Whatever its name and address, and though agents may put it in order."""
    address = ADDRESS.lower()
    got = office.start(office.stalwart(address=address))
    status = ("agents", "mail", "status", "--agent-name", "writer", "--print-json")
    name = got["account"]
    # A session's own is one whatever agents may do in it.
    office.good("account", "edit", name, "--organise", "off")
    assert office.call(*status).rc == 0
    office.good("account", "remove", name, "--yes")
    password = tmp_path / "password"
    password.touch(mode=0o600)
    password.write_text(server.accounts[address].password)
    office.good("account", "add", name, "--backend", "jmap", "--url", server.url, "--from",
                address, "--password-file", str(password), "--mode", "RW", "--organise", "on")
    r = office.call(*status)
    assert r.json["error_detail"]["reason"] == "no_mailbox", str(r)


def test_a_folder_for_archived_mail_is_made_or_asked_for(tmp_path):
    """Stalwart makes none by itself."""
    server = stalwartd.Stalwartd("0.16")
    office = Office(tmp_path, server)
    try:
        office.start(office.stalwart())
        box = server.accounts[ADDRESS.lower()].box
        box.boxes = [b for b in box.boxes if b.name != "Archive"]
        for n in range(3):
            box.put("Inbox", b"From: ci@agents.example.test\r\nSubject: s\r\nMessage-ID: <%d@x>"
                    b"\r\n\r\nb\r\n" % n)
        refs = [m["message_ref"] for m in office.mail("check")["messages"]]
        box.method["Mailbox/set"] = lambda args: {
            "created": None, "notCreated": {"m": {"type": "forbidden"}}}
        argv = ["agents", "mail", "archive", "--agent-name", "writer", "--print-json",
                "--message-ref", refs[0]]
        r = office.call(*argv)
        assert r.code == "unsupported" and b"make one with the role archive" in r.out, str(r)
        assert len(box.inside("Inbox")) == 3
        # One that the server calls so without a role is good enough.
        del box.method["Mailbox/set"]
        box.box("Archive").role = None
        office.mail("archive", "--message-ref", refs[0])
        assert len(box.inside("Archive")) == 1
        box.boxes = [b for b in box.boxes if b.name != "Archive"]
        office.mail("archive", "--message-ref", refs[1])
        office.mail("mark", "--message-ref", refs[2], "--archived")
        assert [b.role for b in box.boxes if b.name == "Archive"] == ["archive"]
        assert len(box.inside("Archive")) == 2
    finally:
        office.end()
        server.stop()


# What other clients do meanwhile, and what a server does in part.


@pytest.mark.parametrize("spoil", ["stale", "partly"])
def test_all_messages_change_or_none(tmp_path, spoil):
    server = stalwartd.Stalwartd("0.16")
    office = Office(tmp_path, server)
    try:
        office.start(office.stalwart())
        box = server.accounts[ADDRESS.lower()].box
        for i in range(2):
            box.put("Inbox", f"From: a@agents.example.test\r\nSubject: {i}\r\n\r\nx\r\n".encode())
        refs = [m["message_ref"] for m in office.mail("check")["messages"]]
        real, calls = box.Email_set, []

        def answer(args):
            calls.append(args)
            if spoil == "stale" and len(calls) < 3:
                box.mail_state += 1  # somebody else's change
            if spoil == "partly" and len(calls) == 1:
                last = list(args["update"])[-1]
                kept = {k: v for k, v in args["update"].items() if k != last}
                return {**real({**args, "update": kept}),
                        "notUpdated": {last: {"type": "forbidden"}}}
            return real(args)
        box.method["Email/set"] = answer
        r = office.call("agents", "mail", "mark", "--agent-name", "writer", "--print-json",
                        *(x for ref in refs for x in ("--message-ref", ref)), "--read")
        seen = ["$seen" in m.keywords for m in box.inside("Inbox")]
        if spoil == "stale":
            assert r.rc == 0 and seen == [True, True] and len(calls) == 3
            assert all("ifInState" in c for c in calls)
        else:
            assert r.code == "auth" and seen == [False, False]
            assert list(calls[1]["update"].values()) == [{"keywords/$seen": None}]
    finally:
        office.end()
        server.stop()


def test_cyrus_with_an_account_that_exists(tmp_path, postfix, dovecot):
    """A server without such management: the account and its password are given."""
    server = cyrus.Cyrus(postfix.smtp)
    office = Office(tmp_path, server)
    try:
        given = tmp_path / "given"
        given.write_text(servers.password("agent"))
        given.chmod(0o600)
        home = office.stalwart(address=servers.address("agent"))
        refused(office.begin(home), "management")
        got = office.start(home, "--mailbox-password-file", str(given))
        server.append("agent", b"From: bob@lab.example\r\nTo: agent@lab.example\r\nSubject: hi\r\n"
                      b"Message-ID: <c1@lab.example>\r\n\r\nhello\r\n")
        message, = office.mail("check", "--unread-only")["messages"]
        sent = office.mail("reply", "--message-ref", message["message_ref"], "--body-content", "ok")
        assert sent["message"]["subject"] == "Re: hi"
        assert b"b2s=" in dovecot.wait_for("bob", b"Subject: Re: hi")
        (flags, _), = server.messages("agent")
        assert "Seen" in flags and "Answered" in flags
        ref = ["--message-ref", message["message_ref"]]
        office.mail("mark", *ref, "--unread")  # which removes the keyword
        (flags, _), = server.messages("agent")
        assert "Seen" not in flags and "Answered" in flags
        office.mail("mark-read", *ref)
        assert "Seen" in server.messages("agent")[0][0]
        office.mail("send", "--to", servers.address("bob"), "--subject", "new", "--body-content",
                    "x")
        assert dovecot.wait_for("bob", b"Subject: new")
        r = office.call("agents", "mail", "send", "--agent-name", "writer", "--print-json", "--to",
                        "reject@lab.example", "--subject", "refused", "--body-content", "y")
        assert r.json["error_detail"]["reason"] == "submission_rejected", str(r)
        office.mail("archive", "--message-ref", message["message_ref"])
        assert server.messages("agent") == [] and len(server.messages("agent", "Archive")) == 1
        office.good("session", "stop", got["session_id"])
        assert ports.alive(office.good("session", "resume", got["session_id"])["pid"])
    finally:
        office.end()
        server.stop()
