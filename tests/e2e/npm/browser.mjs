// SPDX-License-Identifier: Apache-2.0
// browser.mjs: Chromium for the scripts beside it and for bench/.  No scripts of
// the page's own, no network; the window is 800 by 600.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

// For each file that the list in the first argument names, a line of JSON with
// what ask(page, path) says of it; prepare(page) comes before all of them.
export async function browse(ask, prepare = () => {}) {
  const profile = mkdtempSync(join(tmpdir(), 'emcli-browser-'));
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
    await prepare(page);
    for (const path of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
      console.log(JSON.stringify({ path, ...await ask(page, path) }));
    }
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

// The first page of a new browser may be interrupted by its own blank one.
export async function open(page, path) {
  const go = () => page.goto(`file://${path}`, { waitUntil: 'domcontentloaded' });
  await go().catch(go);
}
