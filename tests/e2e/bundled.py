# SPDX-License-Identifier: Apache-2.0
"""What tools/bundles makes, for the tests of it, and a static program for its .mcpb bundle."""

import subprocess

import cli
import servers

# It starts the emcli in PATH, so that a test chooses which.
STAND_IN = ('extern int execvp(); int main(int n, char **v) '
            '{ v[0] = "emcli"; execvp(v[0], v); return 127; }')
NAME, DOWNLOAD = "io.github.example/emcli", "https://github.com/example/emcli/releases/download/v0"


def static(path):
    """The program itself, if it is static."""
    if cli.built(False).parent.name == "build-static":
        return cli.built(False)
    subprocess.run([servers.need("gcc", "gcc"), "-static", "-w", "-o", path, "-x", "c", "-"],
                   input=STAND_IN.encode(), check=True, timeout=60)
    return path


def make(folder, *more, **env):
    return subprocess.run([cli.ROOT / "tools/bundles", "--emcli", cli.built(False), *more, folder],
                          env={"PATH": "/usr/bin:/bin", **env}, cwd=folder.parent, timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


def publish(folder, program, **env):
    """All that it can make."""
    r = make(folder, "--static", program, "--registry", NAME, "--download", DOWNLOAD, **env)
    assert r.returncode == 0, r.stderr
    return folder
