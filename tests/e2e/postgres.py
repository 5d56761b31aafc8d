# SPDX-License-Identifier: Apache-2.0
"""A server of PostgreSQL for as long as it is wanted, and stores in it."""

import itertools
import os
import pathlib
import re
import signal
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The server that ./check postgresql has begun: all stores of tests are there.
GIVEN = os.environ.get("EMCLI_TEST_POSTGRES")
# There agents' calls are made as the gate's role, and the operator's commands as another.
ROLES = bool(os.environ.get("EMCLI_TEST_ROLES"))
count = itertools.count(1)


class Uri(str):
    """EMCLI_DB of a store of its own; what is asked of a file is not tested."""

    @property
    def parent(self):
        pytest.skip("it is about the store's file")

    def __truediv__(self, other):
        pytest.skip("it is about the store's file")


def store(uri):
    """A new name for a store in that database."""
    return Uri(f"{uri}&schema=e2e_{os.getpid()}_{next(count)}")


def as_user(uri, user):
    return re.sub(r"\buser=\w+", f"user={user}", uri)


def psql(uri, text, user="postgres"):
    """What psql prints of it."""
    return subprocess.run(["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", as_user(uri.partition("&schema=")[0], user)],
                          input=text, check=True, capture_output=True, text=True).stdout.strip()


def give_roles(binary, uri, *argv, user="postgres"):
    """What a superuser does with `emcli store roles`, before or after there is a store."""
    psql(uri, subprocess.run([binary, "store", "roles", *argv], check=True, capture_output=True, text=True,
                             env={"PATH": "/usr/bin:/bin", "HOME": "/", "EMCLI_DB": uri}).stdout, user)


class Server:
    def __init__(self, **env):
        self.process = subprocess.Popen(
            [ROOT / "tests/fake/postgres", "sh", "-c",
             'echo "$EMCLI_TEST_POSTGRES"; echo "$EMCLI_TEST_POSTGRES_PID";'
             ' echo "$EMCLI_TEST_POSTGRES_BIN"; exec cat'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **env})
        self.uri = self.process.stdout.readline().strip()
        self.pid = int(self.process.stdout.readline())
        self.bin = self.process.stdout.readline().strip()
        self.folder = self.uri.partition("host=")[2].partition("&")[0]

    def as_user(self, user):
        return as_user(self.uri, user)

    def sql(self, text, user="postgres"):
        """What psql prints of it."""
        return psql(self.uri, text, user)

    def kill(self):
        """As if the power was cut."""
        os.kill(self.pid, signal.SIGKILL)

    def control(self, *argv):
        """pg_ctl, as whoever the server is."""
        owner = os.stat(self.folder)
        subprocess.run([f"{self.bin}/pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/again",
                        "-w", *argv], check=True, user=owner.st_uid, group=owner.st_gid, extra_groups=[],
                       stdout=subprocess.DEVNULL)

    def stop(self):
        self.process.stdin.close()
        self.process.wait(30)
