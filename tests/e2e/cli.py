# SPDX-License-Identifier: Apache-2.0
"""emcli as a test runs it: its own database and keys, nothing inherited."""

import atexit
import base64
import collections
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import level
import postgres
import servers

ROOT = pathlib.Path(__file__).resolve().parents[2]


# Which build a test runs, and whether it looks for what it leaks: conftest
# says so before it begins.
sanitized = True
looks = True


def built(sanitizers=None):
    """$EMCLI_BIN, else the build asked for, else the one there is."""
    if sanitizers is None:
        sanitizers = sanitized
    named = os.environ.get("EMCLI_BIN")
    both = ["build/emcli", "build-san/emcli"]
    for name in [named] if named else both[::-1] if sanitizers else both:
        path = ROOT / name
        if path.exists():
            return path
    raise RuntimeError("no emcli to test: run make SAN=address,undefined")


@functools.cache
def reachable(path):
    """
    The program, where root's broker trusts it and no test hides it: whoever has
    sudo has the sources below /home, in folders of a user's.
    """
    way = [path, *path.parents]
    if os.geteuid() != 0 or (pathlib.Path("/home") not in way and all(x.stat().st_uid == 0 for x in way)):
        return path
    folder = tempfile.mkdtemp(prefix="emcli-program-")
    os.chmod(folder, 0o755)
    atexit.register(shutil.rmtree, folder)
    return pathlib.Path(shutil.copy(path, folder))


def binary(sanitizers=None):
    """The program that was built, as the tests run it."""
    return str(reachable(built(sanitizers).resolve()))


