#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the torture of bench/html.sh: the same trouble at n and 2n."""

import pathlib
import sys

N = 50000
CASES = {
    "deep": lambda n: "<div>" * n + "x",
    "deep-styled": lambda n: "<div style='color:red'>" * n + "x",
    "format": lambda n: "<b><i><u><font color=red>x" * (n // 4),
    "format-end": lambda n: "<b><div>" * 200 + "<p><font color=red></p></b>x" * n,
    "adoption": lambda n: ("<b>" * 200 + "<div>" * 200 + "</b>" * 200 + "</div>" * 200) * (n // 800),
    "p-in-scope": lambda n: "<p><table><tr><td>" + "<span>" * 400 + "</p>x" * n,
    "li": lambda n: "<div>" * 500 + "<li>x</li>" * n,
    "classes": lambda n: "<style>" + "".join(f".c{i}{{color:red}}" for i in range(10000)) + "</style>"
                         + "".join(f"<b class='c{i % 10000} c{i % 77}'>x</b>" for i in range(n)),
    "one-class": lambda n: "<style>" + "".join(f".a.b{i}{{color:red}}" for i in range(5000)) + "</style>"
                           + "<b class=a>x</b>" * n,
    "class-list": lambda n: "<style>.x{color:red}</style><b class='" + "y " * n * 4 + "'>x</b>",
    "descendants": lambda n: "<style>" + "div div div div div .q{color:red}" * 50 + "</style>" + "<div>" * 400
                             + "<i class=q>x</i>" * n,
    "attributes": lambda n: "<style>[z]{display:none}</style>" + "<b " + "a=b " * n * 4 + ">x</b>" + "<b a=1 b=2>x</b>" * n,
    "rules": lambda n: "<style>" + "".join(f".r{i},#i{i} p{{color:#{i % 999:03}}}" for i in range(n // 5)) + "</style>x",
    "css-strings": lambda n: "<style>" + "a{x:'" * n + "</style>x",
    "css-nest": lambda n: "<style>" + "a{" * n + "color:red" + "}" * n + "</style>x",
    "css-parens": lambda n: "<p style='color:" + "rgb(" * n + "'>x",
    "css-declarations": lambda n: "<p style='" + "color:red;" * n * 3 + "'>x",
    "css-comments": lambda n: "<style>" + "/*" * n * 3 + "</style>x",
    "style-elements": lambda n: "<style>a{color:red}</style>" * n,
    "comments": lambda n: "<!-- x " * n * 3,
    "comment-markup": lambda n: "<!--" + "<style" * n + "-->x",
    "links": lambda n: "<a href=http://x.example/>www.y.example</a>" * n,
    "link-long": lambda n: "<a href=http://x.example/>" + "www.y.example " * n * 3,
    "images": lambda n: "<img src=x alt='some words'>" * n,
    "cells": lambda n: "<table><tr><th>" + "<td>" * n * 3 + "x",
    "tables": lambda n: "<table><tr><td>x" * n,
    "foster": lambda n: "<table>x<b>y</b>" * (n // 400) + "<table>" + "x<tr>" * n,
    "foster-rows": lambda n: "<table><tr><td></td>x" + "<i>y</i><tr><td>z</td>" * n,
    "copies": lambda n: "<p><b style='" + "color:red;" * n + "'>" + "x<p>" * n,
    "copies-many": lambda n: "".join(f"<b a={i}>" for i in range(400)) + "x<p>" * (n // 40),
    "svg": lambda n: "<svg><g><title>x</title></g><p>y" * n,
    "templates": lambda n: "<template><tr><td>x</template>" * n,
    "select": lambda n: "<select>" + "<option>x<optgroup>" * n,
    "body-again": lambda n: "<body a=b id=x>" * n + "x",
    "references": lambda n: "<p style='&#100;&#100;'>&amp;&nbsp;&#8203;" * n,
    "hidden": lambda n: "<i style=display:none>x</i>" * n,
}

for name, make in CASES.items():
    for k in (1, 2):
        (pathlib.Path(sys.argv[1]) / f"{name}-{k}.html").write_text(make(k * N))
