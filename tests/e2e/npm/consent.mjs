// SPDX-License-Identifier: Apache-2.0
// consent.mjs: what a person does with a consent address, in headless Chromium:
// log in, press the button or the way out, enter the device flow's code.  Each
// line of standard input is [URL, "yes" or "no", CODE or null]; for each comes
// back a line {"text"} of the page it ended on, or {"error"}.  All share one
// Chromium, and no two a cookie.
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const account = 'agent@lab.example';
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  headless: true,
  timeout: 120000,
  args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
});

async function visit(page, [url, will, code]) {
  const has = (what) => page.locator(what).count();
  const press = async (what) => {
    await page.locator(what).first().click();
    await page.waitForLoadState();
  };
  page.setDefaultTimeout(60000);
  await page.goto(url);
  for (let i = 0; i < 8; i++) {
    if (code && await has('input[name=user_code]:visible')) {
      await page.fill('input[name=user_code]', code);
      await press('button[type=submit]');
    } else if (await has('input[name=login]')) {
      await page.fill('input[name=login]', account);
      await page.fill('input[name=password]', 'x');
      await press('button[type=submit]');
    } else if (will === 'no' && await has('a[href*=abort]')) {
      await press('a[href*=abort]');
    } else if (await has(`form:has(input[value="${account}"]) button`)) {
      await press(`form:has(input[value="${account}"]) button`);
    } else if (await has('button[type=submit]')) {
      await press('button[type=submit]');
    } else {
      break;
    }
  }
  return (await page.textContent('body') || '').trim().slice(0, 500);
}

try {
  for await (const line of createInterface({ input: process.stdin })) {
    const person = await browser.newContext();
    try {
      console.log(JSON.stringify({ text: await visit(await person.newPage(), JSON.parse(line)) }));
    } catch (e) {
      console.log(JSON.stringify({ error: String(e) }));
    }
    await person.close();
  }
} finally {
  await browser.close();
}
