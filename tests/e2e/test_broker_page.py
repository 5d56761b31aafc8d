# SPDX-License-Identifier: Apache-2.0
"""From direct to broker: the README's commands, typed as they are, and the units for systemd."""

import json
import re
import subprocess

import cli
import servers

# A machine of its own as far as this needs one: users, /run, /var/lib, and processes that end with it.
MACHINE = """
mkdir "$1/etc"
cp -a /etc/. "$1/etc"
mount --bind "$1/etc" /etc
for folder in /home /run /srv /usr/local /var/lib; do mount -t tmpfs -o mode=755 tmpfs "$folder"; done
install -D "$2" /usr/local/bin/emcli
export HOME="$1/home" PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mkdir "$HOME"
cd "$HOME"
"""


def on_a_machine(tmp_path, script, **env):
    servers.need("unshare", "util-linux")
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child",
         "bash", "-euo", "pipefail", "-c", MACHINE + script, "bash", tmp_path, cli.binary(sanitizers=False)],
        env={"LC_ALL": "C.UTF-8", **env}, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    cli.no_report(done.stderr)
    assert done.returncode == 0, told(tmp_path, done)
    return done


def told(tmp_path, done):
    """What the machine said and wrote, whole: pytest shortens what it prints by itself."""
    files = [f"== {path.name}\n{path.read_text()}" for path in sorted(tmp_path.iterdir()) if path.is_file()]
    return "\n".join([f"exit status {done.returncode}", done.stderr.decode(), *files])


