# SPDX-License-Identifier: Apache-2.0
"""The command line as an agent meets it: one JSON line, exact names, audit."""
import json
import os
import pty
import re
import subprocess

import pytest

from mail import message, subjects

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.box("agent"), process_backlog=True)
    return emcli


def usage(r):
    """The message of a call that was refused for its form."""
    assert r.rc == 2, str(r)
    assert r.code == "usage"
    return r.json["error_detail"]["message"]


def last_audit(emcli):
    r = emcli.admin("audit", "list", "--json", "--limit", "1")
    return json.loads(r.out)["audit"][0]


def operations(emcli):
    return list(emcli.run("schema").json)


def test_reply_is_one_line_of_json_and_nothing_else(work):
    r = work.run("list", *BOX)
    assert r.rc == 0 and r.err == b""
    assert r.out.endswith(b"\n") and r.out.count(b"\n") == 1
    assert list(r.json) == ["error", "error_detail", "data"]
    assert r.json["error"] is False and r.json["error_detail"] == {}


def test_failed_reply_has_code_and_message_and_no_data(work):
    r = work.run("get", *BOX, "--uid", "999")
    assert r.rc == 1 and r.err == b""
    assert r.json["error"] is True and r.json["data"] == {}
    assert r.json["error_detail"]["code"] == "not_found"
    assert r.json["error_detail"]["message"]


def test_json_flag_goes_with_every_operation(emcli):
    for op in operations(emcli):
        r = emcli.run(op, "--json", "--account", "nobody")
        assert "--json" not in r.json["error_detail"].get("message", ""), op


@pytest.mark.parametrize("argv, part", [
    (["--acc", "work"], "did you mean --account?"),
    (["--acount", "work"], "did you mean --account?"),
    (["--frobnicate"], "unknown option \"--frobnicate\""),
    (["--account"], "--account needs a value"),
    (["--account", "--folder", "INBOX"], "--account needs a value"),
    (["--account", "a", "--account", "b"], "--account is given twice"),
    (["--new", "--new"], "--new is given twice"),
    (["--new=1"], "--new takes no value"),
    (["--new", "yes"], "unexpected word \"yes\": --new takes no value"),
    (["INBOX"], "unexpected word \"INBOX\""),
    (["-a"], "options begin with --"),
    (["--limit", "0", *BOX], "--limit is a number"),
    (["--limit", "501", *BOX], "--limit is a number"),
    (["--limit", "5x", *BOX], "--limit is a number"),
    (["--before", "-1", *BOX], "--before: a uid"),
    (["--before", "", *BOX], "--before is empty"),
])
def test_what_is_not_understood_is_refused(work, argv, part):
    assert part in usage(work.run("list", *argv))


@pytest.fixture
def two(work, site):
    work.account_maildir(site.path, name="home", user="bob", process_backlog=True)
    site.deliver("agent", message(subject="at work"))
    site.deliver("bob", message(subject="at home"))
    return work


def test_of_one_account_and_the_inbox_nothing_need_be_said(work, site):
    site.deliver("agent", message(subject="hello"))
    assert subjects(work.run("list")) == subjects(work.run("search", "--text", "hello")) == \
        ["hello"]
    assert last_audit(work)["account"] == "work" and last_audit(work)["target"] == "INBOX"
    assert work.run("get", "--uid", "1").data["subject"] == "hello"
    assert work.run("ack", "--uid", "1").data["acked"] == [1]
    assert last_audit(work)["target"] == "INBOX 1"
    assert work.run("folders").data["folders"]
    r = work.admin("unack", "--uid", "1")
    assert r.rc == 0 and subjects(work.run("list", "--new")) == ["hello"]
    r = work.admin("whitelist", "in", "add", "@lab.example")
    assert r.rc == 0 and b"--account work" in r.out
    assert last_audit(work)["account"] == "work"


def test_of_several_accounts_none_is_guessed(two):
    assert usage(two.run("list")) == \
        "--account is missing: name one of home, work, or set EMCLI_ACCOUNT"
    r = two.admin("whitelist", "in", "add", "a@lab.example")
    assert r.rc == 2 and b"--account is missing: name one of home, work" in r.err
    two.set_up("agent", "add", "helper", "--account", "home")
    assert subjects(two.run("list", env={"EMCLI_AGENT": "helper"})) == ["at home"]
    r = two.run("list", "--account", "hme")
    assert r.code == "not_found" and "did you mean home?" in r.json["error_detail"]["message"]


