# SPDX-License-Identifier: Apache-2.0
"""Skills: what is listed and loaded, and no call without a live grant."""
import hashlib
import json
import re
import sqlite3

import pytest

import level
from cli import skill_ops
from mail import message

BOX = ("--account", "work", "--folder", "INBOX")
SHA = re.compile(r"sha256:[0-9a-f]{64}$")


@pytest.fixture
def work(emcli, site):
    site.deliver("agent", message(subject="one"))
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


@pytest.fixture
def strict(work):
    setting(work, "skills", "grant")
    return work


def setting(emcli, key, value):
    r = emcli.admin("config", "set", key, value)
    assert r.rc == 0, str(r)


def load(emcli, skill="mail-read", *more, **kw):
    return emcli.run("load-skill", "--skill", skill, *more, **kw).data


def sql(emcli, text, *values):
    db = sqlite3.connect(emcli.db)
    with db:
        got = db.execute(text, values).fetchall()
    db.close()
    return got


def rows(emcli, *more):
    r = emcli.admin("audit", "list", "--json", *more)
    assert r.rc == 0, str(r)
    return [{**row, "detail": level.plain(row["detail"])} for row in json.loads(r.out)["audit"]]


# -- what is there


def test_the_list_is_short_and_tells_what_is_active(work):
    before = work.run("list-skills").data
    assert list(before) == ["status", "scope", "skills", "usage"]
    assert (before["status"], before["scope"]) == ("ok", "lease")
    assert [s["id"] for s in before["skills"]] == ["mail", "mail-read", "mail-send",
                                                   "mail-triage"]
    assert [s["active"] for s in before["skills"]] == [False] * 4
    load(work)
    after = work.run("list-skills").data
    assert [s["active"] for s in after["skills"]] == [False, True, False, False]
    assert before["skills"][1]["tools"] == 6
    assert before["skills"][0]["description"].startswith("Use this skill when ")


def ids(emcli):
    return [s["id"] for s in emcli.run("list-skills").data["skills"]]


def test_what_may_not_be_loaded_is_not_there(emcli, site):
    assert ids(emcli) == []
    emcli.account_maildir(site.path, mode="RO")
    assert ids(emcli) == ["mail", "mail-read", "mail-triage"]
    denied = emcli.run("load-skill", "--skill", "mail-send")
    unknown = emcli.run("load-skill", "--skill", "no-such")
    for r, name in (denied, "mail-send"), (unknown, "no-such"):
        assert r.json["error_detail"] == {
            "code": "not_found", "message": "no such skill",
            "reason": "unknown_skill", "next": "load one of available_skills",
            "available_skills": ["mail-read", "mail-triage"],
            "requested_skill": name}
    # The whole one is its parts, as far as they may be loaded.
    parts = [t for s in ("mail-read", "mail-triage") for t in load(emcli, s)["tools"]]
    assert load(emcli, "mail")["tools"] == parts and "send" not in parts


@pytest.mark.parametrize("name", ["mail-read", "Mail-Read", "mail_read", " MAIL read ",
                                  "mail.read"])
def test_a_name_is_normalised(work, name):
    assert load(work, name)["skill"] == "mail-read"


@pytest.mark.parametrize("name", ["", "m", "mail-reader", "mail-read" * 20, "-mail-read",
                                  "mail-read/SKILL", "../../etc/passwd", "\u043cail-read"])
def test_and_nothing_else_is_one(work, name):
    assert work.run("load-skill", "--skill=" + name).code == "not_found"


def test_load_gives_instructions_once(work):
    first = load(work)
    assert list(first) == ["status", "scope", "skill", "label", "lease", "expires_at",
                           "idle_seconds", "ends", "tools", "accounts", "instructions", "resources",
                           "digest"]
    assert (first["status"], first["scope"], first["idle_seconds"]) == ("loaded", "lease", 300)
    order = list(json.loads(work.run("schema").out))
    assert first["tools"] == [op for op in order if op in first["tools"]]
    assert {"list", "get"} <= set(first["tools"]) and "send" not in first["tools"]
    text = first["instructions"]
    assert text.startswith('<skill_content name="mail-read">\n# ')
    assert text.endswith("<skill_resources>\n<file>references/commands.md</file>\n"
                         "<file>references/warnings.md</file>\n"
                         "</skill_resources>\n</skill_content>")
    assert "<!--" not in text and "\n---" not in text and len(text) < 20000
    assert SHA.match(first["digest"])
    again = load(work)
    assert again["status"] == "already_active" and "instructions" not in again
    assert again["lease"] == first["lease"] and again["expires_at"] == first["expires_at"]
    assert load(work, "mail-read", "--again")["instructions"] == text
    assert len(sql(work, "SELECT * FROM skill_grant")) == 1


