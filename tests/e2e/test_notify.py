# SPDX-License-Identifier: Apache-2.0
"""When something waits, the operator is told: by a program, or by mail."""

import concurrent.futures
import json
import os
import pathlib
import time

import pytest

import ports
import servers
from smtpd import Smtpd
from test_mcp import LEGACY, sessions
from told import Told, until

TO = "stranger-zebra@them.example"
SUBJECT = "subject-zebra"


def serve(certs, **behaviour):
    login = {servers.address("agent"): servers.password("agent")}
    return Smtpd(certs.good[0], certs.good[1], users=login, **behaviour)


class Site(Told):
    def send(self, *more, agent=None):
        return self.emcli.run("send", "--account", "work", "--to", TO, "--subject", SUBJECT,
                              "--body", "hello\n", *more, env={"EMCLI_AGENT": agent})

    def hold(self, *more):
        r = self.send(*more)
        assert r.code == "approval", str(r)
        return r.json["error_detail"]["id"]


@pytest.fixture
def site(emcli, dovecot, certs, tmp_path):
    with serve(certs) as server:
        emcli.account_imap(dovecot, smtp_host="localhost", smtp_port=server.port,
                           smtp_security="tls", sent_copy="off", outbound="approve")
        x = Site(emcli, tmp_path / "told")
        x.server, x.dovecot = server, dovecot
        yield x


# -- what is told -------------------------------------------------------------

def test_a_held_send_is_told_at_once(site):
    site.on(site.program, "--loud", "two")
    n = site.hold()
    (said,) = site.all(1)
    assert said.pop("since").endswith("Z")
    assert said == {"v": 1, "kind": "held", "count": 1, "accounts": ["work"], "ids": [n],
                    "text": "a message or change waits for your approval",
                    "next": "emcli approve list"}
    assert site.files("argv")[0].read_text() == "--loud\ntwo\n"
    site.settled()
    assert site.log() == [("operator", "held 1", "ok")]
    assert site.waits() == []


def test_a_held_change_is_told(site):
    site.emcli.admin("account", "edit", "work", "--organise", "approve")
    site.dovecot.deliver("agent", b"From: bob@lab.example\r\nSubject: " + SUBJECT.encode()
                         + b"\r\nMessage-ID: <n-1@lab.example>\r\n\r\nhello\r\n")
    site.dovecot.wait_for("agent", b"<n-1@")
    site.on()
    uid = site.emcli.run("list", "--account", "work").data["messages"][0]["uid"]
    r = site.emcli.run("mark", "--account", "work", "--folder", "INBOX", "--uid", uid, "--read")
    assert r.code == "approval", str(r)
    (said,) = site.all(1)
    assert said["kind"] == "held" and said["ids"] == [r.json["error_detail"]["id"]]


def test_one_notice_an_hour_tells_of_all(site):
    site.on()
    first = site.hold("--idempotency-key", "1")
    site.all(1)
    ids = [site.hold("--idempotency-key", str(i)) for i in range(2, 4)]
    site.later()
    ids.append(site.hold("--idempotency-key", "4"))
    said = site.all(2)
    assert [x["count"] for x in said] == [1, 3]
    assert said[0]["ids"] == [first] and said[1]["ids"] == ids


def test_what_no_longer_waits_is_not_told(site):
    site.on()
    site.hold("--idempotency-key", "1")
    site.all(1)
    gone = site.hold("--idempotency-key", "2")
    assert site.emcli.admin("approve", "deny", gone).rc == 0
    site.later()
    left = site.hold("--idempotency-key", "3")
    assert site.all(2)[1]["ids"] == [left]


def test_what_waits_already_is_told_when_it_is_set(site):
    n = site.hold()
    assert site.waits() == []
    site.on()
    assert site.all(1)[0]["ids"] == [n]


@pytest.mark.parametrize("off", ["off", "none", ""])
def test_off_is_silent(site, off):
    site.on()
    assert site.set(off).rc == 0
    shown = site.emcli.admin("config", "get", "notify", "--json").json
    assert shown["value"] == "off" and shown["default"] == "off"
    site.hold()
    assert site.waits() == [] and site.files() == []


