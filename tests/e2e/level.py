# SPDX-License-Identifier: Apache-2.0
"""
The broker's level: a broker for each store, and each agent a user of its own.

What an agent calls then goes through it, from a process that has no key and can
read no store.  EMCLI_LEVEL=broker has every module called so.
"""

import atexit
import contextlib
import functools
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import weakref

FIRST_UID = 61100

# In force now; conftest changes it for modules that are run at both.
name = os.environ.get("EMCLI_LEVEL", "direct")

# What is the operator's or the broker's, and no agent's.
KEPT = {"EMCLI_KEY", "EMCLI_DB", "EMCLI_SOCKET"}

# What is otherwise at this level, and why: modules, tests, or tests of one
# parameter.  ./check broker prints them; the rest is the same at both.
APART = {
    "operate::test_a_pipe_leaves_them_to_whoever_has_them":
        "the row of the agent's user, which this level adds, is one more in the log",
    "operate::test_the_log_tells_all_that_a_token_opens":
        "an agent that is added here has a user, which its row names",
    "cli::test_refused_call_is_in_the_audit_log":
        "what cannot be parsed is refused by the client, which has no audit log",
    "mcp_wires::test_sixteen_calls_make_one_login":
        "the wires are the broker's: a session and other calls share one login",
    "chain::test_a_store_older_than_the_chain_is_taken_over_once":
        "the agent that is added here is the operator's first command, which takes it over",
    "mcp_approve::test_the_form_says_what_would_leave_and_who_lets_it[stdio]":
        "no file of the client's goes through a session: emcli-serve(8)",
    **dict.fromkeys((
        "doctor::test_a_child_that_dies_is_a_line", "doctor::test_no_child_outlives_doctor"),
        "the child of doctor is the worker's, and not the caller's"),
    "doctor::test_folder_that_can_be_looked_into_is_a_note":
        "if the caller of a broker can do so, it is a failure of isolation",
    "doctor::test_without_libcurl_no_address_is_called_bad":
        "a wire can load no library but the machine's own",
    "nova::test_attachments_are_saved_together":
        "no file is saved in a session: emcli-serve(8)",
    "nova::test_attachments_go_nowhere_without_a_folder_for_them":
        "no file is saved in a session: emcli-serve(8)",
    **dict.fromkeys(("postgresql", "postgresql_failover", "postgresql_faults", "postgresql_pool", "postgresql_roles"),
                    "a broker's store is a file"),
}

# What surrounds the program, and is a broker's own: it takes none of its callers'.
AROUND = ("ALL_PROXY", "LD_LIBRARY_PATH", "SSL_CERT_FILE")

agents = {}
running = {}  # by store, and by what surrounds it
left = []  # what those said that ended in the middle of a test
lasting = weakref.WeakSet()  # the stores of a whole module, which calls whenever it likes
adding = weakref.WeakSet()  # the stores that may have agents already
prepared = weakref.WeakSet()  # and those whose scene has the agent of most calls
lock = threading.RLock()  # some tests call side by side


@functools.cache
def place():
    """Where sockets and programs are, which all users can reach."""
    folder = tempfile.TemporaryDirectory(prefix="emcli-level-")
    os.chmod(folder.name, 0o755)
    atexit.register(stop)
    return folder


@functools.cache
def program(binary):
    """Wherever the sources are, other users may not look."""
    copy = pathlib.Path(place().name) / f"emcli-{len(os.listdir(place().name))}"
    shutil.copy(binary, copy)
    return str(copy)


@functools.cache
def operations(binary):
    said = subprocess.run([binary, "schema"], capture_output=True, check=True,
                          env={"HOME": "/", "PATH": "/usr/bin:/bin"})
    return {op.replace("_", "-") for op in json.loads(said.stdout)}


# The commands that read a stream, and that the broker runs for a caller.  ask
# is none: it needs the operator's model, and no broker carries it.
SESSIONS = [["mcp"], ["skills", "filter"], ["skills", "run"]]


def plain(detail):
    """What a row of the audit log says, without the user whom it names at this level alone."""
    if name == "broker":
        return re.sub(r"^uid 61\d{3}(; |$)", "", detail)
    return detail


def carried(emcli, argv):
    """Is it a call or a session?  Over HTTP a session is the operator's."""
    words = [str(a) for a in argv]
    return bool(words) and words[0] in operations(emcli.scene) or (
        any(words[:len(s)] == s for s in SESSIONS)
        and not any(w.split("=")[0] == "--http" or w == "install" for w in words))


def serves(emcli, argv, env):
    """Is it a broker's?  Whoever calls with another key, store or socket means to be direct."""
    ours = {"EMCLI_KEY": emcli.agent_key, "EMCLI_DB": str(emcli.db), "EMCLI_SOCKET": "none",
            "EMCLI_KEY_FILE": None, "EMCLI_ADMIN_KEY": None, "EMCLI_ADMIN_KEY_FILE": None}
    return (name == "broker" and carried(emcli, argv)
            and all(env.get(k) == v for k, v in ours.items()))


