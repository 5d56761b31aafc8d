"""What others wrote holds emcli mcp and its skills to the rules: the protocol's own
inspector, client and conformance suite, and the skills' validator.  All come from
npm/package.json; one that cannot be installed is a failure."""

import json
import subprocess

import pytest

import cli
from mail import message
from oauthlab import node, npm  # noqa: F401  (a fixture)

MAIL_READ = ["list", "get", "search", "ack", "folders"]
CONTROL = ["list_skills", "load_skill", "unload_skill", "read_skill_resource"]


@pytest.fixture
def work(emcli, site):
    site.deliver("agent", message(subject="one"))
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


def agent(emcli):
    return emcli.environment(EMCLI_KEY=emcli.agent_key)


def run(npm, argv, env, timeout=120):
    r = subprocess.run([node(), *map(str, argv)], cwd=npm, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    for report in b"AddressSanitizer", b"runtime error:":
        assert report not in r.stderr, r.stderr.decode(errors="replace")
    return r


# -- the SDK's client


def test_the_sdk_client_has_a_whole_session(npm, work):
    r = run(npm, ["mcp.mjs", "stdio", work.binary, "mcp"], agent(work))
    assert r.returncode == 0, r.stderr.decode(errors="replace")[-3000:]
    got = json.loads(r.stdout)
    assert got["server"]["name"] == "emcli" and "load_skill" in got["instructions"]
    assert not set(MAIL_READ) & set(got["before"]) and set(CONTROL) <= set(got["before"])
    assert got["refused"]["isError"] is True
    detail = got["refused"]["structuredContent"]["error_detail"]
    assert detail["fix"] == {"tool": "load_skill", "arguments": {"skill": "mail-read"}}
    assert got["changed"] is True
    assert set(MAIL_READ) <= set(got["after"])
    rows = got["rows"]["structuredContent"]["data"]["messages"]
    assert [m["subject"] for m in rows] == ["one"] and got["rows"]["isError"] is False
    assert got["resources"][0].startswith("skill://") and got["text"].startswith("---\n")
    assert got["unknown"] == -32602


# -- the inspector


def inspect(npm, emcli, method, *more):
    r = run(npm, ["node_modules/.bin/mcp-inspector-cli", "--cli", emcli.binary, "mcp",
                  "--method", method, *more], agent(emcli))
    assert r.returncode == 0, (r.stdout + r.stderr).decode(errors="replace")[-3000:]
    return json.loads(r.stdout)


def test_the_inspector_reads_what_there_is(npm, work):
    tools = {t["name"]: t for t in inspect(npm, work, "tools/list")["tools"]}
    assert set(CONTROL) <= set(tools) and "get" not in tools
    loaded = inspect(npm, work, "tools/call", "--tool-name", "load_skill",
                     "--tool-arg", "skill=mail-read")
    assert loaded["structuredContent"]["data"]["status"] == "loaded"
    # Another process is another session: its lease is none here.
    lease = loaded["structuredContent"]["data"]["lease"]
    refused = inspect(npm, work, "tools/call", "--tool-name", "list", "--tool-arg",
                      "account=work", "folder=INBOX", f"lease={lease}")
    assert refused["isError"] is True
    assert refused["structuredContent"]["error_detail"]["code"] == "skill"
    uris = [r["uri"] for r in inspect(npm, work, "resources/list")["resources"]]
    assert "skill://mail-read/SKILL.md" in uris
    text = inspect(npm, work, "resources/read", "--uri", uris[0])["contents"][0]["text"]
    assert text.startswith("---\nname: mail-read\n")


# -- the validator of skills


def test_our_skills_are_valid_to_the_reference(npm, emcli, tmp_path):
    out = tmp_path / "skills"
    assert emcli.admin("skill", "export", out).rc == 0
    folders = sorted(p for p in out.iterdir())
    assert [p.name for p in folders] == ["mail-read", "mail-send", "mail-triage"]
    for folder in [*folders, *sorted((cli.ROOT / "skills").iterdir())]:
        r = run(npm, ["node_modules/.bin/skills-ref", "validate", folder], agent(emcli))
        assert r.returncode == 0, (folder, r.stdout, r.stderr)
    # It can say no, and so does ours of the same.
    bad = tmp_path / "Bad-Name"
    bad.mkdir()
    (bad / "SKILL.md").write_text("---\nname: Bad-Name\ndescription: d\n---\nbody\n")
    assert run(npm, ["node_modules/.bin/skills-ref", "validate", bad],
               agent(emcli)).returncode != 0
    assert emcli.admin("skill", "validate", bad).rc != 0
