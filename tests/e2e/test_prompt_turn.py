# SPDX-License-Identifier: Apache-2.0
"""agents mail without a gateway and without a key: the request is typed into the agent's terminal.
The agent is a scripted program in a real tmux, and nothing that it writes is mailbox truth."""

import fcntl
import json
import os
import pathlib
import re
import signal
import sqlite3

import pytest

import test_session

# A program with a prompt, as the three hosts are: it asks for bracketed paste, echoes what comes,
# and does with a request what the file `mode` says.  Everything it reads is in the file `typed`.
AGENT = r"""#!/usr/bin/python3
import json, os, re, signal, subprocess, sys, time, tty
EMCLI = %r
B, E = "HOUMAO_MAIL_RESULT_BEGIN", "HOUMAO_MAIL_RESULT_END"

def say(*lines):
    os.write(1, b"".join(line.encode() + b"\r\n" for line in lines))

def hook(state):
    subprocess.run([EMCLI, "session", "hook", state, "{}"], check=True)

def prompt():
    os.write(1, "╭──╮\r\n│ > ".encode())

def block(request, **more):
    v = {"ok": True, "request_id": request["request_id"], "operation": request["operation"]}
    return [B, json.dumps({**v, **more}), E]

def turn(mode, text):
    hooked = mode != "screen"
    if hooked:
        hook("busy")
    if mode == "shortened":
        say("[Pasted text #1 +40 lines]")
    else:
        say(*text.split("\r"))
    request = json.loads(re.search(r"HOUMAO_MAIL_REQUEST:\r```json\r(.*?)\r```", text, re.S)[1])
    say("thinking (esc to interrupt)")
    if mode == "dies":
        sys.exit(3)
    if mode == "forever":
        return signal.pause()
    if mode == "early":
        say(*block(request, message_id="early"))
        return signal.pause()
    if mode == "late":
        time.sleep(3)
    if mode == "resizes":
        subprocess.run(["tmux", "resize-window", "-x", "90", "-y", "20"], check=True)
        say("x" * 300)
    os.write(1, b"\x1b[2J\x1b[H" if mode == "clears" else b"\x1b[1A\x1b[2K")
    if mode == "bullets":
        b, o, e = block(request, message_id="bullets")
        say("⏺ " + b, "  " + o, "  " + e)
    elif mode == "twice":
        say(*block(request), *block(request))
    elif mode == "inline":
        say("between %%s and %%s is" %% (B, E), block(request)[1])
    elif mode == "half":
        say(*block(request)[:2])
    elif mode == "other":
        say(*block({**request, "request_id": "mailreq-20260408T101112Z-0a1b2c3d4e"}))
    elif mode == "no":
        say(*block(request, ok=False, error="no such address"))
    elif mode != "never":
        say(*block(request, message_id=mode))
    prompt()
    if hooked:
        hook("idle")

tty.setraw(0)
os.write(1, b"\x1b[?2004h")
prompt()
if open("mode").read() != "screen":
    hook("idle")
pasted = b""
while True:
    pasted += os.read(0, 65536)
    if not pasted.endswith(b"\r") or b"\x1b[201~" not in pasted:
        continue
    with open("typed", "ab") as f:
        f.write(pasted)
    turn(open("mode").read(), pasted.split(b"\x1b[200~")[1].split(b"\x1b[201~")[0].decode())
    pasted = b""
"""


class Turns(test_session.Desk):
    def __init__(self, folder):
        super().__init__(folder)
        self.start(self.home("ci"))
        self.seen()
        self.program(AGENT % self.emcli.binary)
        self.mode("screen")
        self.at = self.start(self.home("writer"), way="--tmux")

    def again(self, mode):
        """The program from its beginning, and it is ready when this returns."""
        self.good("session", "stop", self.at["session_id"])
        self.mode(mode)
        self.at = self.good("session", "resume", self.at["session_id"])
        test_session.until(pathlib.Path(self.at["session_root"], "activity.json").exists)

    def mode(self, mode):
        (self.work / "mode").write_text(mode)
        (self.work / "typed").write_bytes(b"")

    def typed(self):
        return (self.work / "typed").read_bytes()

    def mail(self, verb, *argv, **env):
        env = {"EMCLI_KEY": None, "EMCLI_DB": None, "PATH": self.env["PATH"],
               "TMUX_TMPDIR": str(self.folder), **env}
        return self.emcli.run("agents", "mail", verb, *argv, "--manifest-path",
                              self.at["manifest_path"], env=env)

    def send(self, *argv, timeout=30, to="ci@houmao.localhost", **env):
        return self.mail("send", "--to", to, "--subject", "Grüße", "--body-content",
                         "one\n$(two) `three`\n", "--timeout", str(timeout), *argv, **env)

    def got(self, *argv, **how):
        r = self.send(*argv, **how)
        assert r.rc == 0 and r.err == b"", str(r)
        assert r.json["authoritative"] is False and r.json["verification_required"] is True
        assert r.json["execution_path"] == "tui_submission" and r.json["operation"] == "send"
        return r.json

    def mailbox(self):
        with sqlite3.connect(self.root / "team-mail/index.sqlite") as db:
            return db.execute("SELECT count(*) FROM messages").fetchone()[0]


