#!/usr/bin/python3
"""
An agent's mailbox in a mailbox root: a page of it at several sizes, a message
sent and a home built, next to what the upstream program cannot do without:
the start of Python with pydantic and PyYAML, and PyYAML reading the page.
Processor time, user and system.  Prints rows of the table in bench/README.md.

    bench/mailbox.py [--sizes 1000,10000,100000] [--runs N] [--python PYTHON]

PYTHON is an interpreter that has both packages (apt-get install
python3-pydantic python3-yaml); the first python3 on PATH if none is given.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
sys.path.insert(0, str(ROOT / "bench"))
os.environ.setdefault("EMCLI_BIN", str(ROOT / "build" / "emcli"))

import mailbox_make  # noqa: E402
import test_session  # noqa: E402

ME, OTHER = "writer@houmao.localhost", "ci@houmao.localhost"
# The head of each of the newest files; only this is timed, in a warm process.
READING = """
import pathlib, sys, time, yaml
files = sorted(pathlib.Path(sys.argv[1]).glob("messages/*/*.md"))[-50:]
def page():
    t = time.process_time()
    for f in files:
        head, _, body = f.read_text().removeprefix("---\\n").partition("\\n---\\n")
        assert yaml.safe_load(head)["message_id"] == f.stem
    return time.process_time() - t
print(min(page() for _ in range(5)))
"""


def cpu(argv, env):
    """Seconds of processor time of one command, which must go well."""
    p = subprocess.Popen([str(a) for a in argv], env=env, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL)
    _, status, r = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    assert p.returncode == 0, argv
    return r.ru_utime + r.ru_stime


def row(what, ours, against="", ratio="", budget=""):
    print(f"| {what} | {ours} | {against} | {ratio} | {budget} |", flush=True)


def ms(seconds):
    return f"{seconds * 1000:.0f} ms"


class Lab:
    """Two agents, of whom one has a mailbox of that size."""

    def __init__(self, folder, size, runs):
        self.desk, self.runs = test_session.Desk(folder), runs
        self.at = {}
        for agent in "writer", "ci":
            self.at[agent] = self.desk.start(self.desk.home(agent))
        self.desk.end()
        self.root = self.desk.root / "team-mail"
        mailbox_make.fill(self.root, ME, size)

    def env(self, agent):
        return self.desk.emcli.environment(
            EMCLI_KEY=self.desk.emcli.agent_key,
            HOUMAO_MANIFEST_PATH=self.at[agent]["manifest_path"],
            HOUMAO_GLOBAL_RUNTIME_DIR=str(self.desk.root))

    def mail(self, agent, *argv):
        return cpu([self.desk.emcli.binary, "agents", "mail", *argv], self.env(agent))

    def best(self, *argv, agent="writer", before=lambda: None):
        found = []
        for _ in range(self.runs):
            before()
            found.append(self.mail(agent, *argv))
        return min(found)

    def send(self, agent="ci", to=ME):
        return self.mail(agent, "send", "--to", to, "--subject", "One more", "--body-content",
                         f"x {os.urandom(8).hex()}")

    def build(self):
        d = self.desk
        argv = ["home", "build", "--tool", "claude", "--agent", f"a{os.urandom(4).hex()}",
                *test_session.MAILBOX]
        env = d.emcli.environment(EMCLI_KEY=d.emcli.agent_key,
                                  EMCLI_ADMIN_KEY=d.emcli.admin_key, **d.env)
        return cpu([d.emcli.binary, *argv], env)


def real(python):
    """The interpreter itself, not a script that finds it."""
    return subprocess.check_output([python, "-c", "import sys; print(sys.executable)"],
                                   text=True).strip()


def main():
    ask = argparse.ArgumentParser(description=__doc__.strip().split("\n\n", maxsplit=1)[0])
    ask.add_argument("--sizes", default="1000,10000,100000")
    ask.add_argument("--runs", type=int, default=7)
    ask.add_argument("--python", default="python3")
    args = ask.parse_args()
    python, check, reading = real(args.python), {}, {}
    sizes = [int(n) for n in args.sizes.split(",")]
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            lab = Lab(pathlib.Path(folder), n, args.runs)
            first = lab.mail("writer", "check", "--limit", "50")
            check[n] = lab.best("check", "--limit", "50")
            more = lab.best("check", "--limit", "50", before=lab.send)
            unread = lab.best("check", "--limit", "50", "--unread-only")
            reading[n] = float(subprocess.check_output([python, "-c", READING, lab.root]))
            sent = min(lab.send() for _ in range(args.runs))
            built = min(lab.build() for _ in range(args.runs))
        row(f"`check --limit 50`, {n:,} messages", ms(check[n]), "the same of "
            f"{sizes[0]:,}: {ms(check[sizes[0]])}", f"{check[n] / check[sizes[0]]:.2f}", "2")
        row("the same after one more message", ms(more), "", f"{more / check[sizes[0]]:.2f}", "2")
        row("the same, `--unread-only`", ms(unread))
        row("the same, the first time", ms(first))
        row("the same, warm", ms(check[n]), f"PyYAML, 50 heads, warm: {ms(reading[n])}",
            f"{check[n] / reading[n]:.2f}", "0.33" if n == 10000 else "")
    start = min(cpu([python, "-c", "import pydantic, yaml"], None) for _ in range(args.runs))
    peer = f"Python's start with pydantic and PyYAML: {ms(start)}"
    row(f"`send`, {sizes[-1]:,} messages", ms(sent), peer, f"{sent / start:.2f}", "0.1")
    row("`home build`", ms(built), peer, f"{built / start:.2f}", "0.1")


if __name__ == "__main__":
    main()
