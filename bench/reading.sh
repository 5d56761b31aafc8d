#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is read of real HTML mail, with Chromium as the judge, and how well it is
# told that the two texts of a message say different things.
# reading.sh DIR [MAILS]: messages and HTML files in DIR; MAILS of them at most.
set -eu
[ -d "${1:-}" ] || { echo "usage: bench/reading.sh DIR [MAILS]" >&2; exit 64; }
dir=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
b=${B:-build-bench}
make -s readers
make -s ROOMS="base html mime" B="$b" "$b/libemcli.a"
# shellcheck disable=SC2046
${CC:-gcc} -std=c17 -O2 -D_GNU_SOURCE -Isrc -o "$b/reading" bench/reading.c \
	"$b/libemcli.a" $(pkg-config --libs libidn2 libcrypto)
tests/e2e/npm/install >/dev/null
[ "${ONLY:-}" = divergence ] || python3 bench/reading.py "$dir" "$@"
[ "${ONLY:-}" = reading ] || python3 bench/divergence.py "$b/reading" "$dir" "$@"
