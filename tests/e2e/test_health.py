# SPDX-License-Identifier: Apache-2.0
"""`emcli health`: what a supervisor asks, which holds no key."""

import os
import signal
import subprocess
import tempfile

import pytest

import cli
from test_broker import A, House
from test_gateway import GatewayDesk
from test_session import until

NO_KEY = {"EMCLI_KEY": None, "EMCLI_ADMIN_KEY": None, "EMCLI_SOCKET": None}


def looks(emcli, *argv, **env):
    """{check: said}, of one that failed what to do next, and the exit status."""
    r = emcli.run("health", "--json", *argv, env={**NO_KEY, **env})
    checks = r.json["checks"]
    assert r.json["ok"] == all(c["ok"] for c in checks) == (r.rc == 0), str(r)
    assert all(c["next"] for c in checks if not c["ok"])
    return {c["check"]: c["say"] if c["ok"] else c["next"] for c in checks}, r.rc


def test_a_store_is_looked_at_without_a_key(tmp_path):
    emcli = cli.Emcli(tmp_path / "emcli")
    said, rc = looks(emcli)
    assert rc == 1 and set(said) == {"store"} and "emcli init" in said["store"]
    emcli.init()
    said, rc = looks(emcli)
    assert rc == 0 and set(said) == {"store", "disk"} and "MiB" in said["disk"]
    before = emcli.db.read_bytes()
    shown = emcli.run("health", env=NO_KEY)
    assert shown.rc == 0 and shown.out.startswith(b"ok    store: ")
    assert emcli.db.read_bytes() == before
    emcli.db.chmod(0o666)
    said, rc = looks(emcli)
    assert rc == 1 and "chmod 600" in said["store"]
    emcli.db.chmod(0o600)
    emcli.db.write_bytes(b"no database" * 1000)
    assert looks(emcli)[1] == 1


@pytest.mark.skipif(os.getuid() != 0, reason="mounts, or is several users")
def test_a_disk_that_is_nearly_full(tmp_path):
    emcli = cli.Emcli(tmp_path / "emcli")
    emcli.db.parent.mkdir(mode=0o700, exist_ok=True)
    script = ('mount -t tmpfs -o size=16m none "$1" && "$2" init >/dev/null && '
              'env -u EMCLI_KEY -u EMCLI_ADMIN_KEY "$2" health')
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", emcli.db.parent, emcli.binary],
                          env=emcli.environment(EMCLI_KEY=emcli.agent_key,
                                                EMCLI_ADMIN_KEY=emcli.admin_key),
                          capture_output=True, timeout=60)
    assert done.returncode == 1 and b"ok    store" in done.stdout, done.stderr
    assert b"FAULT disk: only " in done.stdout and b"make room" in done.stdout


@pytest.mark.skipif(os.getuid() != 0, reason="mounts, or is several users")
def test_a_broker_that_answers_and_one_that_has_gone():
    # pytest's own folders are root's alone.
    with tempfile.TemporaryDirectory(prefix="emcli-health-") as folder:
        os.chmod(folder, 0o755)
        a_broker(House(folder))


def a_broker(house):
    house.init()
    house.run_dir.mkdir()
    (house.folder / "site").mkdir()
    house.own()
    house.serve()

    def agent():
        return house.call(["health", "--json"], house.agent_env(), None, 60, uid=A)

    try:
        got = agent()
        assert got.rc == 0 and [c["check"] for c in got.json["checks"]] == ["broker"], str(got)
        got = house.call(["health", "--json", "--socket", house.socket],
                         house.environment(EMCLI_KEY=None), None, 60)
        assert got.rc == 0
        assert [c["check"] for c in got.json["checks"]] == ["store", "disk", "broker"]
    finally:
        house.stop()
    got = agent()
    assert got.rc == 1 and got.json["checks"][0]["ok"] is False and got.json["checks"][0]["next"]


def test_a_gateway_that_was_started_must_answer(tmp_path):
    desk = GatewayDesk(tmp_path)
    try:
        at = {"HOUMAO_GLOBAL_RUNTIME_DIR": str(desk.root)}
        session = desk.start(desk.home("writer"))
        said, rc = looks(desk.emcli, **at)
        assert rc == 0 and session["session_id"] in said["gateway"]
        pid = session["gateway"]["pid"]
        os.kill(pid, signal.SIGKILL)
        until(lambda: looks(desk.emcli, **at)[1] == 1)
        assert "gateway start" in looks(desk.emcli, **at)[0]["gateway"]
        # One that was stopped, or has no session any more, is not missed.
        desk.good("session", "stop", session["session_id"])
        assert looks(desk.emcli, **at)[1] == 0
    finally:
        desk.end()
