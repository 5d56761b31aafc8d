// SPDX-License-Identifier: Apache-2.0
// render.mjs LIST: for each HTML file LIST names, a line of JSON with what a
// person sees in Chromium: its innerText, and the milliseconds that took from
// the HTML on.  No scripts, no network; the window is 800 by 600.
import { readFileSync } from 'node:fs';
import { browse } from './browser.mjs';

await browse(async (page, path) => {
  const html = readFileSync(path, 'utf8');
  const begin = performance.now();
  await page.setContent(html, { waitUntil: 'domcontentloaded' });
  const text = await page.evaluate(() => (document.body ? document.body.innerText : ''));
  return { text, ms: performance.now() - begin };
}, (page) => page.route('**/*', (route) => route.abort()));
