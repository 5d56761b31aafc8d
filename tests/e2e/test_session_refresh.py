# SPDX-License-Identifier: Apache-2.0
"""Another mailbox for a session that runs: session refresh, and emcli agents mailbox."""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import time

import pytest

import ports
from test_session import desk  # noqa: F401


WRITER = "writer@houmao.localhost"


def active(root):
    """None are in a root whose making was interrupted."""
    with sqlite3.connect(pathlib.Path(root) / "index.sqlite") as db:
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return []
        return sorted(r[0] for r in db.execute(
            "SELECT address FROM mailbox_registrations WHERE status = 'active'"
            " AND address NOT LIKE 'HOUMAO-%'"))


def binding(got):
    return json.loads(pathlib.Path(got["manifest_path"]).read_text())["launch_plan"]["mailbox"]


def change(got):
    return json.loads(pathlib.Path(got["session_root"], "session.json").read_text())["change"]


def refresh(desk, got, root):
    return desk.good("session", "refresh", got["session_id"], "--mailbox-root", root)


def agents(desk, verb, *argv):
    r = desk.call("agents", "mailbox", verb, "--json", *argv)
    assert r.rc == 0, str(r)
    return r.json


def test_refresh_takes_another_root_and_leaves_the_program_alone(desk):
    first = desk.start(desk.home("writer"))
    other = desk.folder / "other"
    got = refresh(desk, first, other)
    assert got["pid"] == first["pid"] and ports.alive(first["pid"])
    assert got["generation"] == 1 and got["state"] == "running"
    assert got["former_root"] == first["mailbox"]["filesystem_root"]
    assert got["former_address"] == WRITER and got["deactivated"] is True
    assert got["mailbox"] == {**first["mailbox"], "filesystem_root": str(other),
                              "mailbox_path": str(other / "mailboxes" / WRITER),
                              "bindings_version": got["mailbox"]["bindings_version"]}
    assert got["mailbox"]["bindings_version"] > first["mailbox"]["bindings_version"]
    assert binding(got)["filesystem_root"] == str(other) and change(got) is None
    assert (active(other), desk.registered()) == ([WRITER], [])
    # The account goes along, with what the operator set in it.
    assert got["account"] == first["account"] and desk.accounts() == [first["account"]]
    assert desk.good("account", "show", got["account"])["path"] == str(other)
    assert agents(desk, "status", "--agent-name", "writer")["actionable"] is True
    # Resume finds it there, whatever the environment says.
    desk.good("session", "stop", first["session_id"])
    desk.env["HOUMAO_GLOBAL_MAILBOX_DIR"] = "/nowhere"
    again = desk.good("session", "resume", first["session_id"])
    assert again["mailbox"] == got["mailbox"] and again["account"] == first["account"]


def test_mail_stays_and_versions_only_rise(desk):
    got = desk.start(desk.home("writer"))
    r = desk.emcli.run("send", "--account", got["account"], "--to", WRITER, "--subject", "note",
                       "--body", "to myself")
    assert r.rc == 0, str(r)
    seen = [got["mailbox"]["bindings_version"]]
    for root in "b", "b", "c", desk.root / "team-mail":
        got = refresh(desk, got, desk.folder / root)
        seen.append(got["mailbox"]["bindings_version"])
    assert seen == sorted(set(seen))
    # Back where it began: the same registration, and the message.
    assert desk.registered() == [WRITER] and active(desk.folder / "c") == []
    rows = desk.good("mailbox", "messages", "--root", desk.root / "team-mail", "--address", WRITER)
    assert [(m["subject"], m["box"]) for m in rows["messages"]] == [
        ("note", "inbox"), ("note", "sent")]


def test_a_root_that_is_gone_does_not_hold_a_session(desk):
    got = desk.start(desk.home("writer"))
    shutil.rmtree(desk.root / "team-mail")
    assert agents(desk, "status", "--session", got["session_id"])["actionable"] is False
    new = refresh(desk, got, desk.folder / "new")
    assert new["deactivated"] is False and new["former_root"] is not None
    assert agents(desk, "status", "--agent-id", got["agent_id"])["actionable"] is True


def test_an_address_of_anothers_in_the_new_root_changes_nothing(desk):
    got = desk.start(desk.home("writer"))
    before = binding(got)
    desk.good("mailbox", "init", "--root", desk.folder / "b")
    desk.good("mailbox", "register", "--root", desk.folder / "b", "--address", WRITER,
              "--principal-id", "HOUMAO-thief")
    r = desk.call("session", "refresh", got["session_id"], "--mailbox-root",
                  str(desk.folder / "b"))
    assert r.rc != 0 and b"another registration" in r.err, str(r)
    assert binding(got) == before and change(got) is None
    assert desk.registered() == [WRITER] and desk.accounts() == [got["account"]]
    assert desk.sessions()[0]["mailbox"]["filesystem_root"] == before["filesystem_root"]


