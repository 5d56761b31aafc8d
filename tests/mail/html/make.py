#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the messages of this folder: tests/mail/html/make.py, from anywhere.

One trick each.  SEEN is what a person sees, SECRET what nobody does; the last
column is what we say of it, "" for nothing.  tests/unit/mime/hidden.c reads
the messages, not this.
"""

import pathlib

HERE = pathlib.Path(__file__).parent
S = "SECRET orders"
N = "display visibility size colour position attribute comment alt unknown".split()

# name, why, HTML with SEEN and SECRET in it, warnings
ROWS = [
    # The nine usual ways.
    ("nine-display", "display: none", '<p>SEEN</p><div style="display:none">SECRET</div>', "display"),
    ("nine-visibility", "visibility: hidden", '<p>SEEN</p><p style="visibility:hidden">SECRET</p>', "visibility"),
    ("nine-opacity", "opacity: 0", '<p>SEEN</p><p style="opacity:0">SECRET</p>', "visibility"),
    ("nine-font-size", "font-size: 0", '<p>SEEN</p><p style="font-size:0">SECRET</p>', "size"),
    ("nine-white", "white on the page's own white", '<p>SEEN</p><p style="color:#ffffff">SECRET</p>', "colour"),
    ("nine-off-screen", "far left of the screen", '<p>SEEN</p><div style="position:absolute;left:-9999px">SECRET</div>', "position"),
    ("nine-hidden", "the hidden attribute", "<p>SEEN</p><div hidden>SECRET</div>", "attribute"),
    ("nine-comment", "a comment", "<p>SEEN</p><!-- SECRET -->", "comment"),
    ("nine-overflow", "a box of no height", '<p>SEEN</p><div style="height:0;overflow:hidden">SECRET</div>', "position"),
    # Display and visibility.
    ("display-class", "display by a class", "<style>.x{display:none}</style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("display-id", "display by an id", "<style>#x{display:none}</style><p>SEEN</p><p id=x>SECRET</p>", "display"),
    ("display-tag", "display by a type", "<style>h6{display:none}</style><p>SEEN</p><h6>SECRET</h6>", "display"),
    ("display-late", "the sheet stands behind what it hides", "<p>SEEN</p><p class='a x'>SECRET</p><style>p.x{display:none}</style>", "display"),
    ("display-list", "one of several selectors", "<style>h1,.y , .x{display:none}</style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("display-descendant", "a descendant", "<style>.o .x{display:none}</style><p class=x>SEEN</p><div class=o><b><i class=x>SECRET</i></b></div>", "display"),
    ("display-child", "a child, but not a grandchild", "<style>.o>.x{display:none}</style><div class=o><i class=x>SECRET</i><b><i class=x>SEEN</i></b></div>", "display"),
    ("display-attribute", "an attribute selector", "<style>[data-x='1']{display:none}</style><p data-x=2>SEEN</p><p data-x=1>SECRET</p>", "display"),
    ("display-important", "important beats the style attribute", '<style>.x{display:none!important}</style><p>SEEN</p><p class=x style="display:block">SECRET</p>', "display"),
    ("display-media", "a condition that holds", "<style>@media screen and (min-width:400px){.x{display:none}}</style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("display-comment", "the sheet in HTML comment marks", "<style><!-- .x{display:none} --></style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("display-nested-shown", "what shows within what does not", '<p>SEEN</p><div style="display:none"><p style="display:block;visibility:visible">SECRET</p></div>', "display"),
    ("visibility-collapse", "visibility: collapse, by a sheet", "<style>.x{visibility:collapse}</style><p>SEEN</p><p class=x>SECRET</p>", "visibility"),
    ("visibility-back", "a child of the invisible is seen again", '<div style="visibility:hidden">SECRET<b style="visibility:visible"> SEEN</b></div>', "visibility"),
    ("content-visibility", "content-visibility: hidden", '<p>SEEN</p><div style="content-visibility:hidden">SECRET</div>', "display"),
    ("opacity-nested", "opacities multiply", '<p>SEEN</p><div style="opacity:.3"><div style="opacity:30%">SECRET</div></div>', "visibility"),
    ("opacity-filter", "filter: opacity(0)", '<p>SEEN</p><div style="filter:opacity(0%)">SECRET</div>', "visibility"),
    ("details", "closed details show their summary", "<details><summary>SEEN</summary>SECRET</details>", "display"),
    ("template", "a template", "<p>SEEN</p><template><p>SECRET</p></template>", "display"),
    ("fallback", "what a video holds for old browsers", "<p>SEEN</p><video>SECRET</video>", "display"),
    # Size.
    ("size-one", "one pixel, as preheaders have it", '<p>SEEN</p><span style="font-size:1px">SECRET</span>', "size"),
    ("size-em", "a tenth of an em", '<p>SEEN</p><span style="font-size:.1em">SECRET</span>', "size"),
    ("size-percent", "percentages multiply", '<p>SEEN</p><span style="font-size:30%"><span style="font-size:30%">SECRET</span></span>', "size"),
    ("size-pt", "points", '<p>SEEN</p><span style="font-size:1.0pt">SECRET</span>', "size"),
    ("size-font", "the font shorthand", '<p>SEEN</p><span style="font:italic 0/0 Arial">SECRET</span>', "size"),
    ("size-small", "small in small in small", "<p>SEEN</p>" + "<small>" * 12 + "SECRET" + "</small>" * 12, "size"),
    ("size-scale", "scaled to nothing", '<p>SEEN</p><div style="transform:scale(0)">SECRET</div>', "size"),
    ("size-spacing", "letters on top of each other", '<p>SEEN</p><div style="letter-spacing:-1em">SECRET</div>', "size"),
    # Colour.
    ("colour-class", "white by a class", "<style>.x{color:white}</style><p>SEEN</p><p class=x>SECRET</p>", "colour"),
    ("colour-inherited", "white inherited from far away", '<!doctype html><p>SEEN</p><div style="color:#fff"><table><tr><td><b>SECRET</b></td></tr></table></div>', "colour"),
    ("colour-cell", "a cell's own bgcolor", '<table><tr><td bgcolor="#003366"><font color="#003366">SECRET</font><font color=white>SEEN</font></td></tr></table>', "colour"),
    ("colour-nested-table", "bgcolor through tables that have none", '<table bgcolor=black><tr><td><table><tr><td style="color:white">SEEN<span style="color:#010101">SECRET</span></td></tr></table></td></tr></table>', "colour"),
    ("colour-near", "nearly white", '<p>SEEN</p><p style="color:#fdfdfd">SECRET</p>', "colour"),
    ("colour-rgb", "rgb() in percent", '<p>SEEN</p><p style="color:rgb(100% 100% 100%)">SECRET</p>', "colour"),
    ("colour-hsl", "hsl()", '<p>SEEN</p><p style="color:hsl(210,100%,100%)">SECRET</p>', "colour"),
    ("colour-alpha", "black, but hardly there", '<p>SEEN</p><p style="color:rgba(0,0,0,.02)">SECRET</p>', "colour"),
    ("colour-hex-alpha", "#rrggbbaa", '<p>SEEN</p><p style="color:#00000000">SECRET</p>', "colour"),
    ("colour-transparent", "transparent", '<p>SEEN</p><p style="color:transparent">SECRET</p>', "colour"),
    ("colour-fill", "-webkit-text-fill-color", '<p>SEEN</p><p style="color:#000;-webkit-text-fill-color:#fff">SECRET</p>', "colour"),
    ("colour-body", "the body's own colours", "<body bgcolor=#222222 text=#eeeeee><p>SEEN</p><p style='color:#222'>SECRET</p></body>", "colour"),
    ("colour-link", "links as white as the page", '<body link="#ffffff"><p>SEEN</p><a href="https://x.example/">SECRET</a></body>', "colour"),
    ("colour-misnested", "a font that lives on behind its paragraph", "<p><font color=white>SECRET</p><p>orders</font></p><p>SEEN</p>", "colour"),
    ("colour-foster", "text in a table but in no cell", '<div style="color:#fff"><table style="color:#000">SECRET<tr><td>SEEN</td></tr></table></div>', "colour unknown"),
    ("colour-legacy", "a colour that is none, as browsers read it", "<p>SEEN</p><font color='#fffffffff'>SECRET</font>", "colour"),
    ("colour-gradient", "on a gradient that passes its colour", '<p>SEEN</p><div style="background:linear-gradient(#fff,#000);color:#fff">SECRET</div>', "unknown"),
    # Position.
    ("position-indent", "text-indent", '<p>SEEN</p><p style="text-indent:-9999px">SECRET</p>', "position"),
    ("position-margin", "margin-left", '<p>SEEN</p><p style="margin:0 0 0 -5000px">SECRET</p>', "position"),
    ("position-translate", "transform", '<p>SEEN</p><p style="transform:translate(-200vw)">SECRET</p>', "position"),
    ("position-top", "fixed above the screen", '<p>SEEN</p><p style="position:fixed;top:-100em">SECRET</p>', "position"),
    ("position-inset", "inset", '<p>SEEN</p><p style="position:absolute;inset:0 auto auto -999px">SECRET</p>', "position"),
    ("position-clip", "clip, as for screen readers", '<p>SEEN</p><p style="position:absolute;clip:rect(0,0,0,0)">SECRET</p>', "position"),
    ("position-clip-path", "clip-path", '<p>SEEN</p><p style="clip-path:inset(100%)">SECRET</p>', "position"),
    ("position-max-height", "max-height, as preheaders have it", '<p>SEEN</p><div style="max-height:0px;max-width:0px;overflow:hidden">SECRET</div>', "position"),
    ("position-one-pixel", "a box of one pixel", '<p>SEEN</p><div style="width:1px;height:1px;overflow:hidden">SECRET</div>', "position"),
    ("position-line-height", "lines of no height", '<p>SEEN</p><div style="line-height:0;overflow:hidden">SECRET</div>', "position"),
    # Comments and alternatives.
    ("comment-conditional", "what Outlook alone reads", "<p>SEEN</p><!--[if mso]><table><tr><td>SECRET</td></tr></table><![endif]-->", "comment"),
    ("comment-bogus", "what browsers take for a comment", "<p>SEEN</p><!SECRET><?SECRET>", "comment"),
    ("alt-only", "words that are only an image's name", '<p>SEEN</p><img src="cid:1" width=200 height=50 alt="SECRET">', "alt"),
    # Disguises of the style itself.
    ("escape", "letters as CSS escapes", r'<p>SEEN</p><p style="dis\70 lay:\6eone">SECRET</p>', "display"),
    ("escape-class", "a class as an escape", r"<style>.\78 {display:none}</style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("css-comment", "comments within the style", '<p>SEEN</p><p style="/*;*/display/**/:/* block */none">SECRET</p>', "display"),
    ("entity", "character references within the style", '<p>SEEN</p><p style="display&#58;n&#111;ne">SECRET</p>', "display"),
    ("capitals", "capitals", '<p>SEEN</p><P STYLE="DISPLAY:NONE">SECRET</P>', "display"),
    ("broken", "broken syntax before it", '<p>SEEN</p><p style="color;;;:red;(a;b);display:none">SECRET</p>', "display"),
    ("last-wins", "the last declaration counts", '<p>SEEN</p><p style="display:block;display:none">SECRET</p>', "display"),
    ("invalid-dropped", "an invalid value is dropped, the hiding one stays", '<p>SEEN</p><p style="display:none;display:bloc">SECRET</p>', "display"),
    # What nobody knows.
    ("unknown-attr", "a value out of an attribute", '<p>SEEN</p><p data-x=none style="display:attr(data-x type(<custom-ident>))">SECRET</p>', "unknown"),
    ("css-var", "var()", '<style>:root{--x:var(--y,none)}</style><p>SEEN</p><p style="display:var(--x)">SECRET</p>', "display"),
    ("css-calc", "calc()", '<p>SEEN</p><p style="font-size:calc(1px - 1px)">SECRET</p>', "size"),
    ("unknown-colour", "a colour function of tomorrow", '<p>SEEN</p><p style="color:oklch(100% 0 0)">SECRET</p>', "unknown"),
    ("unknown-selector", "a selector we do not decide", "<style>p:dir(ltr):lang('*-GB'){display:none}</style><div lang=en-GB><b>SEEN</b><p>SECRET</p></div>", "unknown"),
    ("css-ahead", "what stands behind an element", "<style>p:nth-last-child(1),p:has(i){display:none}</style><div><p>SEEN</p><p><i>SECRET</i></p><b></b></div>", "display"),
    ("unknown-supports", "a condition we do not decide", "<style>@supports (x:y){.x{display:none}}</style><p>SEEN</p><p class=x>SECRET</p>", "unknown"),
    ("unknown-brackets", "more brackets than we follow, and browsers do", "<style>b{--x:" + "(" * 65 + ")" * 65 + "}p{display:none}</style><p>SECRET</p>", "unknown"),
    ("unknown-brackets-style", "the same in an attribute", "<p>SEEN</p><p style='--x:" + "(" * 65 + ")" * 65 + ";display:none'>SECRET</p>", "unknown"),
    ("unknown-sum", "a sum in more brackets than we follow", "<p>SEEN</p><p style='overflow:hidden;height:calc(" + "(" * 50 + "0px" + ")" * 50 + ")'>SECRET</p>", "unknown"),
    ("undone-brace", "what a stray bracket makes no selector", "<style>.x{display:none;}}.x{display:block}</style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("undone-nth", "what is no an+b", "<style>.x{display:none}.x:nth-child(n + -1),.x:nth-child(n1){display:block}</style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("undone-namespace", "what is of no element of HTML", "<style>@namespace 'x';p{display:block!important}</style><style>p{display:none}</style><p>SECRET</p>", "unknown"),
    ("css-nth-of", "any white space is before a list", "<style>p:nth-child(1\tof\n.x){display:none}</style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("css-supports", "a condition that holds", "<style>@supports (x:y) or (display:none){.x{display:none}}</style><p>SEEN</p><p class=x>SECRET</p>", "display"),
    ("unknown-mask", "a mask", '<p>SEEN</p><p style="-webkit-mask-image:linear-gradient(transparent,transparent)">SECRET</p>', "unknown"),
    ("unknown-bidi", "letters turned round", '<p>SEEN</p><bdo dir=rtl>SECRET</bdo>', "unknown"),
    ("unknown-quirk", "a colour that only old pages have", '<p>SEEN</p><p style="color:ffffff">SECRET</p>', "unknown"),
    ("css-animation", "an animation that ends hidden", '<style>@keyframes x{to{opacity:0}}</style><p>SEEN</p><p style="animation:x 1ms forwards">SECRET</p>', "visibility"),
    ("unknown-animation", "an animation that is slow", '<style>@keyframes x{0%,99%{opacity:0}}</style><p>SEEN</p><p style="animation:x 9999s">SECRET</p>', "unknown"),
    ("unknown-svg", "letters drawn", '<p>SEEN</p><svg><text fill="white">SECRET</text></svg>', "unknown"),
    ("css-import", "a sheet within the mail", '<style>@import url("data:text/css,p{display:none}");</style><p>SECRET</p><b>SEEN</b>', "display"),
    ("unknown-picture", "words on a picture are shown, for what they are", '<table><tr><td background="https://x.example/h.jpg" style="color:#fff">SEEN</td></tr></table>', "unknown"),
    ("unknown-picture-here", "but a picture at hand may be white", '<p>SEEN</p><p style="color:#fff;background:url(data:image/gif;base64,AAAA)">SECRET</p>', "unknown"),
    ("unknown-maker", "a selector that another browser may know", "<style>p:-moz-nosuch,p{display:none}</style><p>SEEN</p>", "unknown"),
    ("popover", "nobody opened it", "<p>SEEN</p><div popover>SECRET</div>", "attribute"),
    ("position-fixed", "below the window, to which it is fixed", '<p>SEEN</p><div style="position:fixed;top:200vh">SECRET</div>', "position"),
    ("size-adjust", "a size adjusted to nothing", '<p>SEEN</p><p style="font-size-adjust:0">SECRET</p>', "size"),
    ("summary-second", "of details that are closed the first summary is seen", "<details><summary>SEEN</summary><summary>SECRET</summary></details>", "display"),
    ("css-nested", "a rule in a rule", "<style>div{.x{display:none}}</style><p class=x>SEEN</p><div><p class=x>SECRET</p></div>", "display"),
    ("css-layer", "rules in a layer are weaker", "<style>@layer a{p.x{display:none}}p{display:block}@layer b{b.x{display:none}}</style><p class=x>SEEN</p><b class=x>SECRET</b>", "display"),
    ("css-revert", "what browsers do by themselves", '<p>SEEN</p><dialog style="display:revert">SECRET</dialog>', "display"),
    ("unknown-no-box", "a ground without a box", '<p>SEEN</p><div style="height:0;background:#000;color:#fff">SECRET</div>', "unknown"),
    # What looked seen for a time: each was a way round.
    ("undone-invalid", "an invalid value does not undo the hiding one", '<p>SEEN</p><p style="opacity:0;opacity:x">SECRET</p>', "visibility"),
    ("undone-length", "nor does a length that is none", '<p>SEEN</p><div style="height:0;height:foo;overflow:hidden">SECRET</div>', "position"),
    ("undone-bracket", "what a bracket of another kind does not close", '<p>SEEN</p><p style="color:#fff;x:(];color:#000;)">SECRET</p>', "colour"),
    ("undone-block", "a block is no declaration", '<p>SEEN</p><p style="color:#fff;{;color:#000;}">SECRET</p>', "colour"),
    ("undone-inherit", "a shorthand's name within another's", '<p>SEEN</p><p style="position:absolute;left:-9999px;top:inherit">SECRET</p>', "position"),
    ("undone-case", "classes have their case where there is a doctype", "<!doctype html><style>.x{color:#fff}.X{color:#000}</style><p>SEEN</p><p class=x>SECRET</p>", "unknown"),
    ("cell-stray", "a cell outside of any table is none", '<p>SEEN</p><td bgcolor="#000000"><span style="color:#fff">SECRET</span></td>', "colour"),
    ("gradient-prefix", "a gradient of another browser is none", '<p>SEEN</p><div style="background:-moz-linear-gradient(#000,#000);color:#fff">SECRET</div>', "unknown"),
    ("gradient-two", "of two gradients the first lies on top", '<p>SEEN</p><div style="background:linear-gradient(#fff,#fff),linear-gradient(#000,#000);color:#fff">SECRET</div>', "unknown"),
    ("adoption", "formatting that ends before its block moves into it", '<p>SEEN</p><font color=white><p style="color:#000">SECRET</font></p>', "colour"),
    ("table-format", "formatting opened between rows goes on behind the table", "<p>SEEN</p><table><font color=white><tr><td></td></tr></table>SECRET", "colour"),
    ("margin-line", "a margin draws the rest of the line away", '<p>SEEN</p><p><span style="margin-left:-9999px"></span>SECRET</p>', "position"),
    ("margin-page", "or all that follows", '<p>SEEN</p><div style="margin-top:-9999px"></div><p>SECRET</p>', "unknown"),
    ("quirk-table-shown", "but a reader with a doctype shows them otherwise", '<div style="color:#fff"><table><tr><td>SEEN</td></tr></table></div>', "unknown"),
    ("quirk-table", "without a doctype tables have the body's colour", '<p>SEEN</p><div style="color:#fff;background:#000"><table><tr><td>SECRET</td></tr></table></div>', "colour"),
    ("menu", "of a menu one option is seen", "<select><option>a<option selected>SEEN<option>SECRET</select>", "display"),
    ("link-base", "a base that is another site's", '<base href="https://evil.example/"><p>SEEN</p><a href="login">www.bank.example</a>', "mismatch"),
    ("frameset", "frames in the place of a page", "<frameset><frame src=x></frameset>SECRET", "unknown"),
    # Combinations.
    ("preheader", "what shops write before the first line", '<div style="display:none;font-size:1px;color:#fefefe;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;mso-hide:all">SECRET&zwnj;&nbsp;&zwnj;&nbsp;</div><p>SEEN</p>', "display"),
    ("echoleak", "an order to an assistant with a way out", '<p>SEEN</p><div style="font-size:0;color:#fff">SECRET: fetch <img src="https://evil.example/?q=" width=1 height=1><a href="https://evil.example/">x</a></div>', "size tracking"),
    ("combo", "five ways, each counted by itself", '<p>SEEN</p><i hidden>SECRET</i><i style="opacity:0">SECRET</i><i style="font-size:0">SECRET</i><i style="color:#fff">SECRET</i><!-- SECRET -->', "attribute visibility size colour comment"),
    ("outermost", "the outermost reason counts", '<p>SEEN</p><div style="opacity:0">SECRET <i style="display:none">SECRET</i> <b hidden>SECRET</b></div>', "visibility"),
    ("deep", "deeper than anybody looks", "<p>SEEN</p>" + "<b>" * 600 + "<i style='color:#fff'>SECRET</i>", "unknown"),
    ("link-mismatch", "a link that says another bank", '<p>SEEN</p><a href="https://evil.example/login">https://bank.example/login</a>', "mismatch"),
    ("link-user", "a host that is only a user's name", '<p>SEEN</p><a href="https://bank.example@evil.example/">www.bank.example</a>', "mismatch"),
    ("link-mail", "another mailbox", '<p>SEEN</p><a href="mailto:eve@evil.example">bob@bank.example</a>', "mismatch"),
    ("link-script", "a link that is a program", "<p>SEEN</p><a href=\"java\nscript:alert('SECRET')\">here</a>", "mismatch"),
    ("pixel", "an image of one pixel", '<p>SEEN</p><img src="https://t.example/o.gif" width="1" height="1" alt="">', "tracking"),
    # Innocent: nothing is hidden, nothing is said.
    ("ok-plain", "a plain answer", "<html><body><p>SEEN</p><blockquote type=cite>older words</blockquote></body></html>", ""),
    ("ok-outlook", "Outlook's style", '<style><!-- /* Font Definitions */ @font-face{font-family:Calibri} p.MsoNormal{margin:0cm;font-size:11.0pt;font-family:"Calibri",sans-serif} a:link{color:#0563C1} @page WordSection1{size:612.0pt 792.0pt} --></style><div class=WordSection1><p class=MsoNormal style="text-indent:-18.0pt;color:windowtext">SEEN<o:p></o:p></p></div>', ""),
    ("ok-mso", "conditional comments without words", '<!--[if mso]><style>.x{display:none}</style><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml><table><tr><td><![endif]--><p class=x>SEEN</p><!--[if mso]></td></tr></table><![endif]-->', ""),
    ("ok-grey", "a grey footer", '<p>SEEN</p><p style="color:#999999;font-size:11px">SEEN, sent to you</p><p style="color:#cccccc">SEEN, too</p>', ""),
    ("ok-button", "a button", '<table><tr><td bgcolor="#1a73e8"><a href="https://x.example/a" style="color:#ffffff;display:inline-block">SEEN</a></td></tr></table>', ""),
    ("ok-button-class", "a button by class, white on its own colour", "<style>.b{background-color:#d00;color:#fff}.b a{color:#fff}</style><div class=b><a href=https://x.example/>SEEN</a></div>", ""),
    ("ok-mjml", "sizes of zero around cells", '<table><tr><td style="font-size:0px;padding:10px"><div style="font-size:13px;color:#000">SEEN</div></td></tr></table>', ""),
    ("ok-mobile", "what is hidden on phones alone", "<style>@media only screen and (max-width:600px){.d{display:none!important}}</style><p class=d>SEEN</p>", ""),
    ("ok-dark", "colours of dark screens", "<style>@media (prefers-color-scheme:dark){.x{color:#fff!important}}[data-ogsc] .x{color:#fff}u + .body .x{display:none}</style><body class=body><p class=x>SEEN</p></body>", ""),
    ("ok-print", "what is hidden on paper", "<style>@media print{.x{display:none}}</style><style media=print>p{display:none}</style><p class=x>SEEN</p>", ""),
    ("ok-hover", "what a pointer would do", "<style>a:hover{color:#fff;opacity:0}</style><a href=https://x.example/>SEEN</a>", ""),
    ("ok-spacer", "spacers and lines", '<p>SEEN</p><div style="height:1px;overflow:hidden;font-size:1px;line-height:1px">&nbsp;</div><hr>', ""),
    ("ok-striped", "a striped table with a dark heading", "<style>tr:nth-child(even){background:#f2f2f2}th{background:#04aa6d;color:white}</style><table><tr><th>SEEN</th><th>b</th></tr><tr><td>c</td><td>SEEN</td></tr></table>", ""),
    ("ok-gradient", "white on a gradient that is dark all over", '<div style="background:linear-gradient(90deg,#667eea 0%,#764ba2 100%);color:#ffffff">SEEN</div>', ""),
    ("ok-hero", "words on a picture, with a ground for those who see none", '<table><tr><td background="https://x.example/h.jpg" bgcolor="#223344" style="background-size:cover;color:#ffffff">SEEN</td></tr></table>', ""),
    ("ok-hidden-shown", "hidden, but the author shows it", '<div hidden style="display:block">SEEN</div>', ""),
    ("ok-apple", "Apple's links", "<style>a[x-apple-data-detectors]{color:inherit!important;font-size:inherit!important}</style><div style='color:#fff;background:#333'><a x-apple-data-detectors=true href='tel:123'>SEEN</a></div>", ""),
    ("ok-link", "links that say where they lead", '<a href="https://www.shop.example/x">shop.example</a> <a href="mailto:a@x.example">a@x.example</a> <a href="https://n.example/README.md">README.md</a> <a href="https://t.example/">SEEN</a>', ""),
    ("ok-image", "an image that says what the text says", '<h1>SEEN Shop</h1><img src="https://x.example/l.png" width=120 height=40 alt="Shop">', ""),
    ("ok-is", "a selector of selectors", "<style>:is(.x){display:none}:where(){display:none}p:is(.y),.b:not(.b){display:none}</style><p class=b>SEEN</p>", ""),
    ("ok-dropped", "what a browser drops is not there", '<p style="height:3auto;overflow:hidden;font-size:0pxl;color:rgb(255, x, 255)">SEEN</p>', ""),
    ("ok-var", "a value that is filled in", '<style>:root{--ink:#222}</style><p style="color:var(--ink);font-size:calc(12px + 1vw);margin:0 var(--m,4px)">SEEN</p>', ""),
    ("ok-animation", "an animation that ends as it began", "<style>@keyframes x{from{opacity:0}}</style><p style='animation:x 1s'>SEEN</p>", ""),
    ("ok-fade-in", "or ends seen", "<style>@keyframes x{to{opacity:1}}</style><p style='opacity:0;animation:x 1s forwards'>SEEN</p>", ""),
    ("ok-escaped-class", "a class whose name is escaped", "<style>.sm\\:hide{display:none}</style><p class=x>SEEN</p>", ""),
    ("ok-reset", "Gmail's and Outlook's fixes", "<style>#outlook a{padding:0}.ExternalClass *{line-height:100%}img{opacity:1}body{margin:0;-webkit-text-size-adjust:100%}table,td{mso-table-lspace:0}</style><p>SEEN</p>", ""),
    ("ok-noscript", "mail runs no scripts", "<noscript>SEEN</noscript>", ""),
]

CODES = {"colour": "hidden_colour", "unknown": "style_unknown", "mismatch": "link_mismatch",
         "tracking": "tracking_image"}


def message(name, why, html, warn):
    codes = " ".join(CODES.get(w, "hidden_" + w) for w in warn.split())
    seen = "SEEN" if "SEEN" in html else ""
    unseen = "SECRET" if "SECRET" in html else ""
    html = html.replace("SECRET", S).replace("SEEN", "SEEN words")
    body = "".join(html[i:i + 900] + "\r\n" if "\n" not in html and len(html) > 900 else html[i:i + 900]
                   for i in range(0, len(html), 900))
    return ("From: Ann <ann@x.example>\r\nTo: agent@x.example\r\n"
            f"Subject: {name}\r\nDate: Mon, 2 Mar 2026 10:00:00 +0000\r\nMessage-ID: <{name}@x.example>\r\n"
            f"X-Why: {why}\r\nX-Seen: {seen}\r\nX-Unseen: {unseen}\r\nX-Warn: {codes}\r\n"
            "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body + "\r\n")


def main():
    for row in ROWS:
        (HERE / f"{row[0]}.eml").write_bytes(message(*row).encode())


if __name__ == "__main__":
    main()
