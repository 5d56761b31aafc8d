# SPDX-License-Identifier: Apache-2.0
"""
Pipes through the broker: emcli mcp, skills filter and skills run for an agent
that has no key say what they say with one.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import time

import pytest

import cli
from loop import Loop
from mail import message
from test_broker import A, B, BOX, C, D, STALLED, TO, become, detail, frame, house, until, whole
from test_mcp import LEGACY, MODERN, Host

assert house  # a fixture: a house of this module's own
WHERE = {"account": "work", "folder": "INBOX"}


def pipes(house):
    return house.status().json["pipes"]


hosts = []


@pytest.fixture(autouse=True)
def ends(house):
    """No pipe outlives its test, nor its client; one that failed fails alone."""
    yield
    for h in hosts:
        h.proc.kill()
    hosts.clear()
    until(lambda: pipes(house) == 0)


def far(house, *argv, uid=A, agent=None, **more):
    env = {"EMCLI_KEY": None, "EMCLI_DB": None, "EMCLI_SOCKET": str(house.socket),
           "EMCLI_AGENT": agent}
    hosts.append(Host(house, *argv, env=env, become=become(uid), **more))
    return hosts[-1]


def near(house, *argv, **more):
    return Host(house, *argv, env={"EMCLI_AGENT": "scout"}, become=become(B), **more)


# -- the same answers

LOAD = ("load_skill", {"skill": "mail-read"})
CALLS = [
    ("list", WHERE), LOAD, ("list", WHERE), ("get", {**WHERE, "uid": 1}),
    ("get", {**WHERE, "uid": 99}), ("search", {**WHERE, "subject": "s1"}),
    ("folders", {"account": "work"}), ("list", {**WHERE, "limit": "many"}),
    ("get", {**WHERE, "uid": 4}), ("no_such_tool", {}),
    # What is loaded without a session is loaded until then.
    ("unload_skill", {"skill": "mail-read"}),
]


def plain(answer):
    """Without what is new each time: words of fences, leases, times."""
    text = re.sub(r"[0-9a-f]{16,}|[\w-]{22,}", "R", json.dumps(answer, sort_keys=True))
    return re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+Z?", "TIME", text)


@pytest.mark.parametrize("revision", [LEGACY[-1], MODERN])
def test_a_session_is_the_one_of_direct(house, revision):
    said = []
    for begin in far, near:
        h = begin(house, revision=revision)
        said.append([plain(h.tools())] +
                    [plain(h.ask("tools/call", name=name, arguments=arguments))
                     for name, arguments in CALLS])
        assert h.end() == (0, b"")
    assert said[0] == said[1]


class Side:
    """Where a loop runs its pipes."""

    def __init__(self, ask):
        self.run = lambda *argv, stdin=None, env=None: ask(*argv, stdin=stdin)


def test_a_loop_is_the_one_of_direct(house):
    for form in "openai", "anthropic":
        said = []
        for ask in house.ask, house.direct:
            loop = Loop(Side(ask), form).user()
            seen = [loop.names()]
            loop.do(*LOAD)
            seen += [loop.names(), loop.do("list", {"folder": "INBOX"}, call="c2"), loop.names()]
            loop.say().user("and now?")
            said.append([*seen, loop.names()])
        assert plain(said[0]) == plain(said[1])
        assert said[0][0] != said[0][1] and said[0][0] == said[0][-1]


def test_mistakes_are_those_of_direct(house):
    for argv in (("skills", "filter"), ("skills", "run", "--format", "none"), ("mcp", "--what"),
                 ("mcp", "--tool-prefix", "NO!"), ("skills", "filter", "--format", "openai"),
                 ("mcp", "--help"), ("skills", "run", "--help"), ("ask", "--help")):
        mine, ours = house.ask(*argv, stdin="{"), house.direct(*argv, stdin="{")
        assert (mine.rc, mine.out, mine.err) == (ours.rc, ours.out, ours.err), f"{mine}\n{ours}"


def test_a_request_longer_than_a_frame(house):
    request = {"model": "m", "messages": [{"role": "user", "content": "x" * 3_000_000}]}
    argv = ("skills", "filter", "--format", "openai")
    mine, ours = (ask(*argv, stdin=json.dumps(request)) for ask in (house.ask, house.direct))
    assert mine.rc == 0 and mine.out == ours.out


def readers_next(house):
    """Of each worker the one that is ready; a worker may have just begun, or be about to end."""
    found = []

    def there():
        with contextlib.suppress(ValueError, IndexError, OSError):
            found.append({pid: house.next_reader(pid) for pid in house.workers()})
        return found

    until(there)
    return found[0]


def test_each_call_of_a_session_has_a_reader(house):
    page = message(subject="page", body="<p>seen<p hidden>hidden words",
                   extra="MIME-Version: 1.0\r\nContent-Type: text/html\r\n")
    os.chown(house.site.deliver("agent", page), B, B)
    (uid,) = [m["uid"] for m in house.ask("list", *BOX).data["messages"] if m["subject"] == "page"]
    h = far(house, revision=LEGACY[-1])
    h.call(LOAD[0], **LOAD[1])

    def get():
        answer = h.ask("tools/call", name="get", arguments={**WHERE, "uid": uid})
        assert "result" in answer, answer
        return cli.envelope(answer["result"])

    until(lambda: pipes(house) == 1)
    ready = readers_next(house)
    assert get()["data"]["text"].strip() == "seen"

    def took():
        return [pid for pid, r in readers_next(house).items() if ready.get(pid, r) != r]

    # The call's own may be over before the next one is there.
    until(took)
    (worker,) = took()
    # One that ended before it was asked is no call's loss.  A signal is not yet
    # an end.
    reader = house.next_reader(worker)
    os.kill(reader, signal.SIGKILL)
    until(lambda: reader not in house.readers(worker))
    assert get()["data"]["text"].strip() == "seen"
    assert h.end() == (0, b"")


# -- who calls, and what with

def test_a_pipe_is_its_user_s(house):
    h = far(house, revision=MODERN, uid=C)
    assert h.call(LOAD[0], **LOAD[1])["error"] is False
    assert h.call("list", account="slow", folder="INBOX")["error_detail"]["code"] == "not_found"
    h.end()
    row = house.admin("audit", "list", "--limit", "1", "--json").json["audit"][0]
    assert row["principal"] == "mole" and f"uid {C}" in row["detail"]
    texts = set()
    for uid, agent in (D, None), (0, None), (A, "mole"), (B, "scout"):
        r = house.ask("mcp", uid=uid, agent=agent, stdin="")
        assert r.rc != 0 and r.out == b""
        texts.add(r.err)
    assert len(texts) == 1 and b"this user is no agent here" in texts.pop()


def test_what_the_broker_does_not_do_it_says(house):
    r = house.ask("ask", "what?")
    assert r.rc != 0 and b"the broker does not serve ask" in r.err
    for argv in ["--http", "127.0.0.1:0"], ["--http=127.0.0.1:0"]:
        assert b"--http is for the operator" in house.ask("mcp", *argv, stdin="").err
        assert opened(house, argv=argv)["code"] == "unsupported"
    # Files of the caller's have no way through a session.
    path = house.attach / "mine.txt"
    path.write_text("text")
    h = far(house, "--always", revision=MODERN)
    got = h.call("send", account="work", to=["bob@lab.example"], subject="s", body="b",
                 attach=["mine.txt"])
    assert got["error_detail"]["code"] == "unsupported"
    got = h.call("get", **WHERE, uid=1, attachments="in")
    assert got["error_detail"]["code"] == "unsupported"
    h.end()


# -- frames

def opening(**more):
    return frame(b"O", {"v": 1, "pipe": "mcp", "argv": [], **more})


def opened(house, uid=A, raw=None, **more):
    s = house.connect(uid)
    s.sendall(opening(**more) if raw is None else raw)
    return detail(whole(s))


BAD = [
    ({"v": 2}, "config", "this emcli speaks 1"), ({"pipe": "ask"}, "usage", '"pipe"'),
    ({"pipe": "account list"}, "usage", '"pipe"'), ({"argv": [1]}, "usage", '"argv"'),
    ({"argv": "--always"}, "usage", '"argv"'), ({"argv": ["a\0b"]}, "usage", ""),
    ({"argv": ["--no-such"]}, "usage", "--no-such"), ({"argv": ["x"] * 300}, "usage", '"argv"'),
    ({"env": {"EMCLI_DB": "/tmp/x"}}, "usage", '"env"'), ({"account": 1}, "usage", '"account"'),
    ({"agent": "operator"}, "config", "this user is no agent"),
    ({"agent": "x" * 500}, "config", "this user is no agent"),
]


@pytest.mark.parametrize("more, code, says", BAD, ids=lambda v: str(v)[:30])
def test_a_bad_opening_gets_one_answer(house, more, code, says):
    told = opened(house, **more)
    assert told["code"] == code and says in told["message"]


@pytest.mark.parametrize("raw, says", [
    (frame(b"C", {}), "a pipe takes input alone"), (b"\xff" * 100, "longer than"),
    (frame(b"I", b"") + frame(b"I", b"{}"), "a pipe takes input alone"),
    (frame(b"I", b"x\n") + frame(b"X", b""), "a pipe takes input alone"),
    (struct.pack(">I", 2**20 + 1) + b"I", "longer than")], ids=range(5))
def test_noise_in_place_of_input_ends_it(house, raw, says):
    s = house.connect(A)
    s.sendall(opening() + raw)
    got = [f for f in whole(s) if f[0] not in b"UE"]
    # The end of the input may have ended the session first.
    if len(got) == 1:
        assert json.loads(got[0][1])["exit"] == 0
    else:
        told = detail(got)
        assert told["code"] == "usage" and says in told["message"]
    assert house.ask("list", *BOX).rc == 0


def test_a_descriptor_with_a_pipe_is_refused(house):
    s = house.connect(A)
    socket.send_fds(s, [opening()], [0])
    assert detail(whole(s))["code"] == "usage"
    s = house.connect(A)
    s.sendall(opening())
    until(lambda: pipes(house) == 1)
    socket.send_fds(s, [frame(b"I", b"{}\n")], [0])
    assert detail(whole(s))["code"] == "usage"


# -- ends

def test_a_client_that_goes_away_ends_its_pipe(house):
    h = far(house, revision=LEGACY[-1])
    assert h.call("list_skills")["error"] is False and pipes(house) == 1
    h.proc.kill()
    h.proc.communicate()
    until(lambda: pipes(house) == 0)
    # In the middle of a call that reads, too.
    h = far(house, "--always", revision=LEGACY[-1])
    h.send("tools/call", name="list", arguments={"account": "slow", "folder": "INBOX"})
    until(lambda: "slow" in [w["account"] for w in house.status().json["wires"]])
    h.proc.kill()
    h.proc.communicate()
    until(lambda: pipes(house) == 0)
    assert house.ask("list", *BOX).rc == 0


def test_a_part_of_a_request_runs_nothing(house):
    """All that was sent is a whole request; but its end was not sent."""
    before = house.admin("audit", "list", "--limit", "1", "--json").json["audit"][0]["id"]
    request = {"model": "m", "messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "c1", "type": "function", "function": {
                "name": "load_skill", "arguments": '{"skill":"mail-read"}'}}]}]}
    s = house.connect(A)
    s.sendall(opening(pipe="skills run", argv=["--format", "openai"]) +
              frame(b"I", request))
    until(lambda: pipes(house) == 1)
    s.close()
    until(lambda: pipes(house) == 0)
    after = house.admin("audit", "list", "--limit", "1", "--json").json["audit"][0]["id"]
    assert after == before


def its_session(house):
    """
    The one there is: its worker, and its process.  What readers are forked from
    is without its name at first, and so could be taken for it.
    """
    found = []

    def there():
        below = {w: names(w) for w in house.workers()}
        found[:] = [(w, n) for w, under in below.items() for n, name in under.items()
                    if name != NURSERY]
        return len(found) == 1 and all(NURSERY in under.values() for under in below.values())

    until(there)
    return found[0]


def test_a_process_that_dies_is_told(house):
    h = far(house, revision=LEGACY[-1])
    _, session = its_session(house)
    os.kill(session, signal.SIGKILL)
    _, err = h.proc.communicate(timeout=20)
    assert h.proc.returncode == 1 and b"the session did not finish" in err
    h = far(house, revision=LEGACY[-1])
    worker, _ = its_session(house)
    os.kill(worker, signal.SIGKILL)
    _, err = h.proc.communicate(timeout=20)
    assert h.proc.returncode == 1 and b"ended before it was done" in err


NURSERY = "emcli nursery"


def names(pid):
    """Of the processes below it."""
    found = {}
    with contextlib.suppress(OSError):
        for n in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found[int(n)] = comm(n)
    return {n: name for n, name in found.items() if name}


def comm(pid):
    try:
        with open(f"/proc/{pid}/comm") as f:
            return f.read().strip()
    except OSError:
        return None


def test_pipes_have_a_cap_of_their_own(house):
    open_ones = []
    for _ in range(8):
        s = house.connect(A)
        s.sendall(opening())
        open_ones.append(s)
        until(lambda: pipes(house) == len(open_ones))
    told = opened(house)
    assert told["code"] == "limit" and told["retry_after"] == 1
    # Calls of the same user, and pipes of others, do not wait for them.
    assert house.ask("list", *BOX).rc == 0
    h = far(house, revision=MODERN, uid=C)
    assert h.call("list_skills")["error"] is False
    h.end()
    for s in open_ones:
        s.close()


def test_a_reader_that_never_reads_is_closed(house):
    """After ten seconds, and only since something waits."""
    s = house.connect(A)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    s.sendall(opening())
    until(lambda: pipes(house) == 1)
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {
        "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN,
                  "io.modelcontextprotocol/clientCapabilities": {}}}}).encode() + b"\n"
    s.setblocking(False)
    begun = time.monotonic()
    while time.monotonic() - begun < 30 and pipes(house):
        try:
            s.send(frame(b"I", ask * 10))
        except BlockingIOError:
            time.sleep(0.2)
        except OSError:
            break
    until(lambda: pipes(house) == 0)
    assert time.monotonic() - begun > 8
    s.close()


def test_the_end_of_the_broker_ends_a_pipe(house):
    """The last test of the module: its calls have some time, and then it is gone."""
    h = far(house, revision=LEGACY[-1])
    begun = time.monotonic()
    house.stop()
    # Ten seconds is when it would be ended, and would say so.
    assert time.monotonic() - begun < 10
    assert h.proc.wait(20) == 0
    h.proc.communicate()
    house.serve()
