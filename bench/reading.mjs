// SPDX-License-Identifier: Apache-2.0
// reading.mjs LIST: for each HTML file LIST names, a line of JSON with what a
// person sees of it in Chromium: `seen`, the page's innerText without the texts
// that cannot be seen; `sure`, without those either that can hardly be told from
// their ground; and `unseen`, those of neither.  No scripts, no network; the
// window is 800 by 600.  Run where tests/e2e/npm/install puts browser.mjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { browse } = await import(pathToFileURL(join(process.cwd(), 'browser.mjs')));

const look = () => {
  if (!document.body) return { seen: '', sure: '', unseen: '' };
  const [NO, HARDLY, YES] = [0, 1, 2];
  const FAR = 20000; // nobody scrolls over so much of nothing
  const colour = (text) => {
    const v = (text.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
    return v.length > 3 ? v : [...v, 1];
  };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (x, y) => (Math.max(light(x), light(y)) + 0.05) / (Math.min(light(x), light(y)) + 0.05);
  const isChosen = (e) => e.selected || e.closest('select')?.multiple || e.closest('select')?.size > 1;
  // Of the boxes that cut off what is outside of them: is a bit of it left?
  const isCutOff = (node, box) => {
    let [l, t, r, b] = [box.left + scrollX, box.top + scrollY, box.right + scrollX, box.bottom + scrollY];
    for (let e = node.parentElement; e && e !== document.body; e = e.parentElement) {
      const s = getComputedStyle(e);
      if (s.position === 'fixed' || s.display === 'inline' || s.display === 'contents') continue;
      if (s.overflowX === 'visible' && s.overflowY === 'visible') continue;
      const c = e.getBoundingClientRect();
      if (s.overflowX !== 'visible') [l, r] = [Math.max(l, c.left), Math.min(r, c.right)];
      if (s.overflowY === 'hidden' || s.overflowY === 'clip') [t, b] = [Math.max(t, c.top), Math.min(b, c.bottom)];
    }
    return r - l < 1 || b - t < 1;
  };
  let bottom = 0; // of all that was seen
  const isSeen = (node) => {
    const e = node.parentElement;
    const option = e.closest('option');
    if (option) return isChosen(option) ? YES : NO;
    if (!e.checkVisibility()) return NO;
    const style = getComputedStyle(e);
    if (style.visibility !== 'visible' || parseFloat(style.fontSize) < 2.9) return NO;
    const field = e.closest('textarea');
    const range = document.createRange();
    range.selectNodeContents(field ?? node);
    const box = (field ?? range).getBoundingClientRect();
    const moves = e.closest('marquee');
    if (!moves && (box.width === 0 || box.height === 0 || box.right <= 0 || box.bottom <= 0 || isCutOff(node, box))) return NO;
    if (box.top > bottom + FAR) return NO;
    let [ground, opacity, picture] = [null, 1, false];
    for (let p = e; p; p = p.parentElement) {
      const s = getComputedStyle(p);
      opacity *= parseFloat(s.opacity);
      if (ground) continue;
      picture ||= s.backgroundImage !== 'none';
      if (colour(s.backgroundColor)[3] > 0) ground = colour(s.backgroundColor);
    }
    const ink = colour(style.webkitTextFillColor);
    ground ??= [255, 255, 255, 1];
    if (opacity < 0.05 || ink[3] < 0.03) return NO;
    bottom = Math.max(bottom, box.bottom);
    if (picture || ground[3] < 1) return YES;
    if (Math.max(...[0, 1, 2].map((i) => Math.abs(ink[i] - ground[i]))) <= 5) return NO;
    return contrast(ink, ground) < 1.15 || opacity < 0.15 ? HARDLY : YES;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const [gone, faint, fields] = [[], [], []];
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (!node.data.trim()) continue;
    const how = isSeen(node);
    if (how === NO) gone.push(node);
    else if (node.parentElement.closest('textarea')) fields.push(node.data); // no part of innerText
    else if (how === HARDLY) faint.push(node);
  }
  const unseen = gone.filter((n) => !n.parentElement.closest('style,script')).map((n) => n.data).join(' ');
  const text = () => [document.body.innerText, ...fields].join('\n');
  for (const node of gone) node.data = '';
  const seen = text();
  for (const node of faint) node.data = '';
  return { seen, sure: text(), unseen };
};

let html = '';
await browse(async (page, path) => {
  html = readFileSync(path, 'utf8');
  const go = async () => {
    await page.goto('http://page.invalid/', { waitUntil: 'domcontentloaded', timeout: 60000 });
    return page.evaluate(look);
  };
  return go().catch(go).catch((e) => ({ error: String(e).slice(0, 200) }));
}, (page) => page.route('**/*', (route) => (route.request().isNavigationRequest() && route.request().frame() === page.mainFrame()
  ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }) : route.abort())));
