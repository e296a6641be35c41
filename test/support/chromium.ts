/** A real browser for tests: the machine's Chromium, or Debian's, which apt-get installs when the tests run as root. */
import { type Browser, chromium } from 'playwright-core';
import { debianProgram } from '../../scripts/local/debian-package.ts';

/** The build without windows comes first: the tests take half the processor time of the full browser. */
const debianPackage = 'chromium-headless-shell';
const names = [debianPackage, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @throws Error that says how to install Chromium */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    // Chromium's sandbox does not work for root. The tests do not need it, because they open only our own pages.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu', '--disable-dev-shm-usage'],
  });
}

function chromiumPath(): Promise<string> {
  const named = process.env['ATELIER_TEST_CHROMIUM'];
  return named ? Promise.resolve(named) : debianProgram({ names, debianPackage, advice });
}

const advice = `The tests of the playground need Chromium: install it ("apt-get install ${debianPackage}"), or name one in ATELIER_TEST_CHROMIUM.`;
