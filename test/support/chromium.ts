/** A real browser for tests: the machine's Chromium, or Debian's, which apt-get installs when the tests run as root. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { tryLock } from '../../runtime/lock.mjs';

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

async function chromiumPath(): Promise<string> {
  return find() ?? (await install());
}

function find(): string | null {
  const named = process.env['ATELIER_TEST_CHROMIUM'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? null;
}

async function install(): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error(`${advice} Tests that run as root install it themselves.`);
  // Test files run side by side, and apt-get allows one process at a time.
  for (;;) {
    const lock = tryLock(join(tmpdir(), 'atelier-chromium.lock'));
    if (!lock.held) {
      await sleep(1000);
      continue;
    }
    try {
      const before = find();
      if (before) return before;
      console.log('Installing Chromium with apt-get …');
      aptGet('update');
      aptGet('install', '--yes', '--no-install-recommends', debianPackage);
      const now = find();
      if (now) return now;
      throw new Error(`${advice} apt-get has installed it, but it is not on PATH.`);
    } finally {
      lock.release();
    }
  }
}

const advice = `The tests of the playground need Chromium: install it ("apt-get install ${debianPackage}"), or name one in ATELIER_TEST_CHROMIUM.`;

function aptGet(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${advice} apt-get ${args[0]} failed: ${error?.message ?? stderr.trim()}`);
}