def test_emcli_account_chooses_and_widens_nothing(two):
    at = {"EMCLI_ACCOUNT": "work"}
    assert subjects(two.run("list", env=at)) == ["at work"]
    assert last_audit(two)["account"] == "work"
    assert subjects(two.run("list", "--account", "home", env=at)) == ["at home"]
    since = "list-recent-threads", "--since", "2026-01-01"
    assert two.run(*since, env=at).data["resolution"]["override_reason"] == "EMCLI_ACCOUNT"
    # Roles come first; what an agent has not got it does not get; whose rules
    # are changed is the operator's to say, not the environment's.
    two.set_up("source", "set", "home", "--role", "primary")
    assert two.run(*since, env=at).data["resolution"]["backend"] == "home"
    two.set_up("agent", "add", "helper", "--account", "home")
    r = two.run("list", env={**at, "EMCLI_AGENT": "helper"})
    assert r.code == "not_found" and b"work" not in r.out
    assert two.run("list", env={"EMCLI_ACCOUNT": "none"}).code == "not_found"
    r = two.admin("whitelist", "in", "add", "a@lab.example", env=at)
    assert r.rc == 2 and b"--account is missing" in r.err


def test_an_option_is_named_as_it_is_typed(work):
    to = ("send", "--account", "work", "--to", "bob@lab.example", "--body", "b")
    assert usage(work.run(*to, "--reply-to", "x")).startswith("--reply-to: a uid")
    r = work.admin("account", "edit", "work", "--imap-port", "x")
    assert r.rc == 2 and b"emcli: --imap-port is a number" in r.err, str(r)
    # A word that stands for itself has no dashes.
    r = work.admin("account", "remove")
    assert r.rc == 2 and b"emcli: name is missing" in r.err, str(r)


def test_refused_call_is_in_the_audit_log(work):
    work.run("list", "--acount", "work")
    row = last_audit(work)
    assert row["action"] == "list" and row["result"] == "blocked"
    assert row["principal"] == "agent" and row["reason"] == "usage"


def test_unknown_command_is_answered_in_json_and_audited(work):
    r = work.run("lits", *BOX)
    assert "did you mean emcli list?" in usage(r)
    assert last_audit(work)["result"] == "blocked"


def test_unknown_command_without_a_database_is_answered(emcli):
    r = emcli.run("serach", env={"EMCLI_DB": "/nonexistent/db", "EMCLI_KEY": None})
    assert "did you mean emcli search?" in usage(r)


def test_key_must_be_set(work):
    r = work.run("list", *BOX, env={"EMCLI_KEY": None})
    assert r.rc == 1 and r.code == "config"
    assert r.json["error_detail"]["message"] == "EMCLI_KEY is not set"


def test_admin_key_alone_runs_operations(work):
    env = {"EMCLI_KEY": None, "EMCLI_ADMIN_KEY": work.admin_key}
    assert work.run("list", *BOX, env=env).rc == 0


def test_wrong_key_is_a_config_error(work):
    r = work.run("list", *BOX, env={"EMCLI_KEY": "A" * 43 + "="})
    assert r.code == "config" and r.json["data"] == {}


def test_missing_database_is_a_config_error(emcli, tmp_path):
    r = emcli.run("list", *BOX, env={"EMCLI_DB": str(tmp_path / "no" / "db")})
    assert r.code == "config"
    assert str(tmp_path) not in r.json["error_detail"]["message"]


def test_bad_agent_name_is_a_config_error(work):
    r = work.run("list", *BOX, env={"EMCLI_AGENT": "a b"})
    assert r.code == "config"
    assert work.run("version", env={"EMCLI_AGENT": "a b"}).rc == 0


def test_agents_have_names_in_the_audit_log(work):
    work.run("list", *BOX, env={"EMCLI_AGENT": "scout"})
    assert last_audit(work)["principal"] == "scout"