def test_load_tells_which_accounts_there_are(work, site):
    site.box("press")
    work.account_maildir(site.path, name="press", mode="RO", **{"from": "press@lab.example"})
    both = [{"name": "press", "address": "press@lab.example", "sends": False},
            {"name": "work", "address": "agent@lab.example", "sends": True}]
    assert sorted(load(work)["accounts"], key=lambda a: a["name"]) == both
    # An agent of its own hears of what it may use, and of nothing else.
    assert work.admin("agent", "add", "scout", "--account", "press").rc == 0
    assert load(work, env={"EMCLI_AGENT": "scout"})["accounts"] == both[:1]


def test_instructions_name_each_operation_and_code(work):
    schema = json.loads(work.run("schema").out)
    for skill in "mail-read", "mail-send", "mail":
        got = load(work, skill)
        for tool in got["tools"]:
            args = schema[tool]["arguments"]
            line = re.search(r"- `%s\((.*)\)`: " % tool, got["instructions"])
            names = line.group(1).split(", ") if line.group(1) else []
            # Every operation takes a lease, which the text says once.
            assert "Each takes a `lease` too" in got["instructions"]
            assert [n.rstrip("?") for n in names] == [n for n in args["properties"] if n != "lease"]
            assert [n for n in names if not n.endswith("?")] == args["required"]
    text = load(work, "mail-read", "--again")["instructions"]
    codes = schema["list"]["reply"]["oneOf"][1]["properties"]["error_detail"]
    for code in codes["properties"]["code"]["enum"]:
        assert "| `%s` |" % code in text


def test_resources_are_what_is_listed_and_nothing_else(work):
    got = load(work)
    for path in got["resources"]:
        r = work.run("read-skill-resource", "--skill", "mail-read", "--path", path).data
        digest = "sha256:" + hashlib.sha256(r["text"].encode()).hexdigest()
        assert r["digest"] == digest and r["path"] == path and "<!--" not in r["text"]
    for path in ("../mail-send/SKILL.md", "SKILL.md", "/etc/passwd", "references",
                 "references/../references/warnings.md", "references//warnings.md",
                 "./references/warnings.md", "references/warnings.md/", ""):
        r = work.run("read-skill-resource", "--skill", "mail-read", "--path", path)
        assert r.code == "not_found", path


# -- no call without a live grant


def refused(r, reason="skill_not_active", skill="mail-read"):
    d = r.json["error_detail"]
    assert r.rc == 1 and r.json["data"] == {}
    assert d["code"] == "skill" and d["reason"] == reason
    assert d["skill"] == skill and d["available_skills"] == ["mail-read", "mail-send", "mail-triage"]
    assert d["fix"] == {"tool": "load_skill", "arguments": {"skill": skill}}
    return d


def no_lease(work):
    return None, "skill_not_active", "no lease"


def made_up(work):
    load(work)
    return "lease-" + "0" * 32, "skill_not_active", "no such lease"


def altered(work):
    lease = load(work)["lease"]
    return lease[:-1] + ("0" if lease[-1] != "0" else "1"), "skill_not_active", "no such lease"


def its_hash(work):
    load(work)
    return (sql(work, "SELECT hash FROM skill_grant")[0][0], "skill_not_active",
            "no such lease")


def anothers(work):
    return (load(work, env={"EMCLI_AGENT": "scout"})["lease"], "skill_not_active",
            "another's")


def another_skills(work):
    return load(work, "mail-send")["lease"], "skill_not_active", "of another skill"


def unloaded(work):
    lease = load(work)["lease"]
    assert work.run("unload-skill", "--skill", "mail-read").data == {
        "status": "unloaded", "skill": "mail-read"}
    return lease, "skill_not_active", "unloaded"


def expired(work):
    lease = load(work)["lease"]
    sql(work, "UPDATE skill_grant SET expires_ms = issued_ms")
    return lease, "skill_expired", "expired"


