# SPDX-License-Identifier: Apache-2.0
"""Small pages with one word each, WORD, that is drawn or is not: ROWS.

judges_html.py has Chromium draw each page twice, with two words of one width:
where the pictures differ the word can be seen.  htmldrawn.json records what was
seen of each page, and test_html.py holds our reading against it.  A name that
ends in "?" is a page we may leave out, with a warning; all others must be read
as drawn.
"""

import hashlib
import json
import pathlib

DRAWN = pathlib.Path(__file__).with_name("htmldrawn.json")


def write(folder):
    """A file for each row, in the order of ROWS; their paths."""
    paths = []
    for i, html in enumerate(ROWS.values()):
        path = folder / f"{i}.html"
        path.write_text("<!doctype html><meta charset=utf-8><body style='font-family:monospace'>"
                        + html.replace("WORD", "MMMM"), encoding="utf-8")
        paths.append(path)
    return paths


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def drawn(paths):
    """Whether the word of each page was seen; a page that changed since is an error."""
    pages = json.loads(DRAWN.read_text())["pages"]
    new = [name for name, path in zip(ROWS, paths, strict=True) if digest(path) not in pages]
    assert not new, f"Chromium has not drawn {new}: run tests/e2e/judges_html.py"
    return [pages[digest(path)] for path in paths]