@pytest.fixture(scope="module")
def turns(tmp_path_factory):
    t = Turns(tmp_path_factory.mktemp("turns"))
    yield t
    t.end()


def test_a_request_is_typed_as_one_paste_and_its_result_is_a_preview(turns):
    """Ready because the screen is quiet and shows the prompt: no hook has said anything yet."""
    turns.mode("screen")
    got = turns.got()
    assert list(got) == [
        "schema_version", "operation", "authoritative", "status", "execution_path", "transport",
        "principal_id", "address", "bindings_version", "request_id", "verification_required",
        "verification_paths", "submitted_at_utc", "tui_diagnostics", "preview_result"]
    assert got["status"] == "submitted" and got["transport"] == "filesystem"
    assert got["principal_id"] == "HOUMAO-writer" and got["address"] == "writer@houmao.localhost"
    assert re.fullmatch(r"mailreq-\d{8}T\d{6}Z-[0-9a-f]{10}", got["request_id"])
    assert got["preview_result"]["message_id"] == "screen" and got["preview_result"]["ok"] is True
    assert turns.mailbox() == 0, "and nothing was sent"
    typed = turns.typed()
    assert typed.startswith(b"\x1b[200~/houmao-agent-email-comms ") and typed.count(b"\x1b") == 2
    assert typed.endswith(f"End of request {got['request_id']}.\x1b[201~\r".encode())
    text = typed.decode().replace("\r", "\n")
    request = re.search(r"HOUMAO_MAIL_REQUEST:\n```json\n(.*?)\n```", text, re.S)[1]
    assert json.dumps(json.loads(request), indent=2, sort_keys=True) == request
    who = {"principal_id": "HOUMAO-ci", "address": "ci@houmao.localhost"}
    assert json.loads(request) == {
        "version": 1, "request_id": got["request_id"], "operation": "send",
        "transport": "filesystem", "principal_id": "HOUMAO-writer",
        "args": {"to": ["ci@houmao.localhost"], "subject": "Grüße",
                 "body_content": "one\n$(two) `three`\n", "resolved_to": [who], "resolved_cc": [],
                 "resolved_sender": {"principal_id": "HOUMAO-writer",
                                     "address": "writer@houmao.localhost"}},
        "response_contract": {"format": "json", "sentinel_begin": "HOUMAO_MAIL_RESULT_BEGIN",
                              "sentinel_end": "HOUMAO_MAIL_RESULT_END"}}
    for path in str(turns.root), "SKILL.md", "skills/":
        assert path not in text


OVER = "the agent's turn is over: "


@pytest.mark.parametrize("mode, status, detail", [
    ("late", "submitted", None), ("resizes", "submitted", None), ("clears", "submitted", None),
    ("shortened", "submitted", None), ("bullets", "submitted", None),
    ("no", "rejected", "the agent says that it did not do it"),
    ("twice", "submitted", OVER + "there is more than one result"),
    ("inline", "submitted", OVER + "there is no result"),
    ("half", "submitted", OVER + "the result has no end"),
    ("other", "submitted", OVER + "the result's request_id is not the request's"),
    ("never", "submitted", OVER + "there is no result")])
def test_what_an_agent_writes(turns, mode, status, detail):
    turns.mode(mode)
    got = turns.got()
    assert got["status"] == status and got["request_id"].encode() in turns.typed()
    assert got.get("detail", "").startswith(detail or "") and ("detail" in got) == bool(detail)
    if mode == "no":
        assert got["preview_result"]["error"] == "no such address"
    else:
        assert got.get("preview_result", {}).get("message_id") == (None if detail else mode)
    if (detail or "").startswith(OVER):
        assert got["tui_diagnostics"] == {"turn_ended": True}