def test_an_account_that_fails_for_an_hour_is_told_once(site):
    right = site.dovecot.imaps
    site.on()
    edit = ("account", "edit", "work", "--imap-port")

    def read():
        return site.emcli.run("list", "--account", "work")

    assert site.emcli.admin(*edit, str(ports.free(1)[0])).rc == 0
    for _ in range(2):
        assert read().code == "network"
    assert site.waits() == [("account", 0)] and site.files() == []
    site.later()
    assert read().code == "network"
    (said,) = site.all(1)
    assert said["kind"] == "account" and said["count"] == 1 and said["accounts"] == ["work"]
    assert said["ids"] == []
    # It still fails: that is known.
    site.later()
    assert read().code == "network"
    assert site.waits() == [("account", 1)]
    # It works, and all of it begins again.
    assert site.emcli.admin(*edit, str(right)).rc == 0
    until(lambda: read().rc == 0)
    assert site.waits() == []
    assert site.emcli.admin(*edit, str(ports.free(1)[0])).rc == 0
    assert read().code == "network"
    assert site.waits() == [("account", 0)] and len(site.files()) == 1


def test_what_an_agent_does_wrong_is_no_failure(site):
    site.on()
    for bad in (("list", "--account", "nope"), ("get", "--account", "work", "--uid", "99999"),
                ("list", "--account", "work", "--folder", "nope"), ("list", "--nope")):
        assert site.emcli.run(*bad).rc != 0
    assert site.waits() == []


def test_reading_well_does_not_mend_sending(site):
    site.on()
    site.emcli.admin("account", "edit", "work", "--smtp-port", str(ports.free(1)[0]), "--outbound", "send")
    assert site.send().code == "network"
    assert site.emcli.run("list", "--account", "work").rc == 0
    assert site.waits() == [("account", 0)]


def test_an_audit_that_does_not_verify_is_told(site):
    site.on()
    site.emcli.run("list", "--account", "work")
    site.sql("UPDATE audit_log SET action = 'get' WHERE action = 'list'")
    r = site.emcli.admin("audit", "verify")
    assert r.rc != 0, str(r)
    (said,) = site.all(1)
    assert (said["kind"], said["accounts"], said["next"]) == ("audit", [], "emcli audit verify")


def test_a_freeze_stops_no_notice(site):
    site.hold()
    assert site.emcli.admin("freeze").rc == 0
    site.on()
    assert site.all(1)[0]["count"] == 1


def test_two_at_once_tell_once(site):
    site.on()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        ids = list(pool.map(lambda i: site.hold("--idempotency-key", str(i)), range(4)))
    until(site.files)
    site.later()
    ids.append(site.hold("--idempotency-key", "9"))
    said = site.all(2)
    assert sorted(said[0]["ids"] + said[1]["ids"]) == sorted(ids)
    assert said[0]["count"] + said[1]["count"] == 5


def turn(site, name, calls, before=()):
    """A turn of a model, all of whose calls one process makes."""
    asks = [{"id": f"c{i}", "type": "function",
             "function": {"name": op, "arguments": json.dumps(args)}} for i, (op, args) in calls]
    said = {"role": "assistant", "content": None, "tool_calls": asks}
    request = {"model": "m", "tools": [],
               "messages": [{"role": "user", "content": name}, *before, said]}
    r = site.emcli.run("skills", "run", "--format", "openai", "--conversation", name,
                       stdin=json.dumps(request).encode())
    assert r.rc == 0, str(r)
    return said, json.loads(r.out)


def test_many_calls_of_one_process_leave_the_store_whole(site):
    """A process that gives a notice must not have SQLite's files of one that has a store open."""
    site.on("/bin/true")
    for n in range(12):
        said, results = turn(site, f"turn {n}", enumerate(
            ("load_skill", {"skill": skill}) for skill in ("mail-send", "mail-read")))
        site.settled()
        site.sql("UPDATE notice_told SET at_s = 0")
        _, results = turn(site, f"turn {n}", enumerate(
            (("send", {"to": [TO], "subject": f"{n} {i}", "body": "hello"}) for i in range(8)), 2),
            (said, *results))
        assert ["approval" in x["content"] for x in results] == [True] * 8, results
        assert site.sql("PRAGMA integrity_check") == [("ok",)]
        assert site.sql("SELECT count(*) FROM outbox") == [(8 * (n + 1),)]
    site.settled()
    r = site.emcli.admin("audit", "verify")
    assert r.rc == 0, str(r)


# -- what the program gets ----------------------------------------------------

def test_nothing_of_a_stranger_or_of_the_keys_reaches_it(site):
    site.emcli.admin("account", "edit", "work", "--signature", "none")
    site.on()
    site.hold()
    site.all(1)
    given = "".join(f.read_text() for kind in ("json", "argv", "env") for f in site.files(kind))
    assert "zebra" not in given and "hello" not in given
    assert "EMCLI" not in given and site.emcli.agent_key not in given and site.emcli.admin_key not in given
    assert servers.password("agent") not in given
    assert {line.split("=")[0] for line in site.files("env")[0].read_text().splitlines()} <= {
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ", "TMPDIR", "PWD", "_",
        "SHLVL", "OLDPWD"}


