# SPDX-License-Identifier: Apache-2.0
"""Completion, asked of the shells themselves."""
import itertools
import os
import re
import shlex
import sqlite3
import subprocess

import pytest

TOP = {"list", "get", "search", "ack", "send", "folders", "doctor", "init", "account",
       "whitelist", "config", "audit", "key", "help", "schema", "completion", "version"}

# What a shell reads before it is asked, and how it is asked of one line.
BASH = "source %s"
BASH_ASKED = r"""
COMP_WORDS=(%s)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMPREPLY=()
_emcli
printf '%%s\n' "${COMPREPLY[@]}"
"""

# The widgets' own functions are replaced by ones that print.
ZSH = r"""
compdef() { : }
compadd() { shift; print -l -- "$@" }
_describe() {
  [[ $1 = -o ]] && shift
  local -a all; all=("${(@P)2}")
  print -l -- "${(@)all%%%%:*}"
}
_files() { print -l -- FILES }
_message() { : }
source %s
"""
ZSH_ASKED = r"""
words=(%s)
CURRENT=${#words}
_emcli
"""

SHELL = {
    "bash": (["bash", "--norc", "-c"], BASH, BASH_ASKED),
    "zsh": (["zsh", "-f", "-c"], ZSH, ZSH_ASKED),
    "fish": (["fish", "-N", "-c"], "source %s", "complete -C '%s'\n"),
}


@pytest.fixture
def complete(emcli, tmp_path):
    """complete(shell, words...) completes the last word; complete.each, of many lines."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "emcli").symlink_to(emcli.binary)
    env = emcli.environment(PATH=f"{tmp_path}/bin:{os.environ['PATH']}", HOME=str(tmp_path),
                            EMCLI_KEY=emcli.agent_key)

    def each(shell, lines):
        """One start of the shell for all of them."""
        script = tmp_path / f"emcli.{shell}"
        if not script.exists():
            script.write_bytes(emcli.run("completion", shell).out)
        argv, head, asked = SHELL[shell]
        join = " ".join if shell == "fish" else shlex.join
        text = "\n".join([head % script] + [
            asked % join(["emcli", *words]) + "echo; echo NEXT" for words in lines])
        done = subprocess.run([*argv, text], env=env, capture_output=True, text=True, timeout=60,
                              cwd=tmp_path)
        assert done.stderr == "", done.stderr
        *parts, rest = re.split(r"^NEXT$", done.stdout, flags=re.M)
        assert len(parts) == len(lines) and rest.strip() == ""
        found = [{x.split("\t")[0] for x in part.splitlines() if x} for part in parts]
        return [{x for x in f if x.startswith(w[-1])} for f, w in zip(found, lines)]

    def run(shell, *words):
        return each(shell, [words])[0]

    run.each = each
    return run


SHELLS = ["bash", "zsh", "fish"]


@pytest.mark.parametrize("shell", SHELLS)
def test_first_words_are_all_commands(complete, shell):
    assert TOP <= complete(shell, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_words_of_a_family(complete, shell):
    assert complete(shell, "account", "") == {
        "add", "consent", "edit", "export", "import", "list", "providers", "remove", "show"}
    assert complete(shell, "whitelist", "in", "a") == {"add"}
    assert complete(shell, "completion", "") == {"bash", "zsh", "fish"}
    assert "send" in complete(shell, "help", "") and "send" in complete(shell, "schema", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_options_of_an_operation(complete, shell):
    found = complete(shell, "send", "--account", "work", "--")
    assert {"--to", "--cc", "--subject", "--body", "--body-file", "--reply-to", "--json",
            "--help"} <= found
    assert "--imap-host" not in found


@pytest.mark.parametrize("shell", SHELLS)
def test_options_of_an_operator_command(complete, shell):
    found = complete(shell, "account", "add", "work", "--")
    assert {"--imap-host", "--whitelist-in", "--subject-regex"} <= found
    assert "--name" not in found and "--json" in found


@pytest.mark.parametrize("shell", SHELLS)
def test_choices_of_an_option(complete, shell):
    assert complete(shell, "account", "add", "work", "--mode", "") == {"RO", "RW"}
    assert complete(shell, "account", "add", "work", "--imap-security", "s") == {"starttls"}


@pytest.mark.parametrize("shell", SHELLS)
def test_files_where_a_file_is_wanted(complete, tmp_path, shell):
    (tmp_path / "FILES").write_text("x")
    assert complete(shell, "account", "add", "w", "--ca", "FIL") == {"FILES"}
    assert complete(shell, "send", "--body-file", "FIL") == {"FILES"}
    assert complete(shell, "send", "--subject", "FIL") == set()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_name_in_the_database_runs_nothing(complete, emcli, site, tmp_path, shell):
    """Whoever can write the file puts no command into the operator's shell."""
    emcli.account_maildir(site.path, name="work")
    ran = tmp_path / "ran"
    db = sqlite3.connect(emcli.db)
    db.execute("UPDATE accounts SET name = ?", (f"w$(touch${{IFS}}{ran})",))
    db.commit()
    db.close()
    assert complete(shell, "list", "--account", "w") == set()
    assert not ran.exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_values_that_the_store_knows(complete, emcli, site, shell):
    assert complete(shell, "list", "--account", "") == set()
    emcli.account_maildir(site.path, name="work")
    emcli.account_maildir(site.path, name="home", user="bob")
    lines = [("list", "--account"), ("whitelist", "in", "add", "--account"),
             ("list-recent-threads", "--source"), ("account", "edit"), ("source", "set")]
    both = complete.each(shell, [(*words, "") for words in lines])
    one = complete.each(shell, [(*words, "w") for words in lines])
    for words, all_, begun in zip(lines, both, one):
        assert all_ - {"--help"} >= {"work", "home"}, words
        assert begun == {"work"}, words
    assert complete(shell, "account", "add", "w") == set()
    assert {"mail-read", "mail-send"} <= complete(shell, "load-skill", "--skill", "")
    assert complete(shell, "account", "add", "w", "--backend", "") == {
        "agentbox", "gmail", "imap", "jmap", "maildir", "mbox", "ponymail"}