def idle(work):
    setting(work, "skill_idle_seconds", "1")
    lease = load(work)["lease"]
    sql(work, "UPDATE skill_grant SET used_ms = used_ms - 1000")
    return lease, "skill_expired", "idle"


def used_up(work):
    setting(work, "skill_uses", "2")
    lease = load(work)["lease"]
    for _ in range(2):
        assert work.run("list", *BOX, "--lease", lease).rc == 0
    return lease, "skill_expired", "spent"


def changed(work):
    lease = load(work)["lease"]
    sql(work, "UPDATE skill_grant SET digest = 'sha256:' || hex(zeroblob(32))")
    return lease, "skill_expired", "changed"


def a_clock_put_back(work):
    lease = load(work)["lease"]
    sql(work, "UPDATE skill_grant SET issued_ms = issued_ms + 3600000,"
        " used_ms = used_ms + 3600000, expires_ms = expires_ms + 3600000")
    return lease, "skill_expired", "expired"


def another_conversation(work):
    lease = load(work)["lease"]
    sql(work, "UPDATE skill_grant SET conversation = 'c'")
    return lease, "skill_not_active", "another's"


def another_turn(work):
    lease = load(work)["lease"]
    sql(work, "UPDATE skill_grant SET turn = 't'")
    return lease, "skill_expired", "turn"


def a_newer_account(work):
    lease = load(work)["lease"]
    sql(work, "UPDATE skill_grant SET accounts = ' 99 '")
    return lease, "skill_not_active", "the account was not there yet"


def replaced(work):
    lease = load(work)["lease"]
    sql(work, "UPDATE skill_grant SET ops = ' list '")
    assert load(work)["lease"] != lease
    return lease, "skill_not_active", "replaced"


WITHOUT = [no_lease, made_up, altered, its_hash, anothers, another_skills, unloaded, expired,
           idle, used_up, changed, a_clock_put_back, another_conversation, another_turn,
           a_newer_account, replaced]


@pytest.mark.parametrize("how", WITHOUT, ids=lambda f: f.__name__)
def test_no_call_without_a_live_grant(strict, how):
    lease, reason, why = how(strict)
    argv = ("ack", *BOX, "--uid", "1")
    more = ("--lease", lease) if lease else ()
    before = sql(strict, "SELECT count(*) FROM acked")
    refused(strict.run(*argv, *more), reason)
    row = rows(strict, "--action", "ack")[0]
    assert (row["result"], row["outcome"]) == ("blocked", "skill")
    assert row["reason"] == reason and row["detail"] == "no grant: " + why
    assert sql(strict, "SELECT count(*) FROM acked") == before
    # What the refusal says mends it.
    assert strict.run(*argv, "--lease", load(strict)["lease"]).rc == 0


def test_operations_without_a_skill_are_always_there(strict):
    for argv in ("doctor",), ("list-skills",), ("unload-skill", "--skill", "mail-read"):
        assert strict.run(*argv).json["error_detail"].get("code") != "skill"


def test_always_is_the_default_but_a_lease_that_is_given_counts(work):
    assert work.run("list", *BOX).rc == 0
    refused(work.run("list", *BOX, "--lease", "x"))
    setting(work, "skills", "grant")
    refused(work.run("list", *BOX))
    setting(work, "skills", "always")
    assert work.run("list", *BOX).rc == 0
    assert work.admin("config", "set", "skills", "never").rc == 2


def test_policy_comes_first(strict, site):
    strict.account_maildir(site.path, name="ro", mode="RO")
    r = strict.run("send", "--account", "ro", "--to", "a@lab.example", "--subject", "s",
                   "--body", "b")
    assert r.code == "policy" and r.json["error_detail"]["reason"] == "ro_mode"


def test_a_lease_lasts_while_it_is_used(strict):
    lease = load(strict)["lease"]
    was = sql(strict, "SELECT used_ms FROM skill_grant")
    sql(strict, "UPDATE skill_grant SET used_ms = used_ms - 299000")
    assert strict.run("list", *BOX, "--lease", lease).rc == 0
    assert sql(strict, "SELECT used_ms FROM skill_grant") >= was
    refused_call = ("list", *BOX, "--lease", load(strict, env={"EMCLI_AGENT": "b"})["lease"])
    refused(strict.run(*refused_call))


