// seen.mjs LIST: for each HTML file LIST names, a line of JSON: every text of
// the page with what decides in Chromium whether it can be seen.  No scripts
// of the page's own, no network; the window is 800 by 600.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const profile = mkdtempSync(join(tmpdir(), 'emcli-seen-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: '/usr/bin/chromium',
  headless: true,
  javaScriptEnabled: false,
  offline: true,
  viewport: { width: 800, height: 600 },
  args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
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
try {
  const page = await browser.newPage();
  for (const path of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
    const go = () => page.goto(`file://${path}`, { waitUntil: 'domcontentloaded' });
    await go().catch(go);
    console.log(JSON.stringify({ path, texts: await page.evaluate(look) }));
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