def envelope(result):
    """The envelope in what a tool gave: a line of its own, in one form alone."""
    assert "structuredContent" not in result, "what stands there twice is read twice"
    [block] = result["content"]
    lines = block["text"].split("\n")
    assert len(lines) in (1, 3)
    got = json.loads(lines[len(lines) // 2])
    assert result["isError"] is got["error"]
    return got


def no_report(stderr):
    """Of a sanitizer, in any build's words."""
    for word in b"Sanitizer", b"runtime error:":
        assert word not in stderr, stderr.decode(errors="replace")


class Result:
    """What one run said.  json is read on demand and must be all of stdout."""

    def __init__(self, argv, done):
        self.argv = argv
        self.rc = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def json(self):
        assert self.out, f"{self} printed nothing"
        return json.loads(self.out)

    @property
    def data(self):
        """The data of a call that must have gone well."""
        assert self.rc == 0 and self.json["error"] is False, str(self)
        return self.json["data"]

    @property
    def code(self):
        """error_detail.code of a call that must have failed."""
        assert self.rc != 0 and self.json["error"] is True, str(self)
        return self.json["error_detail"]["code"]

    def __str__(self):
        return (f"emcli {' '.join(self.argv)}\n  rc {self.rc}\n"
                f"  out {self.out[:2000]!r}\n  err {self.err[:2000]!r}")


class Scenes:
    """
    Stores as commands left them, to be copied where the same are said again.

    A scene is named by all that was said to a new store, and by the files that
    it names; whoever has asked for the store since makes the next for itself.
    """

    VERBS = {("account", "add"), ("agent", "add"), ("config", "set"), ("whitelist", "in"),
             ("whitelist", "out")}
    MOST = 100  # stores of a third of a megabyte

    def __init__(self):
        self.made = collections.OrderedDict()

    def named(self, past, argv, stdin):
        """The scene after one command more; None if no copy would be the same."""
        argv = tuple(map(str, argv))
        if past is None or argv[:2] not in self.VERBS or (argv[0] == "agent" and "--uid" not in argv):
            return None
        files = tuple(pathlib.Path(a).read_bytes() for a in argv if os.path.isfile(a))
        return *past, (argv, stdin, files)

    def keep(self, scene, result, store):
        folder = tempfile.TemporaryDirectory()
        shutil.copytree(store, folder.name, dirs_exist_ok=True)
        self.made[scene] = result, folder
        if len(self.made) > self.MOST:
            self.made.popitem(last=False)[1][1].cleanup()

    def put(self, scene, store):
        """What the last command of the scene said, and its store in this place."""
        self.made.move_to_end(scene)
        result, folder = self.made[scene]
        shutil.rmtree(store)
        shutil.copytree(folder.name, store)
        return result


def key():
    return base64.b64encode(os.urandom(32)).decode()


class Emcli:
    """One installation.  run() is the agent, admin() the operator."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        # What set_up() has said to a new store that nobody else has asked for.
        self.past = None
        self.db = postgres.store(postgres.GIVEN) if postgres.GIVEN else self.folder / "store" / "emcli.db"
        self.agent_key, self.admin_key = key(), key()
        self.binary = binary()
        # What makes a test's scene: at a seventh of the price of a start.
        self.scene = binary(sanitizers=False)
        if self.is_far() and postgres.ROLES:
            postgres.give_roles(self.scene, self.db)
        # Where the agent is, if files may leave from there.
        self.attach_dir = None
        # The network that agents' calls are in, or a broker is: an island.Island.
        self.place = None

    @property
    def db(self):
        """Whoever asks may change it."""
        self.past = None
        return self.file

    @db.setter
    def db(self, file):
        self.past, self.file = None, file

    def is_far(self):
        """Is the store in a server?"""
        return isinstance(self.file, str)

    def as_agent(self, env):
        """An agent's environment, as the gate's role where there are roles."""
        if self.is_far() and postgres.ROLES and env.get("EMCLI_DB") == self.file and not env.get("EMCLI_ADMIN_KEY"):
            return {**env, "EMCLI_DB": postgres.as_user(self.file, "gate")}
        return env

    def environment(self, leaks=None, **more):
        base = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.folder),
            "LC_ALL": "C.UTF-8",
            "EMCLI_DB": str(self.db),
            # Whatever broker there is on the machine.
            "EMCLI_SOCKET": "none",
            # What is undefined traps, and is told of as SIGILL.  The leak
            # checker needs ptrace, which emcli denies to its equals, and a
            # process of the broker to itself: it waits there for ever.  Where
            # memory was given out is not kept: that is a fifth of a start.
            "ASAN_OPTIONS": "handle_sigill=1:malloc_context_size=0:detect_leaks="
                            f"{int((looks if leaks is None else leaks) and os.getuid() == 0)}",
        }
        base.update(more)
        return {k: v for k, v in base.items() if v is not None}

    def command(self, argv, env):
        """An agent's command line as it is run at this level, and its environment."""
        program, env = level.agent(self, argv, self.as_agent(env))
        return [*(program or self.there([self.binary])), *argv], env

    def there(self, argv):
        """A command line, in the network that it is to be in."""
        return self.place.argv([os.path.abspath(argv[0]), *argv[1:]]) if self.place else argv

    def start(self, argv, env):
        argv, env = self.command(argv, env)
        return subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def call(self, argv, env, stdin, timeout, program=None, cwd=None):
        argv = [str(a) for a in argv]
        if isinstance(stdin, str):
            stdin = stdin.encode()
        if not isinstance(program, list):
            program = [program or self.binary]
        done = subprocess.run([*program, *argv], env=env, timeout=timeout,
                              input=stdin if stdin is not None else b"",
                              capture_output=True, cwd=cwd)
        no_report(done.stderr)
        return Result(argv, done)

    def run(self, *argv, env=None, stdin=None, timeout=60):
        """As an agent does: it holds EMCLI_KEY and nothing else."""
        level.prepare(self, argv)
        full = self.environment(**{"EMCLI_KEY": self.agent_key, **(env or {})})
        program, full = level.agent(self, argv, self.as_agent(full))
        return self.call(argv, full, stdin, timeout, program or self.there([self.binary]),
                         self.attach_dir if program else None)

    def admin(self, *argv, env=None, stdin=None, timeout=60, program=None):
        """As the operator: both keys.  Must go well, unless asked."""
        full = self.environment(**{"EMCLI_KEY": self.agent_key,
                                   "EMCLI_ADMIN_KEY": self.admin_key,
                                   **(env or {})})
        return self.call(level.operator(self, argv), full, stdin, timeout, program)

    def set_up(self, *argv, stdin=None):
        """An operator's command that is not what the test is about."""
        past = self.scenes.named(self.past, argv, stdin)
        if past in self.scenes.made and not self.is_far():
            r = self.scenes.put(past, self.file.parent)
        else:
            r = self.admin(*argv, stdin=stdin, program=self.scene)
            assert r.rc == 0, str(r)
            if past is not None and not self.is_far():
                self.scenes.keep(past, r, self.file.parent)
        self.past = past
        return r

    scenes = Scenes()

    # What `emcli init` made the first time, and the keys it was made with.
    made = None

    def init(self):
        """As by `emcli init`, which is for test_admin and test_init to try."""
        if self.is_far():
            self.set_up("init")
        elif Emcli.made is None:
            self.set_up("init")
            folder = tempfile.TemporaryDirectory()
            shutil.copytree(self.db.parent, f"{folder.name}/store")
            Emcli.made = folder, self.agent_key, self.admin_key
        else:
            folder, self.agent_key, self.admin_key = Emcli.made
            shutil.copytree(f"{folder.name}/store", self.db.parent)
        self.past = ()

    def setting(self, key, value):
        self.set_up("config", "set", key, value)

    def whitelist(self, which, *addresses, account="work"):
        self.set_up("whitelist", which, "add", "--account", account, *addresses)

    @staticmethod
    def options(flags):
        """process_backlog=True, mode="RO" -> --process-backlog --mode RO"""
        out = []
        for name, value in flags.items():
            option = "--" + name.replace("_", "-")
            if value is True:
                out.append(option)
            elif value is not None and value is not False:
                out += [option, str(value)]
        return out

    def account_imap(self, dovecot, postfix=None, name="work", user="agent", **flags):
        """Adds an account on the servers; a flag given here wins."""
        given = {
            "backend": "imap",
            "mode": "RW",
            # Tests say the same again and again; test_unfinished does not.
            "check_unfinished": "off",
            "whitelist_out": "off",
            "from": servers.address(user),
            "username": servers.address(user),
            "imap_host": dovecot.host,
            "imap_port": dovecot.imaps,
            "imap_security": "tls",
            "ca": dovecot.ca,
        }
        if postfix is not None:
            given.update(smtp_host=postfix.host, smtp_port=postfix.submissions,
                         smtp_security="tls")
        secret = flags.pop("password", servers.password(user))
        given.update(flags)
        self.attach_dir = given.get("attach_dir", self.attach_dir)
        return self.set_up("account", "add", name, "--password-stdin",
                           *self.options(given), stdin=secret)

    def account_maildir(self, path, name="work", user="agent", **flags):
        given = {"backend": "maildir", "mode": "RW", "check_unfinished": "off", "whitelist_out": "off",
                 "from": servers.address(user), "path": path}
        given.update(flags)
        self.attach_dir = given.get("attach_dir", self.attach_dir)
        return self.set_up("account", "add", name, *self.options(given))


@functools.cache
def skill_ops(skill):
    """The operations of a skill, by the table of operations and no test's list."""
    with tempfile.TemporaryDirectory() as folder:
        emcli = Emcli(folder)
        emcli.binary = emcli.scene
        emcli.init()
        for part in "cur", "new", "tmp":
            (emcli.folder / "box" / part).mkdir(parents=True)
        emcli.account_maildir(emcli.folder / "box")
        return tuple(emcli.run("load-skill", "--skill", skill).data["tools"])
