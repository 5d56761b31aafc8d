// SPDX-License-Identifier: Apache-2.0
// pixels.mjs LIST: for each HTML file LIST names, a line of JSON that says
// whether Chromium draws it otherwise once MMMM is WWWW: whether that can be
// seen.  No scripts of the page's own, no network; the window is 800 by 600, an
// animation is shown as it ends.
import { browse, open } from './browser.mjs';

const swap = () => {
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) walk.currentNode.data = walk.currentNode.data.replace('MMMM', 'WWWW');
};

await browse(async (page, path) => {
  const draw = () => page.screenshot({ fullPage: true, animations: 'disabled' });
  await open(page, path);
  const one = await draw();
  await page.evaluate(swap);
  return { drawn: !one.equals(await draw()) };
});