def test_it_runs_in_no_folder_of_the_caller_s(site, tmp_path):
    """An interpreter looks there for more of its program."""
    (tmp_path / "json").mkdir()
    (tmp_path / "json" / "__init__.py").touch()
    stranger = tmp_path / "json" / "tool.py"
    stranger.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    site.on("/usr/bin/python3 -m json.tool")
    r = site.emcli.call(["send", "--account", "work", "--to", TO, "--subject", SUBJECT, "--body", "x"],
                        site.emcli.environment(EMCLI_KEY=site.emcli.agent_key), None, 60,
                        os.path.abspath(site.emcli.binary), tmp_path)
    assert r.code == "approval", str(r)
    until(lambda: site.log() == [("operator", "held 1", "ok")])
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("text, why", [
    ("exec 0<&-\ntouch $0.ran", None),
    ("head -c 3000000 /dev/zero\nhead -c 3000000 /dev/zero >&2\ntouch $0.ran", None),
    ("touch $0.ran\nexit 3", "failed (status 3)"),
    ("touch $0.ran\nkill -9 $$", "failed (signal 9)"),
])
def test_whatever_it_does(site, text, why):
    odd = site.write("odd", text)
    site.on(odd)
    site.hold()
    until(pathlib.Path(f"{odd}.ran").exists)
    if why is None:
        site.settled()
        until(lambda: site.waits() == [])
        assert site.failures() == []
        return
    (line,) = site.failed()
    assert why in line["message"] and line["next"].endswith("emcli config set notify")
    assert site.log()[-1][2] == "config"
    # What it was to tell is told with the next.
    odd.write_bytes(site.program.read_bytes())
    site.later()
    site.hold("--idempotency-key", "2")
    assert site.all(1)[0]["count"] == 2
    site.settled()
    until(lambda: site.failures() == [])


def test_one_that_never_ends_is_ended_with_what_it_started(site):
    pids = site.folder / "pids"
    odd = site.write("odd", f"sleep 1000 & echo $$ $! > {pids}.part; mv {pids}.part {pids}\nwait")
    site.on(odd)
    began = time.monotonic()
    site.hold()
    assert time.monotonic() - began < 9, "the agent waited for it"
    until(pids.exists)
    (line,) = site.failed()
    assert "did not end in 10 s" in line["message"]
    for pid in pids.read_text().split():
        until(lambda p=pid: not is_alive(p))


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_one_that_is_gone_is_no_agent_s_trouble(site):
    site.on()
    site.program.unlink()
    site.hold()
    (line, *_) = site.failed()
    assert "missing" in line["message"], line


def test_one_that_others_may_write_is_not_run(site):
    site.program.chmod(0o777)
    r = site.set(site.program)
    assert r.rc != 0 and "others" in r.err.decode(), str(r)
    site.program.chmod(0o755)
    site.on()
    site.program.chmod(0o777)
    site.hold()
    site.failed()
    assert site.files() == [] and site.log()[-1][2] == "config"


def test_one_beside_the_store_is_not_run(site):
    """Processes that read mail write there."""
    beside = pathlib.Path(site.emcli.db).parent
    inside = beside / "bin" / "tell"
    inside.parent.mkdir(mode=0o755)
    inside.write_bytes(site.program.read_bytes())
    inside.chmod(0o755)
    (site.folder / "link").symlink_to(inside)
    for words in ([inside], [site.folder / "link"], ["/bin/sh", inside]):
        r = site.set(*words)
        assert r.rc == 2 and "where emcli writes" in r.err.decode(), str(r)
    # It was set when it was elsewhere.
    site.on()
    site.program.unlink()
    site.program.symlink_to(inside)
    site.hold()
    (line,) = site.failed()
    assert "where emcli writes" in str(line), line
    assert site.files() == []


@pytest.mark.parametrize("bad, says", [
    ("notify-send hello", "whole path"),
    ("/bin/sh ./tell", "from wherever"),
    ("/nowhere/at-all", "missing"),
    ("/bin/true\n/bin/sh", "one line"),
    ("mailto:", "address"),
    ("mailto:a@x.example, b@x.example", "address"),
    ("/bin/echo " + "x" * 5000, "too long"),
])
def test_what_cannot_be_set(emcli, bad, says):
    r = emcli.admin("config", "set", "notify", bad)
    assert r.rc == 2 and says in r.err.decode(), str(r)


