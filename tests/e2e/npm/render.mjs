// render.mjs LIST: for each HTML file LIST names, a line of JSON with what a
// person sees in Chromium: its innerText, and the milliseconds that took from
// the HTML on.  No scripts, no network; the window is 800 by 600.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const profile = mkdtempSync(join(tmpdir(), 'emcli-render-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: '/usr/bin/chromium',
  headless: true,
  javaScriptEnabled: false,
  offline: true,
  viewport: { width: 800, height: 600 },
  args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND'],
});
try {
  const page = await browser.newPage();
  await page.route('**/*', (route) => route.abort());
  for (const path of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
    const html = readFileSync(path, 'utf8');
    const begin = performance.now();
    await page.setContent(html, { waitUntil: 'domcontentloaded' });
    const text = await page.evaluate(() => (document.body ? document.body.innerText : ''));
    console.log(JSON.stringify({ path, text, ms: performance.now() - begin }));
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
