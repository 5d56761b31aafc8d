// pixels.mjs LIST: for each HTML file LIST names, a line of JSON that says
// whether Chromium draws it otherwise once MMMM is WWWW: whether that can be
// seen.  No scripts of the page's own, no network; the window is 800 by 600, an
// animation is shown as it ends.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const profile = mkdtempSync(join(tmpdir(), 'emcli-pixels-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: '/usr/bin/chromium',
  headless: true,
  javaScriptEnabled: false,
  offline: true,
  viewport: { width: 800, height: 600 },
  args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  const page = await browser.newPage();
  const draw = () => page.screenshot({ fullPage: true, animations: 'disabled' });
  const swap = () => {
    const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) walk.currentNode.data = walk.currentNode.data.replace('MMMM', 'WWWW');
  };
  for (const path of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
    const go = () => page.goto(`file://${path}`, { waitUntil: 'domcontentloaded' });
    await go().catch(go);
    const one = await draw();
    await page.evaluate(swap);
    console.log(JSON.stringify({ path, drawn: !one.equals(await draw()) }));
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