ROWS = {
    # What browsers hide, and show, by themselves.
    "plain": "<p>WORD",
    "popover": "<div popover>WORD</div>",
    "popover=manual": "<div popover=manual>WORD</div>",
    "popover shown": "<div popover style='display:block'>WORD</div>",
    "hidden": "<div hidden>WORD</div>",
    "until-found": "<div hidden=until-found>WORD</div>",
    "dialog": "<dialog>WORD</dialog>",
    "dialog open": "<dialog open>WORD</dialog>",
    "dialog reverted": "<dialog style='display:revert'>WORD</dialog>",
    "details": "<details>WORD</details>",
    "details open": "<details open>WORD</details>",
    "summary": "<details><summary>WORD</summary></details>",
    "second summary": "<details><summary>a</summary><summary>WORD</summary></details>",
    "inert": "<div inert>WORD</div>",
    "datalist": "<datalist><option>WORD</option></datalist>",
    "progress": "<progress value=1>WORD</progress>",
    "meter": "<meter>WORD</meter>",
    "template": "<template>WORD</template>",
    "noscript": "<noscript>WORD</noscript>",
    "rp": "<ruby>a<rp>WORD</rp></ruby>",
    "rt": "<ruby>a<rt>WORD</rt></ruby>",
    "canvas?": "<canvas>WORD</canvas>",
    "video": "<video>WORD</video>",
    "object": "<object>WORD</object>",
    "chosen by nature": "<select><option>WORD<option>b</select>",
    "not chosen": "<select><option>a<option>WORD</select>",
    "chosen": "<select><option>a<option selected>WORD</select>",
    "not chosen any more": "<select><option>WORD<option selected>b</select>",
    "last of two chosen": "<select><option selected>a<option selected>WORD</select>",
    "disabled": "<select><option disabled>WORD<option>b</select>",
    "in a group": "<select><optgroup label=x><option>a<option>WORD</optgroup></select>",
    "multiple": "<select multiple><option>a<option>WORD</select>",
    "size 3": "<select size=3><option>a<option>WORD</select>",
    "size 1": "<select size=1><option>a<option>WORD</select>",
    "label of an option": "<select><option label=a>WORD</select>",
    # Properties that hide.
    "fixed below": "<p style='position:fixed;top:200vh'>WORD",
    "fixed right": "<p style='position:fixed;left:150vw'>WORD",
    "fixed above": "<p style='position:fixed;bottom:120vh'>WORD",
    "fixed seen": "<p style='position:fixed;top:20vh'>WORD",
    "absolute 50vh": "<p style='position:absolute;top:50vh'>WORD",
    "adjust 0": "<p style='font-size-adjust:0'>WORD",
    "adjust .5": "<p style='font-size-adjust:.5'>WORD",
    "adjust none": "<p style='font-size-adjust:0;font-size-adjust:none'>WORD",
    "content-visibility": "<p style='content-visibility:hidden'>WORD",
    "content-visibility undone": "<p style='content-visibility:hidden;content-visibility:visible'>WORD",
    "clip-path": "<p style='clip-path:circle(0)'>WORD",
    "clip-path undone": "<p style='clip-path:circle(0);clip-path:none'>WORD",
    "scale 0": "<p style='transform:scale(0)'>WORD",
    "scale undone": "<p style='transform:scale(0);transform:none'>WORD",
    "translated": "<p style='transform:translateX(-2000px)'>WORD",
    "filter": "<p style='filter:opacity(0)'>WORD",
    "filter grey": "<p style='filter:grayscale(1) brightness(.9)'>WORD",
    "mask?": "<p style='mask-image:linear-gradient(transparent,transparent)'>WORD",
    "content on an element": "<p style='content:\"x\"'>WORD",
    "content of a picture": "<p style='content:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)'>WORD",
    "contain strict": "<p style='contain:strict'>WORD",
    "offset-path": "<p style='offset-path:path(\"M -5000 0\");offset-distance:0'>WORD",
    "first-line": "<style>p::first-line{font-size:0}</style><p>WORD",
    "first-letter": "<style>p::first-letter{font-size:2em;color:red}</style><p>WORD",
    "blend?": "<p style='mix-blend-mode:screen'>WORD",
    "max-height": "<p style='max-height:0;overflow:hidden'>WORD",
    "line-height": "<p style='line-height:0;overflow:hidden'>WORD",
    "indent": "<p style='text-indent:-9999px'>WORD",
    "all": "<p style='all:initial'>WORD",
    "all undoes": "<p style='display:none;all:unset'>WORD",
    "polygon": "<p style='clip-path:polygon(0 0,100% 0,100% 85%,0 100%)'>WORD",
    "polygon of nothing": "<p style='clip-path:polygon(0 0,0 0,0 0)'>WORD",
    "low cell": "<table><tr><td height=1 bgcolor=#000 style='color:#fff'>WORD</table>",
    "rotate": "<p style='rotate:3deg'>WORD",
    # Selectors.
    "is": "<style>p:is(.x){display:none}</style><p>WORD",
    "is hit": "<style>p:is(.y,.x){display:none}</style><p class=x>WORD",
    "is bare": "<style>:is(.x){display:none}</style><p>WORD",
    "is bare hit": "<style>:is(.x){display:none}</style><p class=x>WORD",
    "is deep": "<style>:is(div .x) b{display:none}</style><div><p class=x><b>WORD",
    "is forgiving": "<style>:is(:nosuch,.x){display:none}</style><p class=x>WORD",
    "where": "<style>:where(){display:none}</style><p>WORD",
    "where hit": "<style>:where(.x){display:none}</style><p class=x>WORD",
    "where is weak": "<style>:where(.x){display:none}p{display:block}</style><p class=x>WORD",
    "is is strong": "<style>:is(.x,#y){display:none}p.x{display:block}</style><p class=x>WORD",
    "not": "<style>.b:not(.c){display:none}</style><p class='b c'>WORD",
    "not hit": "<style>.b:not(.c){display:none}</style><p class=b>WORD",
    "not of two": "<style>p:not(.a,.b){display:none}</style><p class=b>WORD",
    "not hover": "<style>p:not(:hover){display:none}</style><p>WORD",
    "has": "<style>p:has(b){display:none}</style><p>WORD</p><p><b>x</b></p>",
    "has hit": "<style>p:has(b){display:none}</style><p>WORD<b>x</b></p>",
    "has child": "<style>div:has(> b){display:none}</style><div>WORD<i><b>x</b></i></div>",
    "has child hit": "<style>div:has(> b){display:none}</style><div>WORD<b>x</b></div>",
    "has next": "<style>p:has(+ b){display:none}</style><p>WORD</p><i></i><b>x</b>",
    "has next hit": "<style>p:has(+ b){display:none}</style><p>WORD</p><b>x</b>",
    "has later hit": "<style>p:has(~ b){display:none}</style><p>WORD</p><i></i><b>x</b>",
    "not has": "<style>p:not(:has(b)){display:none}</style><p>WORD<b>x</b></p>",
    "invalid": "<style>p, :nosuch(.x){display:none}</style><p>WORD",
    "invalid alone": "<style>:nosuch{display:none}</style><p>WORD",
    "invalid sign": "<style>p!{display:none}p$x,p{display:none}</style><p>WORD",
    "invalid element": "<style>p::nosuch,p{display:none}</style><p>WORD",
    "valid element": "<style>p::before,p{display:none}</style><p>WORD",
    "webkit element": "<style>p::-webkit-nosuch,p{display:none}</style><p>WORD",
    "empty in a list": "<style>p,,b{display:none}</style><p>WORD",
    "dangling": "<style>p >{display:none}</style><p>WORD",
    "leading": "<style>> p{display:none}</style><p>WORD",
    "digit class": "<style>.1x,p{display:none}</style><p>WORD",
    "escaped class": "<style>.sm\\:x{display:none}</style><p class=y>WORD",
    "escaped class hit": "<style>.sm\\:x{display:none}</style><p class=sm:x>WORD",
    "escaped digit hit": "<style>.\\31 x{display:none}</style><p class=1x>WORD",
    "namespace": "<style>*|p{display:none}</style><p>WORD",
    "no such namespace": "<style>x|p{display:none}</style><p>WORD",
    "link": "<style>:link{display:none}</style><p>WORD",
    "link hit": "<style>:link{display:none}</style><a href=x>WORD</a>",
    "last-child": "<style>p:last-child{display:none}</style><p>WORD</p><i></i>",
    "last-child hit": "<style>p:last-child{display:none}</style><i></i><p>WORD</p>",
    "only-child": "<style>b:only-child{display:none}</style><p><b>WORD</b><i></i></p>",
    "only-child hit": "<style>b:only-child{display:none}</style><p><b>WORD</b></p>",
    "nth-last-child hit": "<style>b:nth-last-child(2){display:none}</style><p><b>WORD</b><i></i></p>",
    "nth-of-type": "<style>b:nth-of-type(2){display:none}</style><p><i></i><b>WORD</b></p>",
    "nth-of-type hit": "<style>b:nth-of-type(2){display:none}</style><p><b></b><i></i><b>WORD</b></p>",
    "first-of-type hit": "<style>b:first-of-type{display:none}</style><p><i></i><b>WORD</b></p>",
    "last-of-type": "<style>b:last-of-type{display:none}</style><p><b>WORD</b><b></b></p>",
    "nth of": "<style>p:nth-child(1 of .x){display:none}</style><p>a<p class=x>b<p class=x>WORD",
    "empty": "<style>p:empty{display:none}</style><p>WORD</p>",
    "later sibling": "<style>i ~ p{display:none}</style><b></b><u></u><p>WORD</p>",
    "later sibling hit": "<style>i ~ p{display:none}</style><i></i><u></u><p>WORD</p>",
    "two siblings hit": "<style>i + u + p{display:none}</style><i></i><u></u><p>WORD</p>",
    "attribute with a reference hit": "<style>[title=hide]{display:none}</style><p title='&#104;ide'>WORD",
    "attribute of a language hit": "<style>[lang|=en]{display:none}</style><p lang=en-GB>WORD",
    "attribute in any case": "<style>[title=HIDE i]{display:none}</style><p title=hide>WORD",
    "attribute not": "<style>[title=HIDE]{display:none}</style><p title=show>WORD",
    "lang": "<style>p:lang(fr){display:none}</style><p lang=en>WORD",
    "lang hit": "<style>p:lang(en){display:none}</style><div lang=en-GB><p>WORD",
    "checked": "<style>p:checked{display:none}</style><p>WORD",
    "root": "<style>:root .x{display:none}</style><p>WORD",
    "nested": "<style>div{ & .x{display:none} }</style><div><p>WORD",
    "nested hit": "<style>div{ .x{display:none} }</style><div><p class=x>WORD",
    "nested elsewhere": "<style>div{ .x{display:none} }</style><p class=x>WORD",
    "nested joined hit": "<style>p{ &.x{display:none} }</style><p class=x>WORD",
    # Sheets within the mail, conditions, layers.
    "data sheet": "<link rel=stylesheet href='data:text/css,.x%7Bdisplay:none%7D'><p>WORD",
    "data sheet hit": "<link rel=stylesheet href='data:text/css,.x%7Bdisplay:none%7D'><p class=x>WORD",
    "data sheet base64 hit": "<link rel=stylesheet href='data:text/css;base64,LnggeyBkaXNwbGF5Om5vbmUgfQ=='><p class=x>WORD",
    "imported": "<style>@import 'data:text/css,.x%7Bdisplay:none%7D';</style><p>WORD",
    "imported hit": "<style>@import url(data:text/css,.x%7Bdisplay:none%7D);</style><p class=x>WORD",
    "imported too late": "<style>b{color:red}@import url(data:text/css,p%7Bdisplay:none%7D);</style><p>WORD",
    "imported for print": "<style>@import url(data:text/css,p%7Bdisplay:none%7D) print;</style><p>WORD",
    "starting-style": "<style>@starting-style{p{opacity:0}}</style><p>WORD",
    "layer": "<style>p{display:block}@layer a{p.x{display:none}}</style><p class=x>WORD",
    "layer hit": "<style>@layer a{p.x{display:none}}</style><p class=x>WORD",
    "reduced motion": "<style>@media (prefers-reduced-motion:reduce){p{display:none}}</style><p>WORD",
    "supports?": "<style>@supports (display:nosuch){p{display:none}}</style><p>WORD",
    # Declarations a browser drops.
    "3auto": "<p style='height:3auto;overflow:hidden'>WORD",
    "20pxl": "<p style='font-size:0pxl'>WORD",
    "dropped colour": "<p style='color:rgb(255, x, 255)'>WORD",
    "dropped after": "<p style='color:#fff;color:rgb(0, x, 0)'>WORD",
    "dropped before": "<p style='color:#000;color:rgb(255, 255)'>WORD",
    "mixed commas": "<p style='color:#fff;color:rgb(0 0,0)'>WORD",
    "no such function": "<p style='color:nosuch(1);font-size:nosuch(1);width:nosuch();opacity:nosuch(0)'>WORD",
    "no such calc": "<p style='font-size:calc(0px+1);opacity:calc(0px)'>WORD",
    "dropped background": "<p style='color:#fff;background:#000 foo'>WORD",
    "dropped background 2": "<p style='background:#000 foo;color:#000'>WORD",
    "dropped font": "<p style='font:0px'>WORD",
    "dropped opacity": "<p style='opacity:0px'>WORD",
    "dropped display": "<p style='display:none none'>WORD",
    "two words": "<p style='display:none;display:block flow'>WORD",
    "dropped transform": "<p style='transform:scale(0) foo'>WORD",
    "dropped transform 2": "<p style='transform:nosuch(0)'>WORD",
    "dropped width": "<p style='width:0;width:stretch;overflow:hidden'>WORD",
    # Substitution and arithmetic.
    "var": "<p style='color:var(--x,#333)'>WORD",
    "var hit": "<p style='--x:none;display:var(--x)'>WORD",
    "var of the root": "<style>:root{--x:#111}p{color:var(--x)}</style><p>WORD",
    "var of the root hit": "<style>:root{--x:#fff}p{color:var(--x)}</style><p>WORD",
    "var of var hit": "<div style='--a:var(--b);--b:none'><p style='--b:block;display:var(--a)'>WORD",
    "var missing": "<p style='display:none;display:var(--x)'>WORD",
    "var of a circle": "<p style='--a:var(--b);--b:var(--a);color:#fff;color:var(--a,#fff)'>WORD",
    "var of a circle with a way out": "<p style='--a:var(--b,#fff);--b:var(--a);color:var(--a,#000)'>WORD",
    "var in a shorthand hit": "<p style='--m:-9999px;margin:0 0 0 var(--m)'>WORD",
    "var in a shorthand": "<p style='--m:3px;margin:0 0 0 var(--m)'>WORD",
    "var that is no value": "<p style='--x:foo;color:#fff;color:var(--x)'>WORD",
    "var of a long way?": "<p style='--a0:none;" + "".join(f"--a{i}:var(--a{i - 1});" for i in range(1, 60)) + "display:var(--a59)'>WORD",
    "var of case": "<p style='--X:none;display:var(--x,block)'>WORD",
    "env": "<p style='padding:env(safe-area-inset-top);margin-left:env(safe-area-inset-left)'>WORD",
    "calc": "<p style='font-size:calc(12px + 1vw)'>WORD",
    "calc hit": "<p style='font-size:calc(12px - 12px)'>WORD",
    "calc of em hit": "<div style='font-size:10px'><p style='font-size:calc(1em - 10px)'>WORD",
    "calc of em": "<div style='font-size:40px'><p style='font-size:calc(1em - 16px)'>WORD",
    "clamp": "<p style='font-size:clamp(12px, 2vw + 1rem, 20px)'>WORD",
    "clamp hit": "<p style='font-size:clamp(0px, -1vw, 0px)'>WORD",
    "min hit": "<p style='font-size:min(1em, 0px)'>WORD",
    "max": "<p style='font-size:max(1em, 0px)'>WORD",
    "width": "<p style='width:calc(100% - 40px);overflow:hidden'>WORD",
    "width hit": "<p style='width:calc(100% - 100%);overflow:hidden'>WORD",
    "brackets": "<p style='font-size:calc((1px + 2px) * 5)'>WORD",
    "of opacity hit": "<p style='opacity:calc(1 - 1)'>WORD",
    # Animations.
    "no animation": "<p style='animation:none'>WORD",
    "animation of nothing": "<p style='animation:nosuch 1s'>WORD",
    "fading in": "<style>@keyframes f{from{opacity:0}to{opacity:1}}</style><p style='animation:f 1s'>WORD",
    "faded in": "<style>@keyframes f{to{opacity:1}}</style><p style='opacity:0;animation:f 1s forwards'>WORD",
    "fading in for good": "<style>@keyframes f{to{opacity:1}}</style><p style='opacity:0;animation:f 1s'>WORD",
    "fading out": "<style>@keyframes f{to{opacity:0}}</style><p style='animation:f 1s forwards'>WORD",
    "fading out by name": "<style>@keyframes f{to{opacity:0}}p{animation-name:f;animation-duration:1s;animation-fill-mode:forwards}</style><p>WORD",
    "out and back": "<style>@keyframes f{to{opacity:0}}</style><p style='animation:f 1s 2 alternate forwards'>WORD",
    "moving": "<style>@keyframes f{from{transform:translateX(-3000px)}}</style><p style='animation:f 1s'>WORD",
    # Pictures.
    "a gradient": "<p style='color:#fff;background:linear-gradient(#000,#222)'>WORD",
    "two gradients?": "<p style='color:#fff;background:linear-gradient(#000,#000),linear-gradient(#111,#111)'>WORD",
}
