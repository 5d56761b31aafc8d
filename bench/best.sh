# SPDX-License-Identifier: Apache-2.0
# For the other scripts here: a store of our own in $tmp, and measuring.
emcli=${EMCLI_BIN:-$PWD/build/emcli}
EMCLI_DB=$tmp/store/emcli.db
EMCLI_KEY=$(head -c 32 /dev/urandom | base64)
EMCLI_ADMIN_KEY=$(head -c 32 /dev/urandom | base64)
export EMCLI_DB EMCLI_KEY EMCLI_ADMIN_KEY
"$emcli" init </dev/null >/dev/null

# best NAME COMMAND...: the fastest of $times, and how much memory it took.
# Before each, the function $before.
times=5
before=true
best() {
	name=$1
	shift
	i=0
	while [ $i -lt $times ]; do
		"$before"
		/usr/bin/python3 - "$@" <<'P'
import os, subprocess, sys, time
t = time.monotonic()
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, r = os.wait4(p.pid, 0)
t = time.monotonic() - t
if status:
    sys.exit("it failed: " + " ".join(sys.argv[1:]))
print(f"{t * 1000:9.1f} ms  {(r.ru_utime + r.ru_stime) * 1000:9.1f} ms of CPU"
      f"  {r.ru_maxrss // 1024:4d} MiB")
P
		i=$((i + 1))
	done | sort -n | head -1 | sed "s/^/$(printf %-34s "$name")/"
}

# Is it here?  Else says which package it is of.
have() {
	command -v "$1" >/dev/null && return
	echo "$1: not here; apt-get install $2"
	return 1
}
