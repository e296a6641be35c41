/** The playground in a real browser, as a person uses it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Service } from './stack.ts';

/** Milliseconds, for a busy machine. */
export const slowTimeout = 180_000;

/** Folder for screenshots, which only people look at. If it is not set, tests take none. */
const folder = process.env['ATELIER_TEST_SCREENSHOTS'];

export interface Playground {
  page: Page;
  /** Errors and warnings of the browser: scripts, styles, the content security policy. */
  complaints: string[];
  /** Opens the form of an operation. */
  choose(operation: string): Promise<void>;
  /** Selects a file for the image field whose label begins with `label`, by default "Image". */
  drop(file: string, label?: string): Promise<void>;
  /** Sends the form, waits until the artwork has ended, and returns its status: `Succeeded` or `Failed`. */
  make(): Promise<string>;
  screenshot(name: string): Promise<void>;
}

export async function openPlayground(
  browser: Browser,
  { baseUrl, adminKey }: Pick<Service, 'baseUrl' | 'adminKey'>,
  options: BrowserContextOptions = {},
): Promise<Playground> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
  context.setDefaultTimeout(slowTimeout);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  await page.goto(`${baseUrl}/playground`);
  await page.locator('form').first().waitFor();
  await page.getByLabel('API key').fill(adminKey);
  await page.getByLabel('API key').blur();
  const status = page.locator('#result .status');
  return {
    page,
    complaints,
    async choose(operation) {
      await page.goto(`${baseUrl}/playground#${operation}`);
      await page.locator(`nav a[aria-current][href="#${operation}"]`).waitFor({ state: 'attached' });
    },
    drop: (file, label = 'Image') =>
      page
        .locator('#work [type=file]')
        .and(page.getByLabel(new RegExp(`^${label}`)))
        .setInputFiles(file),
    async make() {
      await page.evaluate("document.querySelector('#result').replaceChildren()");
      await page.locator('#work .send').click();
      await status.waitFor();
      return (await status.textContent()) ?? '';
    },
    async screenshot(name) {
      if (!folder) return;
      await mkdir(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    },
  };
}