def test_the_store_alone_gives_no_lease(strict):
    lease = load(strict)["lease"]
    assert lease.encode() not in strict.db.read_bytes()
    assert all(lease not in str(r) for r in rows(strict))


# -- what is written down


def test_each_event_is_a_row(strict):
    strict.run("list-skills")
    lease = load(strict)["lease"]
    load(strict)
    strict.run("load-skill", "--skill", "none")
    strict.run("list", *BOX, "--lease", lease)
    strict.run("list", *BOX)
    strict.run("unload-skill", "--skill", "mail-read")
    load(strict)
    sql(strict, "UPDATE skill_grant SET expires_ms = 0")
    strict.run("list-skills")
    strict.run("list-skills")
    got = [(r["action"], r["result"], r["reason"], r["outcome"])
           for r in reversed(rows(strict))][-10:]
    assert got == [
        ("load_skill", "allowed", "", "ok"),
        ("load_skill", "allowed", "", "ok"),
        ("load_skill", "blocked", "unknown_skill", "not_found"),
        ("list", "allowed", "", "ok"),
        ("list", "blocked", "skill_not_active", "skill"),
        ("unload_skill", "allowed", "", "ok"),
        ("load_skill", "allowed", "", "ok"),
        # Within the list that notices it, and once.
        ("list_skills", "allowed", "", "ok"),
        ("expire_skill", "allowed", "", "ok"),
        ("list_skills", "allowed", "", "ok"),
    ]
    said = {r["action"]: r for r in reversed(rows(strict))}
    assert re.match(r"grant 2: mail-read sha256:\w{64}, loaded$", said["load_skill"]["detail"])
    assert said["expire_skill"]["target"] == "mail-read grant 2"
    assert said["expire_skill"]["detail"] == "expired"
    ran = [r for r in rows(strict, "--action", "list") if r["result"] == "allowed"]
    assert ran[0]["detail"].startswith("grant 1: mail-read sha256:")
    assert strict.admin("audit", "verify").rc == 0


def at_once(emcli, argvs):
    env = emcli.environment(EMCLI_KEY=emcli.agent_key)
    runs = [emcli.start(argv, env) for argv in argvs]
    return [json.loads(p.communicate(timeout=60)[0]) for p in runs]


def test_many_that_load_at_once_get_one_grant(strict):
    got = at_once(strict, [("load-skill", "--skill", "mail-read")] * 16)
    assert not any(r["error"] for r in got), got
    assert len({r["data"]["lease"] for r in got}) == 1
    assert [r["data"]["status"] for r in got].count("loaded") == 1
    assert sql(strict, "SELECT count(*) FROM skill_grant") == [(1,)]


def test_no_more_calls_at_once_than_there_are_uses(strict):
    setting(strict, "skill_uses", "5")
    lease = load(strict)["lease"]
    got = at_once(strict, [("list", *BOX, "--lease", lease)] * 12)
    assert [r["error"] for r in got].count(False) == 5
    assert {r["error_detail"].get("reason") for r in got} == {None, "skill_expired"}


# -- the operator's commands


def test_export_is_what_is_served_and_valid(work, tmp_path):
    out = tmp_path / "skills"
    assert work.admin("skill", "export", out).out == b"11 files written, 0 existed already\n"
    for skill in "mail-read", "mail-send":
        text = (out / skill / "SKILL.md").read_bytes()
        assert "sha256:" + hashlib.sha256(text).hexdigest() == load(work, skill)["digest"]
        assert work.admin("skill", "show", skill).out == text and b"<!--" not in text
        body = load(work, skill, "--again")["instructions"].split("\n", 1)[1]
        assert body.split("\n\n<skill_resources>")[0].encode() in text
        assert (out / skill / "SKILL.md").stat().st_mode & 0o777 == 0o644
    r = work.admin("skill", "validate", out / "mail-read", f"{out}/mail-send/")
    assert r.rc == 0 and r.out.count(b": ok\n") == 2
    again = json.loads(work.admin("skill", "export", out, "--json").out)
    assert again == {"written": 0, "unchanged": 11}
    r = work.admin("skill", "validate", out / "mail-read", tmp_path, "--json")
    good, bad = json.loads(r.out)["folders"]
    assert good == {"folder": str(out / "mail-read"), "ok": True, "why": None}
    assert r.rc == 2 and (bad["ok"], bad["why"]) == (False, "there is no readable SKILL.md")


