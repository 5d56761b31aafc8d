#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The static program against the shared one, in turn: what a start costs.

    make && make STATIC=1 && bench/static.py

First byte: from the start of the process to the first byte of its TLS handshake.
CPU: user and system time of the whole process, which varies less on a busy machine.
"""
import argparse
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

import cli  # noqa: E402


def run(argv, env):
    """Wall-clock and CPU time of one process, in milliseconds."""
    t = time.monotonic()
    pid = os.posix_spawn(argv[0], argv, env, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    _, _, used = os.wait4(pid, 0)
    return (time.monotonic() - t) * 1000, (used.ru_utime + used.ru_stime) * 1000


def first_byte(argv, env, listener):
    """To the first byte; the server then says no more."""
    t = time.monotonic()
    p = subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peer, _ = listener.accept()
    assert peer.recv(1)
    took = (time.monotonic() - t) * 1000
    peer.close()
    p.wait()
    return took


def say(what, name, times):
    print(f"{what:28} {name:12} median {statistics.median(times):6.2f} ms, fastest {min(times):6.2f} ms",
          flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--runs", type=int, default=201)
    o = p.parse_args()
    programs = {"shared": str(ROOT / "build/emcli"), "static": str(ROOT / "build-static/emcli")}
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        empty = f"{folder}/empty"
        subprocess.run(["gcc", "-O2", "-static-pie", "-s", "-x", "c", "-o", empty, "-"],
                       input=b"int main(void) { return 0; }", check=True)
        for name, path in programs.items():
            print(f"{name}: {os.stat(path).st_size / 1e6:.2f} MB")
        e = cli.Emcli(f"{folder}/store")
        e.init()
        port = listener.getsockname()[1]
        e.set_up("account", "add", "first", "--password-stdin", "--backend", "imap", "--mode", "RO",
                 "--from", "a@lab.example", "--username", "a", "--imap-host", "127.0.0.1",
                 "--imap-port", port, "--imap-security", "tls", stdin="secret")
        env = e.environment(EMCLI_KEY=e.agent_key)
        listed = ["list", "--account", "first", "--folder", "INBOX"]
        wall, cpu, byte = ({name: [] for name in (*programs, "empty")} for _ in range(3))
        for _ in range(o.runs):
            for name, path in (*programs.items(), ("empty", empty)):
                took = run([path, "version"], env)
                wall[name].append(took[0])
                cpu[name].append(took[1])
                if name != "empty":
                    byte[name].append(first_byte([path, *listed], env, listener))
        for name in wall:
            say("version", name, wall[name])
        for name in cpu:
            say("version, CPU", name, cpu[name])
        for name in programs:
            say("start to first byte", name, byte[name])
    print("load", os.getloadavg()[0], "on", os.cpu_count(), "processors")


if __name__ == "__main__":
    sys.exit(main())