def test_a_session_gets_a_mailbox_late_and_gives_it_back(desk):
    got = desk.start(desk.home("writer", "--mailbox-transport", "none"))
    who = ["--agent-name", "writer"]
    status = agents(desk, "status", *who)
    assert (status["mailbox"], status["actionable"]) == (None, False)
    r = desk.call("session", "refresh", got["session_id"], "--mailbox-root", "/x")
    assert r.rc != 0 and b"has no mailbox" in r.err
    new = agents(desk, "register", "--mailbox-root", str(desk.folder / "late"), *who)
    assert new["mailbox"]["address"] == WRITER and new["former_root"] is None
    assert new["account"] == "HOUMAO-writer" and desk.accounts() == ["HOUMAO-writer"]
    assert agents(desk, "status", *who)["actionable"] is True
    assert desk.sessions()[0]["pid"] == got["pid"]
    # Another address: the account goes along, and the first one is left.
    new = agents(desk, "register", "--mailbox-root", str(desk.folder / "late"),
                 "--mailbox-address", "w2@agents.example.test", *who)
    assert (new["former_address"], new["deactivated"]) == (WRITER, True)
    assert active(desk.folder / "late") == ["w2@agents.example.test"]
    gone = agents(desk, "unregister", *who)
    assert (gone["mailbox"], gone["account"], gone["deactivated"]) == (None, None, True)
    assert binding(got) is None and active(desk.folder / "late") == []
    r = desk.call("agents", "mailbox", "unregister", *who)
    assert r.rc != 0 and b"has no mailbox" in r.err
    back = agents(desk, "register", "--mailbox-root", str(desk.folder / "late"), *who)
    assert back["mailbox"]["bindings_version"] > new["mailbox"]["bindings_version"]


@pytest.mark.parametrize("argv, part", [
    ([], b"name the session"),
    (["--agent-name", "writer", "--session", "x"], b"name the session"),
    (["--agent-name", "nobody"], b"no such session"),
    (["--agent-id", "0" * 32], b"no such session"),
])
def test_the_session_must_be_clear(desk, argv, part):
    desk.start(desk.home("writer"))
    r = desk.call("agents", "mailbox", "status", *argv)
    assert r.rc != 0 and part in r.err, str(r)


def test_a_refresh_killed_at_any_moment_is_whole_or_nothing(desk):
    got = desk.start(desk.home("writer"))
    env = desk.emcli.environment(EMCLI_KEY=desk.emcli.agent_key,
                                 EMCLI_ADMIN_KEY=desk.emcli.admin_key, **desk.env)
    last = got["mailbox"]["bindings_version"]
    roots = [desk.folder / "b", desk.folder / "c"]
    for i, ms in enumerate(range(0, 200, 20)):
        p = subprocess.Popen([desk.emcli.binary, "session", "refresh", got["session_id"],
                              "--mailbox-root", str(roots[i % 2])], env=env,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(ms / 1000)
        p.kill()
        p.wait()
        [s] = desk.sessions()
        assert change(s) is None and s["pid"] == got["pid"]
        assert s["mailbox"]["bindings_version"] >= last
        last = s["mailbox"]["bindings_version"]
        for root in [*roots, desk.root / "team-mail"]:
            here = str(root) == s["mailbox"]["filesystem_root"]
            if here or (root / "index.sqlite").exists():
                assert active(root) == ([WRITER] if here else [])
        assert desk.good("account", "show", s["account"])["path"] == s["mailbox"]["filesystem_root"]
        assert desk.accounts() == [s["account"]]


def test_a_damaged_session_holds_no_other(desk):
    bad, good = desk.start(desk.home("writer")), desk.start(desk.home("ci"))
    state = pathlib.Path(bad["session_root"], "session.json")
    whole = state.read_text()
    state.write_text(whole[:100])
    assert {s["session_id"]: s["state"] for s in desk.sessions()} == {
        bad["session_id"]: "damaged", good["session_id"]: "running"}
    tried = [desk.call("session", *verb, bad["session_id"]) for verb in (
        ["refresh", "--mailbox-root", "/x"], ["resume"], ["stop"])]
    refresh(desk, good, desk.folder / "b")
    state.write_text(whole)
    for r in tried:
        assert r.rc != 0 and b"damaged" in r.err, str(r)
    # Others may write into its folder: what is in it is not believed.
    pathlib.Path(bad["session_root"]).chmod(0o777)
    [s] = [s for s in desk.sessions() if s["session_id"] == bad["session_id"]]
    assert s["state"] == "damaged" and "others can write" in s["why"]
    pathlib.Path(bad["session_root"]).chmod(0o700)
