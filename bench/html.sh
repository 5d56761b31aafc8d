#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reading HTML: ours beside python3-html2text and lynx, whichever is there, on
# the same pages in one run; then ours under torture at n and 2n.
set -eu
cd "$(dirname "$0")/.."
b=${B:-build-bench}
make -s ROOMS="base html mime" B="$b" "$b/libemcli.a"
# shellcheck disable=SC2046
${CC:-gcc} -std=c17 -O2 -D_GNU_SOURCE -Isrc -o "$b/html" bench/html.c \
	"$b/libemcli.a" $(pkg-config --libs libidn2 libcrypto)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/pages" "$tmp/torture"
python3 tests/e2e/htmlmail.py "$tmp/pages" 400
python3 bench/html_make.py "$tmp/torture"
"$b/html" "$tmp/pages"
/usr/bin/python3 - "$tmp/pages" <<'END'
import os, pathlib, subprocess, sys
pages = [p.read_text() for p in sorted(pathlib.Path(sys.argv[1]).iterdir())]
size = sum(len(p.encode()) for p in pages) / 1e6

def clock():
    t = os.times()
    return t.user + t.system + t.children_user + t.children_system

def show(who, pages, size, took):
    print(f"{who:6} {size / took:8.1f} MB/s  {took * 1e6 / len(pages):8.1f} us a page")

try:
    import html2text
except ImportError:
    print("html2text: not here (python3-html2text)")
else:
    begin = clock()
    for p in pages:
        html2text.html2text(p)
    show("html2text", pages, size, clock() - begin)
try:
    one = "\n".join(pages)
    begin = clock()
    subprocess.run(["lynx", "-dump", "-stdin", "-force_html"], input=one.encode(),
                   stdout=subprocess.DEVNULL, check=True)
except FileNotFoundError:
    print("lynx: not here")
else:
    show("lynx", pages, size, clock() - begin)
END
"$b/html" --torture "$tmp/torture"
