# SPDX-License-Identifier: Apache-2.0
"""Ports and processes of the laboratory: found free, waited for, ended by pid."""

import os
import random
import signal
import socket
import time


def range_of_ours():
    """
    Below those the kernel gives to clients, one of which could have it before
    the server that was meant, and where no other worker looks.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    first = 10000 + worker % 20 * 1000
    return range(first, first + 1000)


def is_free(port):
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            s.bind(("", port))
        except OSError:
            return False
    return True


def free(n):
    """n ports in a row that nobody listens on, on any loopback address."""
    ours = range_of_ours()
    for _ in range(1000):
        first = random.randrange(ours.start, ours.stop - n)
        if all(is_free(port) for port in range(first, first + n)):
            return list(range(first, first + n))
    raise RuntimeError(f"no {n} free ports in {ours}")


def wait(port, seconds=60, host="127.0.0.1", log=None, process=None):
    """Returns when the port answers; fails with the end of the server's log,
    at once when the process has ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and (process is None or process.poll() is None):
        try:
            socket.create_connection((host, port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    tail = ""
    if log is not None and os.path.exists(log):
        with open(log, errors="replace") as f:
            tail = f.read()[-2000:]
    raise RuntimeError(f"port {port} did not open\n{tail}")


def alive(pid):
    """Running, and no zombie: the dead may wait long for their parent."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def stop(pid, seconds=8):
    """Ends one process: asked first, then not."""
    for sig in signal.SIGTERM, signal.SIGKILL:
        try:
            os.kill(pid, sig)
        except ProcessLookupError:
            return
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not alive(pid):
                return
            time.sleep(0.02)