@pytest.mark.parametrize("shell", SHELLS)
def test_settings_and_their_words(complete, shell):
    assert {"skills", "timeout_seconds"} <= complete(shell, "config", "set", "")
    assert complete(shell, "config", "get", "skill_u") == {"skill_uses"}
    assert complete(shell, "config", "set", "skills", "") == {"always", "grant"}


@pytest.mark.parametrize("shell", SHELLS)
def test_options_behind_a_word_that_begins_others(complete, shell):
    assert "install" in complete(shell, "mcp", "")
    assert {"--http", "--legacy-tools", "--help"} <= complete(shell, "mcp", "--")
    assert {"--http", "--http-socket"} <= complete(shell, "serve", "--")
    assert "--client" in complete(shell, "mcp", "install", "--")


def test_names_are_told_to_whoever_holds_a_key(emcli, site):
    emcli.account_maildir(site.path, name="work")
    emcli.account_maildir(site.path, name="home", user="bob")
    emcli.set_up("agent", "add", "helper", "--account", "home")
    assert emcli.run("completion", "accounts").out == b"home\nwork\n"
    assert emcli.run("completion", "accounts", env={"EMCLI_AGENT": "helper"}).out == b"home\n"
    r = emcli.run("completion", "accounts", env={"EMCLI_KEY": None})
    assert (r.rc, r.out, r.err) == (0, b"", b"")


def test_bash_completes_behind_an_equals_sign(complete):
    assert complete("bash", "account", "add", "w", "--mode", "=", "RO") == {"RO"}


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_of_the_help_is_completed(complete, emcli, shell):
    wanted = {}
    for line in emcli.run("help").out.decode().split("Environment:")[0].splitlines():
        if not line.startswith("  ") or line.startswith("   "):
            continue
        # A long name goes on where the summary of others begins.
        words = itertools.takewhile(lambda w: not w[0].isupper(), line.split())
        words = [w for w in words if w.islower() and not w.startswith("[")]
        for i, word in enumerate(words):
            wanted.setdefault((*words[:i], ""), set()).add(word)
    assert TOP <= wanted[("",)] | {"help"} and len(wanted) > 10
    for line, found in zip(wanted, complete.each(shell, list(wanted))):
        assert wanted[line] <= found, line


def test_unknown_shell_is_refused(emcli):
    r = emcli.run("completion", "tcsh")
    assert r.rc == 2 and r.out == b"" and b"bash, zsh, fish" in r.err
