// consent.mjs URL [yes|no] [CODE]: what a person does with a consent address,
// in headless Chromium: log in, press the button or the way out, enter the
// device flow's code.  Prints the text of the page it ended on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [url, will = 'yes', code] = process.argv.slice(2);
const account = 'agent@lab.example';
const profile = mkdtempSync(join(tmpdir(), 'emcli-consent-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: '/usr/bin/chromium',
  headless: true,
  args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
});
const page = await browser.newPage();
page.setDefaultTimeout(15000);
const has = (what) => page.locator(what).count();
const press = async (what) => {
  await page.locator(what).first().click();
  await page.waitForLoadState();
};

try {
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
  console.log((await page.textContent('body') || '').trim().slice(0, 500));
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