def commands():
    """The two ways: with systemd, and without."""
    text = (cli.ROOT / "README.md").read_text()
    part = text.split("## An agent with a shell\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"\n\n((?:    [^\n]+\n)+)\n", part)
    return [[line.strip() for line in block.splitlines()] for block in blocks]


def test_there_are_five_in_each_way():
    assert [len(block) for block in commands()] == [5, 5]
    page = cli.ROOT / "doc/emcli-serve.8.in"
    for line in sum(commands(), []):
        assert line.replace("\\", "\\e") in page.read_text(), f"{page.name} has another: {line}"


BEFORE = """
useradd --create-home scout
for user in agent bob; do mkdir -p "/srv/mail/$user@lab.example/"{cur,new,tmp}; done
printf 'From: alice@lab.example\\r\\nSubject: first\\r\\n\\r\\nx\\r\\n' > /srv/mail/agent@lab.example/new/1.M1P1.lab
chmod -R a+rwX /srv/mail
emcli init
emcli account add work --backend maildir --mode RW --whitelist-out off --process-backlog \\
    --from agent@lab.example --path /srv/mail
emcli doctor --json > "$1/before" || true
"""

AFTER = """
agent() { runuser -u scout -- env -i PATH="$PATH" HOME=/home/scout "$@"; }
cd /
agent emcli doctor --json > "$1/doctor"
agent emcli list --account work --folder INBOX > "$1/list"
agent emcli send --account work --to bob@lab.example --subject second --body x > "$1/send"
cat /srv/mail/bob@lab.example/new/* > "$1/arrived"
agent env EMCLI_SOCKET=none EMCLI_KEY="$EMCLI_KEY" EMCLI_DB=/var/lib/emcli/emcli.db emcli list > "$1/past" || true
EMCLI_DB=/var/lib/emcli/emcli.db emcli account edit work --limit-bytes 1000000
find /var/lib/emcli ! -user emcli > "$1/strange"
emcli serve status --json > "$1/status"
kill "$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' "$1/status")"
while [ -e /run/emcli/emcli.sock ]; do sleep 0.1; done
agent emcli list > "$1/late" || true
"""


def test_without_systemd_it_is_typed_and_the_agent_is_served(tmp_path):
    typed = "".join(f"bash -ec {cli_quote(line)} >> \"$1/said\"\n" for line in commands()[1])
    keys = {"EMCLI_KEY": cli.key(), "EMCLI_ADMIN_KEY": cli.key()}
    done = on_a_machine(tmp_path, BEFORE + typed + AFTER, **keys)

    def read(name):
        return json.loads((tmp_path / name).read_text())

    assert read("before")["data"]["isolation"] == "direct"
    assert read("doctor")["data"]["isolation"] == "broker"
    assert [m["subject"] for m in read("list")["data"]["messages"]] == ["first"]
    assert read("send")["data"]["state"] == "sent"
    assert "Subject: second" in (tmp_path / "arrived").read_text()
    assert read("past")["error_detail"]["code"] == "config"
    assert (tmp_path / "strange").read_text() == ""
    assert read("status")["level"] == "broker"
    # It was told that EMCLI_KEY is not set.
    assert read("late")["error_detail"]["message"] == "the broker does not answer at its socket"
    assert "the broker listens" in (tmp_path / "said").read_text()


# The process that goes on waits before it looks whether its parent is there.
SLOWLY = "strace -f -qq -o /dev/null -e trace=getppid -e inject=getppid:delay_enter=300000 "
TOLD = """
until grep -q listens "$1/said" || ! kill -0 $!; do sleep 0.1; done
runuser -u scout -- env -i PATH="$PATH" HOME=/home/scout emcli list --account work > "$1/list"
"""


def test_a_broker_that_starts_slowly_lives_on(tmp_path):
    """Its parent said that it listens and ended, and a process without its parent ends too."""
    servers.need("strace", "strace")
    *before, serve = commands()[1]
    script = BEFORE + "\n".join([*before, SLOWLY + serve + ' > "$1/said" &']) + TOLD
    on_a_machine(tmp_path, script, EMCLI_KEY=cli.key(), EMCLI_ADMIN_KEY=cli.key())
    assert [m["subject"] for m in json.loads((tmp_path / "list").read_text())["data"]["messages"]] == ["first"]


def cli_quote(line):
    return "'" + line.replace("'", "'\\''") + "'"


READ_ONLY = """
mount --bind /srv/mail /srv/mail
mount -o remount,bind,ro /srv/mail
emcli doctor --json > "$1/doctor" || true
"""


def test_doctor_says_that_a_service_cannot_write_the_folder_of_an_account(tmp_path):
    """ProtectSystem= mounts it so, and a send said only that it was refused."""
    keys = {"EMCLI_KEY": cli.key(), "EMCLI_ADMIN_KEY": cli.key()}
    done = on_a_machine(tmp_path, BEFORE + READ_ONLY, **keys)
    seen = [[c for c in json.loads((tmp_path / name).read_text())["data"]["checks"] if c["check"] == "path"]
            for name in ("before", "doctor")]
    assert seen[0] == [] and [(c["account"], c["ok"]) for c in seen[1]] == [("work", False)]
    assert "ReadWritePaths=" in seen[1][0]["next"]


INSTALL = """
say() { echo "== $*"; "$@" 2>&1 || echo "rc $?"; }
units="/etc/systemd/system/emcli.socket /etc/systemd/system/emcli.service"
rm -rf /etc/sysusers.d
say emcli serve install --write
mkdir -p /run/systemd/system /usr/lib/systemd/system
mount -t tmpfs tmpfs /usr/lib/systemd/system
touch /usr/lib/systemd/system/emcli.service
say emcli serve install --write
ls $units || echo none
umount /usr/lib/systemd/system
say emcli serve install --write
say emcli serve install --write
emcli serve install > "$1/printed"
for file in $units /etc/sysusers.d/emcli.conf /etc/tmpfiles.d/emcli.conf; do
    printf '# %s\\n' $file; cat $file; echo
done > "$1/there"
if command -v systemd-analyze >/dev/null; then say systemd-analyze verify --man=no $units; fi
if command -v systemd-sysusers >/dev/null; then
    say systemd-sysusers emcli.conf; say systemd-tmpfiles --create emcli.conf; say stat -c '%U %a' /run/emcli
fi
rm /etc/tmpfiles.d/emcli.conf
echo LimitNPROC=5 >> /etc/systemd/system/emcli.service
say emcli serve install --write
say test -e /etc/tmpfiles.d/emcli.conf
say emcli serve install --write --force
grep -c LimitNPROC /etc/systemd/system/emcli.service || true
"""

HARDENED = """Type=notify WatchdogSec= LoadCredentialEncrypted=emcli-key: StateDirectory=emcli StateDirectoryMode=0700
    NoNewPrivileges=yes ProtectSystem=strict PrivateDevices=yes MemoryDenyWriteExecute=yes RestrictAddressFamilies=
    SystemCallFilter= LimitCORE=0 CapabilityBoundingSet= User=emcli""".split()


def test_the_units_are_printed_written_and_kept(tmp_path):
    done = on_a_machine(tmp_path, INSTALL)
    _, without, packaged, first, second, *middle, changed, left, forced = done.stdout.decode().split("== ")
    assert "rc 1" in without and "emcli serve --user emcli" in without
    assert "rc 1" in packaged and "/usr/lib/systemd/system/emcli.service" in packaged
    assert "systemctl enable --now emcli.service" in packaged and "none" in packaged
    assert first.count(": written") == 4 and "systemctl enable --now emcli.service" in first
    assert second.count(": it is there already") == 4
    printed, there = (tmp_path / "printed").read_text(), (tmp_path / "there").read_text()
    assert printed.strip() == there.strip()
    lines = printed.splitlines()
    for setting in HARDENED:
        assert any(line.startswith(setting) for line in lines), setting
    # As systemd reads them: it says nothing of what is good.
    said = dict(part.split("\n", 1) for part in middle)
    for line, what in said.items():
        if "verify" in line:
            assert what.strip() == "", what
        if "stat" in line:
            assert what.strip() == "emcli 755"
    # A changed file is kept, and no other is written.
    assert "was changed: --force overwrites it" in changed and "emcli.service" in changed
    assert "rc 1" in left
    assert forced.count(": written") == 2 and forced.endswith("\n0\n")