def test_full_disk_behind_stdout_fails(work):
    argv, env = work.command(["list", *BOX], work.environment(EMCLI_KEY=work.agent_key))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(argv, env=env, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert b"standard output" in done.stderr


def test_closed_stdout_fails_and_leaves_the_database_alone(work):
    argv, env = work.command(["list", *BOX], work.environment(EMCLI_KEY=work.agent_key))
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *argv], env=env, stderr=subprocess.PIPE)
    assert done.returncode == 1 and b"standard output" in done.stderr
    assert work.db.read_bytes().startswith(b"SQLite format 3\0")
    assert work.run("list", *BOX).rc == 0


@pytest.mark.parametrize("argv, rc", [
    (("list", *BOX), 0), (("help",), 0), (("schema",), 0),
    (("list", "--account", "none"), 1)])
def test_a_reader_that_has_read_enough_is_no_error(work, argv, rc):
    """emcli list | head: nothing of ours is wrong, and the call is what it was."""
    r, w = os.pipe()
    os.close(r)
    argv, env = work.command(argv, work.environment(EMCLI_KEY=work.agent_key))
    done = subprocess.run(argv, env=env, stdout=w, stderr=subprocess.PIPE)
    os.close(w)
    assert done.returncode == rc and done.stderr == b""


def test_an_export_that_nobody_reads_on_is_no_error(work):
    r, w = os.pipe()
    os.close(r)
    done = subprocess.run([work.binary, "audit", "export"], stdout=w, stderr=subprocess.PIPE,
                          env=work.environment(EMCLI_ADMIN_KEY=work.admin_key))
    os.close(w)
    assert done.returncode == 0 and done.stderr == b""


def at_terminal(emcli, *argv):
    """stdout is a terminal: what a person sees."""
    main, side = pty.openpty()
    argv, env = emcli.command(argv, emcli.environment(EMCLI_KEY=emcli.agent_key))
    done = subprocess.run(argv, env=env, stdout=side, stderr=subprocess.PIPE)
    os.close(side)
    text = b""
    try:
        while chunk := os.read(main, 65536):
            text += chunk
    except OSError:
        pass
    os.close(main)
    return done, text.replace(b"\r\n", b"\n")


def test_doctor_speaks_to_a_person_at_a_terminal(work):
    done, text = at_terminal(work, "doctor")
    assert done.returncode == 0 and not text.startswith(b"{")
    assert b"work" in text
    done, text = at_terminal(work, "doctor", "--json")
    assert json.loads(text)["error"] is False


def test_mcp_says_at_a_terminal_what_it_waits_for(work):
    main, side = pty.openpty()
    os.write(main, b"\x04")
    argv, env = work.command(["mcp"], work.environment(EMCLI_KEY=work.agent_key))
    done = subprocess.run(argv, env=env, stdin=side, capture_output=True, timeout=60)
    os.close(main), os.close(side)
    assert done.returncode == 0 and done.stdout == b""
    assert b"waiting for an MCP client" in done.stderr
    assert b"next: emcli mcp install --client NAME" in done.stderr
    # A host's pipe is told nothing.
    assert work.run("mcp").err == b""


def test_who_is_added_is_told_what_to_do_next(work):
    r = work.admin("agent", "add", "scout")
    assert r.rc == 0 and re.fullmatch(rb"emcli_[0-9a-f]+\n", r.out)
    for part in (b"shown only once", b"EMCLI_AGENT=scout", b"EMCLI_TOKEN",
                 b"emcli mcp --http 127.0.0.1:8765\n",
                 b"emcli mcp install --client NAME --http http://127.0.0.1:8765/mcp\n"):
        assert part in r.err, r.err.decode()


def test_list_is_json_at_a_terminal_too(work):
    done, text = at_terminal(work, "list", *BOX)
    assert json.loads(text)["data"]["messages"] == []


def test_help_names_every_operation_and_needs_no_key(emcli):
    env = {"EMCLI_KEY": None, "EMCLI_DB": None, "HOME": None}
    r = emcli.run("help", env=env)
    assert r.rc == 0
    for op in operations(emcli):
        shown = op.replace("_", "-")
        assert re.search(rf"^  {shown} ", r.out.decode(), re.M), op


