# SPDX-License-Identifier: Apache-2.0
"""A server of PostgreSQL and a replica that has all that the first has answered."""

import os
import pathlib
import signal
import subprocess

from postgres import ROOT


def children(pid):
    return [int(n) for n in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Pair:
    def __init__(self):
        self.process = subprocess.Popen(
            [ROOT / "tests/fake/postgres", ROOT / "tests/fake/postgres-replica", "sh", "-c",
             'echo "$EMCLI_TEST_POSTGRES"; echo "$EMCLI_TEST_POSTGRES_PID"; exec cat'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PGCONNECTIONS": "400"})
        self.uri = self.process.stdout.readline().strip()
        self.pid = int(self.process.stdout.readline())
        self.folders = self.uri.partition("host=")[2].partition("&")[0].split(",")

    def sql(self, text, at):
        """What psql prints of it, from the first server, 0, or the second, 1."""
        return subprocess.run(["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-h", self.folders[at],
                               "-U", "postgres", "-c", text, "emcli"],
                              check=True, capture_output=True, text=True, timeout=60).stdout.strip()

    def kill(self):
        """The machine of the first is gone: whoever serves there at this moment, too."""
        os.kill(self.pid, signal.SIGSTOP)
        for pid in [*children(self.pid), self.pid]:
            os.kill(pid, signal.SIGKILL)

    def promote(self):
        assert self.sql("SELECT pg_promote(true, 60)", 1) == "t"

    def stop(self):
        self.process.stdin.close()
        self.process.wait(60)