def test_another_s_edit_of_the_setting_runs_nothing(site):
    """A process that was taken over may write the store."""
    site.on("/bin/true")
    site.sql("UPDATE settings SET value = ? WHERE key = 'notify'", str(site.program))
    site.hold()
    until(lambda: site.log() and site.log()[-1][2] is not None)
    assert site.log()[-1][2] == "config" and site.files() == []
    assert any("without emcli" in line["message"] for line in site.failures())


def test_an_agent_neither_reads_nor_sets_it(site):
    site.on()
    for argv in (("config", "get", "notify"), ("config", "set", "notify", "off"), ("config", "list")):
        r = site.emcli.run(*argv)
        assert r.rc != 0 and str(site.program) not in str(r)
    r = site.emcli.run("doctor")
    assert "notify" not in r.out.decode() and str(site.program) not in r.out.decode()


def test_new_keys_keep_it(site):
    site.on()
    r = site.emcli.admin("key", "rewrap", "--dek")
    assert r.rc == 0, str(r)
    site.hold()
    site.all(1)


# -- mail ---------------------------------------------------------------------

OPERATOR = "ops@home.example"


def test_mail_tells_it(site):
    site.emcli.admin("whitelist", "out", "on", "--account", "work")
    site.emcli.whitelist("out", TO)
    site.on("mailto:" + OPERATOR)
    site.hold()
    until(lambda: site.server.messages)
    (got,) = site.server.messages
    data = got["data"].decode()
    assert got["to"] == [OPERATOR]
    assert "Subject: emcli: a message or change waits for your approval" in data
    assert "Auto-Submitted: auto-generated" in data
    assert "Next: emcli approve list" in data
    assert "zebra" not in data and "work" not in data.split("\r\n\r\n", 1)[1]
    until(lambda: site.log() == [("operator", "held 1", "ok")])
    # The operator's setting lets no agent write there.
    r = site.emcli.run("send", "--account", "work", "--to", OPERATOR, "--subject", "x", "--body", "y")
    assert r.code == "policy", str(r)


def test_mail_leaves_no_copy_where_agents_read(site):
    r = site.emcli.admin("account", "edit", "work", "--sent-copy", "on", "--outbound", "send")
    assert r.rc == 0, str(r)
    assert site.send("--idempotency-key", "1").rc == 0
    assert site.emcli.admin("account", "edit", "work", "--outbound", "approve").rc == 0
    site.on("mailto:" + OPERATOR)
    site.hold("--idempotency-key", "2")
    until(lambda: site.log() == [("operator", "held 1", "ok")])
    assert site.sql("SELECT copy FROM outbox WHERE state = 'sent' ORDER BY id") == [("saved",), ("none",)]
    found = site.emcli.run("list", "--account", "work", "--folder", "Sent").data["messages"]
    assert [m["subject"] for m in found] == [SUBJECT]


def test_mail_goes_by_another_account_if_one_fails(site, certs):
    with serve(certs) as other:
        site.emcli.account_imap(site.dovecot, name="zz", smtp_host="localhost", smtp_port=other.port,
                                smtp_security="tls", sent_copy="off")
        site.on("mailto:" + OPERATOR)
        site.emcli.admin("account", "edit", "work", "--smtp-port", str(ports.free(1)[0]))
        site.hold()
        until(lambda: other.messages)
    assert site.server.messages == []


def test_nobody_can_send_it(site):
    site.emcli.admin("account", "edit", "work", "--smtp-port", str(ports.free(1)[0]))
    site.on("mailto:" + OPERATOR)
    site.hold()
    site.settled()
    (line,) = site.failed()
    assert "notice" in line["message"] and "held" in line["message"]
    assert site.waits() == [("held", 0)]


def test_a_freeze_stops_no_mail(site):
    site.hold()
    assert site.emcli.admin("freeze").rc == 0
    site.on("mailto:" + OPERATOR)
    until(lambda: site.server.messages)


def test_what_a_session_sends_is_told_while_it_goes_on(site):
    site.on()
    with sessions(site.emcli) as make:
        host = make(revision=LEGACY[-1])
        lease = host.data("load_skill", skill="mail-send")["lease"]
        got = host.call("send", account="work", to=[TO], subject=SUBJECT, body="hello", lease=lease)
        assert got["error_detail"]["code"] == "approval", got
        assert site.all(1)[0]["ids"] == [got["error_detail"]["id"]]
        assert host.proc.poll() is None
