# SPDX-License-Identifier: Apache-2.0
"""A proxy before a server of PostgreSQL, at a socket of its own: it is slow, it stalls, and it
kills whoever speaks when it has come so far."""

import os
import select
import signal
import socket
import threading
import time


class Proxy:
    """
    uri             as the server's, by the proxy
    delay           seconds before each answer is passed on
    stall           this answer, counted from 1, is passed on by half, and nothing after it
    refuse          while it is so, new connections get nothing, either
    kill            (n, after, process): SIGKILL at what is sent the n-th time, before or after
                    the server has it
    said, answers   how often the client has spoken, and the server
    """

    def __init__(self, server, folder):
        self.behind = f"{server.folder}/.s.PGSQL.5432"
        self.uri = server.uri.replace(f"host={server.folder}", f"host={folder}")
        self.delay, self.stall, self.refuse, self.kill = 0, None, False, None
        self.said = self.answers = 0
        self.stalled = threading.Event()
        self.lock = threading.Lock()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{folder}/.s.PGSQL.5432")
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.between, args=(here,), daemon=True).start()

    def stop(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def between(self, here):
        if self.refuse:
            while here.recv(1 << 16):
                pass
            return
        with here, socket.socket(socket.AF_UNIX) as there:
            there.connect(self.behind)
            try:
                while self.once(here, there):
                    pass
            except OSError:
                pass

    def once(self, here, there):
        for s in select.select([here, there], [], [], 120)[0]:
            part = s.recv(1 << 16)
            if not part:
                return False
            if s is here:
                self.from_client(there, part)
            elif not self.from_server(here, part):
                return False
        return True

    def from_client(self, there, part):
        with self.lock:
            self.said += 1
            kill = self.kill if self.kill and self.said == self.kill[0] else None
        if kill and not kill[1]:
            os.kill(kill[2].pid, signal.SIGKILL)
            kill[2].wait()
        else:
            there.sendall(part)
        if kill and kill[1]:
            time.sleep(0.02)  # the server is about it, or is done
            os.kill(kill[2].pid, signal.SIGKILL)

    def from_server(self, here, part):
        """False: the rest of this connection is silence."""
        with self.lock:
            self.answers += 1
            stalls = self.stall == self.answers
        time.sleep(self.delay)
        here.sendall(part[:len(part) // 2] if stalls else part)
        if stalls:
            self.stalled.set()
            while here.recv(1 << 16):
                pass
        return not stalls