def test_a_result_is_not_waited_for_and_a_busy_agent_is_not_typed_to(turns):
    turns.mode("early")
    assert turns.got()["preview_result"]["message_id"] == "early"
    # It works on, so now it is busy.
    turns.mode("never")
    got = turns.got(timeout=1)
    assert got["status"] == "busy" and "submitted_at_utc" not in got and turns.typed() == b""
    assert "nothing was typed" in got["detail"]
    # An agent that asks for itself works, of course.
    got = turns.got(timeout=600, HOUMAO_MANIFEST_PATH=turns.at["manifest_path"])
    assert got["status"] == "busy" and turns.typed() == b""
    turns.again("forever")
    got = turns.got(timeout=1)
    assert got["status"] == "submitted" and got["tui_diagnostics"] == {"turn_ended": False}
    assert "preview_result" not in got
    # Nobody waited until the agent had read it.
    test_session.until(lambda: got["request_id"].encode() in turns.typed())


def test_a_person_who_types_is_not_typed_over(turns):
    turns.again("never")
    with turns.person(turns.at["tmux_session_name"]):
        got = turns.got(timeout=1)
    assert got["status"] == "busy" and "a person types" in got["detail"]
    assert "submitted_at_utc" not in got and turns.typed() == b""


def test_a_program_that_ends_is_interrupted_and_then_has_no_terminal(turns):
    turns.again("dies")
    got = turns.got()
    assert got["status"] == "interrupted" and got["submitted_at_utc"]
    r = turns.send()
    assert r.rc == 1 and r.json["error_detail"]["reason"] == "no_prompt_surface"
    assert r.json["error_detail"]["code"] == "unsupported"


def test_a_terminal_that_tmux_loses_is_no_terminal(turns):
    turns.again("never")
    pid = turns.at["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        turns.tmux("set-environment", "-t", f"={turns.at['tmux_session_name']}",
                   "HOUMAO_MANIFEST_PATH", "/another")
        r = turns.send()
        assert r.json["error_detail"]["reason"] == "no_prompt_surface"
    finally:
        os.kill(pid, signal.SIGCONT)
        os.kill(pid, signal.SIGKILL)


def test_what_is_refused_before_it_is_typed(turns):
    turns.again("never")
    for argv, to, code, reason in [
        ((), "nobody@houmao.localhost", "rejected", "unknown_recipient"),
        (("--cc", "nobody@houmao.localhost"), "ci@houmao.localhost", "rejected",
         "unknown_recipient"),
        (("--cc", "ci@houmao.localhost\x1b[201~\rrm"), "ci@houmao.localhost", None, None),
    ]:
        r = turns.send(*argv, to=to)
        assert r.rc != 0 and r.json["error"] is True, str(r)
        assert code is None or r.json["error_detail"]["code"] == code
        assert reason is None or r.json["error_detail"]["reason"] == reason
    r = turns.mail("send", "--to", "ci@houmao.localhost", "--subject", "s", "--body-content",
                   "a\x1b[201~\rrm -rf x\r")
    assert r.json["error_detail"]["reason"] == "control_characters", str(r)
    rules = turns.root / "team-mail/rules/README.md"
    rules.rename(turns.folder / "rules")
    r = turns.send()
    (turns.folder / "rules").rename(rules)
    assert r.json["error_detail"]["reason"] == "not_actionable"
    for verb in "status", "check":
        assert turns.mail(verb).json["error_detail"]["reason"] == "unsupported"
    assert turns.typed() == b""


def test_reply_and_mark_read_are_typed_too(turns):
    turns.again("never")
    ref = "filesystem:msg-20260408T101112Z-0a1b2c3d4e5f60718293a4b5c6d7e8f9"
    for verb, argv, args in [
        ("reply", ("--body-content", "yes"), {"message_ref": ref, "body_content": "yes"}),
        ("mark-read", (), {"message_ref": ref, "read": True})]:
        r = turns.mail(verb, "--message-ref", ref, *argv)
        assert r.rc == 0 and r.json["operation"] == verb and r.json["status"] == "submitted", str(r)
        text = turns.typed().decode().replace("\r", "\n")
        request = re.findall(r"HOUMAO_MAIL_REQUEST:\n```json\n(.*?)\n```", text, re.S)[-1]
        assert json.loads(request)["args"] == args
        assert json.loads(request)["operation"] == verb


def test_two_at_once_and_no_secret(turns):
    """The second one does not type into the first."""
    turns.again("forever")
    folder = pathlib.Path(turns.at["session_root"])
    with open(folder / "prompt.lock", "w") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        got = turns.got(timeout=1)
    assert got["status"] == "busy" and turns.typed() == b""
    names = {p.name for p in folder.iterdir()}
    assert names <= {"manifest.json", "manifest.lock", "session.json", "activity.json",
                     "prompt.lock", "log"}
    assert turns.tmux("list-buffers").stdout == "", "no text stays in tmux"
