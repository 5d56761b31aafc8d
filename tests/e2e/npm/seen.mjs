// SPDX-License-Identifier: Apache-2.0
// seen.mjs LIST: for each HTML file LIST names, a line of JSON: every text of
// the page with what decides in Chromium whether it can be seen.  No scripts
// of the page's own, no network; the window is 800 by 600.
import { browse, open } from './browser.mjs';

const look = () => {
  const out = [];
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (!/tok\d+q/.test(node.data)) continue;
    const style = getComputedStyle(node.parentElement);
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    let [ground, opacity, picture, size] = [null, 1, false, 1];
    for (let e = node.parentElement; e; e = e.parentElement) {
      const s = getComputedStyle(e);
      if (!ground && s.backgroundColor !== 'rgba(0, 0, 0, 0)') ground = s.backgroundColor;
      opacity *= parseFloat(s.opacity);
      if (s.filter !== 'none') opacity = Math.min(opacity, 0);
      picture ||= s.backgroundImage !== 'none';
    }
    out.push({ words: node.data, ink: style.webkitTextFillColor, ground: ground ?? 'rgb(255, 255, 255)',
      font: parseFloat(style.fontSize), visible: style.visibility === 'visible', opacity, picture,
      width: box.width, height: box.height, right: box.right, bottom: box.bottom });
  }
  return out;
};

await browse(async (page, path) => {
  await open(page, path);
  return { texts: await page.evaluate(look) };
});