def test_help_of_an_operation_is_made_from_its_table(emcli):
    for op, schema in emcli.run("schema").json.items():
        asked = emcli.run(op, "--help").out.decode()
        # A name of two callers has the operator's command after it.
        both = emcli.run("help", op).out.decode()
        assert both == asked or (op == "undo" and both.startswith(asked + "\nWith the admin key:"))
        for name in schema["arguments"]["properties"]:
            positional = any(f"[{x}]" in asked or f" {x} " in asked for x in (name.upper(), "N"))
            assert positional or "--" + name.replace("_", "-") in asked, (op, name)


def test_help_of_operator_commands(emcli):
    assert b"--imap-host" in emcli.run("help", "account", "add").out
    assert b"account remove" in emcli.run("account", "--help").out
    assert emcli.run("help", "nonsense").rc == 2


def test_nothing_asked_is_a_screen_of_help(emcli):
    r = emcli.run()
    lines = r.out.decode().splitlines()
    assert r.rc == 0 and len(lines) <= 24 and max(map(len, lines)) < 80
    assert r.out == emcli.run("-h").out != emcli.run("help").out == emcli.run("--help").out
    said = set(re.findall(r"[a-z-]+", r.out.decode()))
    everything = emcli.run("help").out.decode()
    listed = re.findall(r"^  ([a-z-]+)(?: [a-z-]+)*  +[A-Z]", everything, re.M)
    assert {x for x in listed} - {"help", "version", "schema", "completion", "ask", "skills"} <= said


def test_version(emcli):
    r = emcli.run("--version")
    assert r.rc == 0 and re.fullmatch(rb"emcli \d+\.\d+\.\d+\n", r.out)
    assert emcli.run("-V").out == emcli.run("--version").out == r.out
    assert r.out == emcli.run("version").out


def test_version_says_of_what_it_was_built(emcli):
    said = emcli.run("version", "--json").json
    assert emcli.run("version").out.decode() == f"emcli {said['version']}\n"
    assert said["commit"] is None or re.fullmatch(r"[0-9a-f]{40,64}(-dirty)?", said["commit"])
    assert {"openssl", "sqlite", "libcurl"} < set(said["libraries"])
    assert all(re.match(r"\d+\.\d", v) for v in said["libraries"].values())
    wrong = emcli.run("version", "--yaml")
    assert wrong.rc == 2 and b"--json" in wrong.err


def test_schema_of_one_operation_is_that_of_all(emcli):
    whole = emcli.run("schema").json
    for op, schema in whole.items():
        assert emcli.run("schema", op).json == schema
    assert emcli.run("schema", "nonsense").rc == 2


def test_manual_knows_every_operation(emcli):
    text = emcli.run("manual", "operations").out.decode()
    for op in operations(emcli):
        assert f".Ss {op.replace('_', '-')}\n" in text
    codes = emcli.run("manual", "errors").out.decode()
    assert ".It Sy unknown_outcome\n" in codes
    assert emcli.run("manual", "nonsense").rc == 2


def test_body_from_a_file_and_from_standard_input(emcli, site, tmp_path):
    body = tmp_path / "body.txt"
    body.write_text("from a file\n")
    work = emcli
    work.account_maildir(site.path, attach_dir=tmp_path)
    to = ("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s")
    assert work.run(*to, "--body-file", body).rc == 0
    assert work.run(*to, "--body-file", "body.txt").rc == 0
    assert work.run(*to, "--body-file", "-", stdin="from a pipe\n").rc == 0
    texts = b"".join(site.messages("bob"))
    assert b"from a file" in texts and b"from a pipe" in texts
    (tmp_path / "empty").touch()
    r = work.run(*to, "--body-file", "empty")
    assert r.code == "usage" and "is empty" in r.json["error_detail"]["message"]
    r = work.run(*to, "--body-file", tmp_path / "absent")
    assert r.rc == 1 and str(tmp_path) not in r.json["error_detail"]["message"]
    assert "given twice" in usage(work.run(*to, "--body", "x", "--body-file", body))


def test_no_key_is_ever_printed(work):
    for argv in (["list", *BOX], ["list"], ["help"], ["doctor"], ["lits"]):
        r = work.admin(*argv)
        for key in work.agent_key, work.admin_key:
            assert key.encode() not in r.out + r.err