def uid_of(agent):
    """Another for each, who then share nothing, as in direct."""
    return agents.setdefault(agent.lower(), FIRST_UID + len(agents))


class Broker:
    def __init__(self, emcli, around):
        self.key, self.place = emcli.agent_key, emcli.place
        self.known = {"agent"} if emcli in prepared else set()
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=place().name))
        os.chmod(self.folder, 0o755)
        self.socket = self.folder / "emcli.sock"
        self.said = open(self.folder / "said", "w+b")
        self.process = subprocess.Popen(
            emcli.there([emcli.binary, "serve", "--foreground", "--socket", self.socket]),
            env=emcli.environment(leaks=False, EMCLI_KEY=emcli.agent_key, **around), stdin=subprocess.DEVNULL,
            stdout=self.said, stderr=self.said)
        end = time.monotonic() + 60
        while not self.listens():
            if time.monotonic() > end or self.process.poll() is not None:
                raise AssertionError(self.end())
            time.sleep(0.005)

    @staticmethod
    def listed(emcli):
        said = emcli.set_up("agent", "list", "--json").json["agents"]
        return {a["name"].lower() for a in said if a["uids"]}

    def listens(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
            return s.connect_ex(str(self.socket)) == 0

    def words(self):
        self.said.seek(0)
        return self.said.read()

    def know(self, emcli, agent):
        """As the store knows names: in any case.  One is no agent's, as its caller will be told."""
        if agent == "operator":
            return
        if agent.lower() not in self.known and emcli in adding:
            self.known = self.listed(emcli)
        if agent.lower() not in self.known:
            # 2: it can be no agent's name, as its caller will be told.
            r = emcli.admin("agent", "add", agent, "--uid", uid_of(agent), program=emcli.scene)
            assert r.rc in (0, 2), str(r)
            adding.add(emcli)
            self.known.add(agent.lower())

    def end(self):
        self.process.terminate()
        try:
            # Ten seconds are for the calls that it runs.
            self.process.wait(60)
        finally:
            self.process.kill()
        words = self.words()
        self.said.close()
        shutil.rmtree(self.folder)
        return words


def reachable(folder):
    """The folder of a test is its user's alone, and agents are others."""
    top = pathlib.Path(tempfile.gettempdir())
    for part in [folder, *folder.parents]:
        if part == top or top not in part.parents:
            return
        os.chmod(part, part.stat().st_mode | 0o011)


def owned(folder, uid):
    """Where an agent's files are, they are its own."""
    for at, _, _ in os.walk(folder or "/nowhere"):
        os.chown(at, uid, uid)


def begun(emcli, env):
    """The broker of its store; another if the key or the network is."""
    around = {k: env[k] for k in AROUND if k in env}
    at = emcli, tuple(around.items())
    if at in running and (running[at].key, running[at].place) != (emcli.agent_key, emcli.place):
        replaced(emcli)
    if at not in running:
        reachable(emcli.folder)
        running[at] = Broker(emcli, around)
    return running[at]


def prepare(emcli, argv):
    """Before a first call: its agent is added as a part of the scene, which is made once."""
    if name == "broker" and emcli.past is not None and carried(emcli, argv):
        emcli.set_up("agent", "add", "agent", "--uid", uid_of("agent"))
        prepared.add(emcli)


def agent(emcli, argv, env):
    """The program and the environment of who calls: of an agent without a key, if it is a broker's."""
    if not serves(emcli, argv, env):
        return None, env
    who = env.get("EMCLI_AGENT", "agent")
    with lock:
        broker = begun(emcli, env)
        broker.know(emcli, who)
        uid = uid_of(who)
        owned(emcli.attach_dir, uid)
    env = {k: v for k, v in env.items() if k not in KEPT}
    env["EMCLI_SOCKET"] = str(broker.socket)
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--", program(emcli.binary)], env


def operator(emcli, argv):
    """An agent that the operator adds is a user too."""
    argv = [str(a) for a in argv]
    if name == "broker" and argv[:2] == ["agent", "add"] and len(argv) > 2 and not {"--uid", "--user", "--"} & set(argv):
        adding.add(emcli)
        argv += ["--uid", str(uid_of(argv[2]))]
    return argv


def replaced(emcli):
    """Its store is to be another: so is the broker of its next call."""
    with lock:
        brokers = [running.pop(at) for at in list(running) if at[0] is emcli]
    left.extend(b.end() for b in brokers)


def below(*pids):
    """They and all below them, as the kernel says.  One may end at any moment."""
    found, more = set(), set(pids)
    while more:
        pid = more.pop()
        path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
        with contextlib.suppress(OSError):
            more |= set(map(int, path.read_text().split())) - found
            found.add(pid)
    return sorted(found)


def processes(emcli):
    """Of its brokers: each monitor and all below it."""
    return below(*(b.process.pid for at, b in running.items() if at[0] is emcli))


def stop(everything=True):
    """All of them; a store that is called again gets another."""
    words = [left.pop() for _ in range(len(left))]
    for at in [at for at in list(running) if everything or at[0] not in lasting]:
        words.append(running.pop(at).end())
    return words