COMMANDS = {skill: [op.replace("_", "-") for op in skill_ops(skill)]
            for skill in ("mail-read", "mail-send", "mail-triage")}


def test_export_names_the_commands_for_a_shell(work, tmp_path):
    out = tmp_path / "skills"
    work.admin("skill", "export", out)
    every = [c for v in COMMANDS.values() for c in v]
    for skill, wanted in {**COMMANDS, "mail": every}.items():
        text = (out / skill / "SKILL.md").read_text()
        assert f"`emcli load-skill --skill {skill}`" in text
        assert "`references/commands.md`" in text
        lines = (out / skill / "references/commands.md").read_text().partition("```sh\n")[2]
        lines = [line.split() for line in lines.partition("```")[0].splitlines()]
        assert lines[0] == ["emcli", "load-skill", "--skill", skill]
        assert set(wanted) <= {line[1] for line in lines}
        # Each is one that there is, with its options as its help has them.
        for line in lines[1:]:
            help = " ".join(work.run(line[1], "--help").out.decode().split())
            for word in line:
                if word.startswith(("--", "[--")):
                    assert word.strip("[]") in help, line
            assert line[-2:] == ["--lease", "LEASE"]
    # What an agent would do with nothing but a shell.
    lease = load(work, "mail-read")["lease"]
    assert work.run("list", "--new", "--lease", lease).json["error"] is False


def test_export_writes_over_nothing_that_was_changed(work, tmp_path):
    out = tmp_path / "skills"
    work.admin("skill", "export", out)
    mine = out / "mail-send" / "SKILL.md"
    theirs = out / "mail-read" / "SKILL.md"
    mine.write_text("mine")
    theirs.unlink()
    r = work.admin("skill", "export", out)
    assert r.rc == 1 and b"--force" in r.err
    assert mine.read_text() == "mine" and not theirs.exists()
    assert work.admin("skill", "export", out, "--force").rc == 0
    assert mine.read_bytes() == work.admin("skill", "show", "mail-send").out
    assert theirs.exists()
    mine.unlink()
    mine.symlink_to(tmp_path / "elsewhere")
    assert work.admin("skill", "export", out, "--force").rc == 1
    assert not (tmp_path / "elsewhere").exists()


def test_validate_says_what_is_wrong(work, tmp_path):
    for name, text, said in [
            ("good", "---\nname: good\ndescription: d\n---\nbody\n", b"ok"),
            ("other", "---\nname: good\ndescription: d\n---\nbody\n",
             b"line 2: the name must be the folder's"),
            ("field", "---\nname: field\ndescription: d\ncolour: red\n---\nb\n",
             b"line 4: unknown field")]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(text)
        r = work.admin("skill", "validate", tmp_path / name)
        assert r.out == str(tmp_path / name).encode() + b": " + said + b"\n"
        assert (r.rc == 0) == (name == "good")


def test_cost_says_what_hiding_saves(work):
    cost = json.loads(work.admin("skill", "cost", "--json").out)
    assert cost["tokens_are"] == "bytes divided by four"
    rows_ = {r["what"]: r for r in cost["cost"]}
    assert all(r["tokens"] == (r["bytes"] + 3) // 4 for r in cost["cost"])
    everything = rows_["without skills: all tools"]
    hidden = rows_["with skills, none loaded"]
    assert everything["tools"] == len(json.loads(work.run("schema").out))
    assert hidden["bytes"] < everything["bytes"] / 3
    texts = json.loads(work.admin("skill", "list", "--json").out)["skills"]
    assert [s["name"] for s in texts] == ["mail", "mail-organize", "mail-read", "mail-send",
                                          "mail-triage"]
    # What a skill adds to the tools is its text, and that is what its row says.
    table = work.admin("skill", "list").out.decode()
    assert all(re.search(rf"^{s['name']} .* emcli +{s['tokens']} ", table, re.M) for s in texts)
    assert all(0 < s["tokens"] <= s["bytes"] / 4 for s in texts)
    # A model is to have room left: 5000 tokens at the very most, and of a part less.
    assert all(s["bytes"] / 4 < (2300 if s["name"] == "mail" else 1600) for s in texts)
