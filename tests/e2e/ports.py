"""Ports and processes of the laboratory: found free, waited for, ended by pid."""

import os
import signal
import socket
import time


def free(n):
    """n different ports that nobody listens on, on any loopback address."""
    held = []
    try:
        for _ in range(n):
            s = socket.socket()
            held.append(s)
            s.bind(("", 0))
        return [s.getsockname()[1] for s in held]
    finally:
        for s in held:
            s.close()


def wait(port, seconds=15, host="127.0.0.1", log=None):
    """Returns when the port answers; fails with the end of the server's log."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection((host, port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    tail = ""
    if log is not None and os.path.exists(log):
        with open(log, errors="replace") as f:
            tail = f.read()[-2000:]
    raise RuntimeError(f"port {port} did not open in {seconds} s\n{tail}")


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
