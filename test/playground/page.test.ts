/** The playground: errors at their field, phones, keyboards, webhook signatures, and new operations. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hamilton } from '../../schemas/families/hamilton.ts';
import { quantum } from '../../schemas/families/quantum.ts';
import { selena } from '../../schemas/families/selena.ts';
import { photoPath } from '../../engines/local/test/photos.ts';
import { call } from '../support/client.ts';
import { openBrowser } from '../support/chromium.ts';
import { openPlayground, slowTimeout } from '../support/playground.ts';
import { startReceiver } from '../support/receiver.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([joinService('quick'), openBrowser()]);
}, 600_000);
afterAll(async () => {
  await browser.close();
});

test(
  'shows each error at its field and focuses the first one',
  async () => {
    const { page, choose, screenshot } = await openPlayground(browser, service);
    await choose('selena');
    await page.getByLabel('Prompt', { exact: false }).first().fill('');
    await page.getByLabel('Width').fill('257');
    await page.locator('.send').click();
    await page.locator('#selena-width-error').filter({ hasText: /\w/ }).waitFor();
    for (const field of ['prompt', 'width', 'height']) {
      expect(await page.locator(`#selena-${field}-error`).textContent()).toMatch(/\w+/);
      expect(await page.locator(`#selena-${field}`).getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator(`#selena-${field}`).getAttribute('aria-describedby')).toContain(
        `selena-${field}-error`,
      );
    }
    expect(await page.evaluate('document.activeElement.id')).toBe('selena-prompt');
    await screenshot('errors');
    await page.locator('#selena-prompt').fill('a fox');
    expect(await page.locator('#selena-prompt-error').textContent()).toBe('');
    // The error of a file that is not an image appears at its field.
    await choose('upscaling');
    await page
      .locator('#work [type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await page.locator('.send').click();
    await page
      .locator('#upscaling-image-error')
      .filter({ hasText: /PNG|image/ })
      .waitFor();
  },
  slowTimeout,
);

test(
  'shows an error at the API key when it is missing or invalid',
  async () => {
    const { page, choose } = await openPlayground(browser, { ...service, adminKey: '' });
    await choose('selena');
    await page.locator('.send').click();
    await page.getByText('Enter an API key').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('key');
    await page.getByLabel('API key').fill('atl_wrong');
    await page.locator('.send').click();
    await page.locator('#key-error').filter({ hasText: /key/i }).waitFor();
    expect(await page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]')).toEqual([1, 0, '']);
  },
  slowTimeout,
);

test(
  'shows why an artwork failed',
  async () => {
    const { page, choose, make } = await openPlayground(browser, service);
    await choose('selena');
    await page.locator('#selena-prompt').fill('hardcore porn');
    expect(await make()).toBe('Failed');
    expect(await page.locator('#result .error').textContent()).toContain('content_refused');
  },
  slowTimeout,
);

test.each(['light', 'dark'] as const)(
  'fits a phone of 360 pixels in the %s scheme',
  async (colorScheme) => {
    const viewport = { width: 360, height: 740 };
    const { page, choose, drop, make, screenshot } = await openPlayground(browser, service, { viewport, colorScheme });
    await choose('segmentation');
    await drop(photoPath('coffee'));
    await page.getByAltText('Click to place a point').click({ position: { x: 120, y: 60 } });
    expect(await make()).toBe('Succeeded');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await screenshot(`phone-${colorScheme}`);
    const tooSmall = await page.locator('button:visible, .face:visible, nav a:visible').evaluateAll(
      // Targets of at least 24 pixels each way: WCAG 2.2, 2.5.8.
      (all) =>
        (all as unknown as { getBoundingClientRect(): { width: number; height: number } }[]).filter((one) => {
          const { width, height } = one.getBoundingClientRect();
          return Math.min(width, height) < 24;
        }).length,
    );
    expect(tooSmall).toBe(0);
    await page.locator('nav summary').click();
    await page.locator('nav a[href="#textcraft"]').click();
    await page.locator('#work h2', { hasText: 'Write, rewrite, summarize' }).waitFor();
    expect(await page.locator('nav details').getAttribute('open')).toBeNull();
  },
  slowTimeout,
);

test(
  'works by keyboard alone',
  async () => {
    const { page, choose, screenshot } = await openPlayground(browser, service);
    await choose('selena');
    await page.reload();
    await page.locator('form').first().waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the form');
    await page.keyboard.press('Enter');
    const tabTo = async (id: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(`document.activeElement.matches('${id}')`)) return;
      }
      throw new Error(`The Tab key does not reach ${id}`);
    };
    await tabTo('#selena-prompt');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('a red fox');
    await tabTo('[name="selena-style"]');
    await page.keyboard.press('ArrowRight');
    await tabTo('#selena-width');
    await page.keyboard.type('256');
    await tabTo('#selena-height');
    await page.keyboard.type('256');
    await tabTo('.send');
    await screenshot('keyboard');
    await page.keyboard.press('Enter');
    await page.locator('#result .status').waitFor();
    expect(await page.locator('figure.made figcaption').textContent()).toContain('256×256');
    expect(await page.locator('#progress').getAttribute('role')).toBe('status');
  },
  slowTimeout,
);

test(
  'lists a delivery and verifies its signature in the page',
  async () => {
    const receiver = await startReceiver();
    const { page, choose, make, screenshot, complaints } = await openPlayground(browser, service);
    try {
      await choose('quantum');
      await page.getByLabel('Width').fill('256');
      await page.getByLabel('Height').fill('256');
      await page.getByText('Delivery and output').click();
      await page.getByLabel('Webhook URL').fill(receiver.url);
      expect(await make()).toBe('Succeeded');
      await page.locator('.deliveries td', { hasText: '200' }).waitFor();
      const [{ raw, headers } = { raw: Buffer.alloc(0), headers: {} }] = receiver.received;
      await page.getByText('Check a delivery’s signature').click();
      await page.getByLabel('Raw body').fill(raw.toString());
      await page.getByLabel('Headers').fill(
        Object.entries(headers)
          .map(([name, value]) => `${name}: ${String(value)}`)
          .join('\n'),
      );
      await page.getByLabel('Webhook secret').fill(service.webhookSecret);
      await page.getByRole('button', { name: 'Check the signature' }).click();
      await page.locator('.verdict.genuine', { hasText: 'artwork.succeeded' }).waitFor();
      await screenshot('webhook');
      await page.getByLabel('Raw body').fill(`${raw.toString()} `);
      await page.getByRole('button', { name: 'Check the signature' }).click();
      await page.locator('.verdict.refused').waitFor();
      await page.getByRole('button', { name: 'Fill in an example' }).click();
      await page.locator('.verdict.genuine').waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await receiver.close();
    }
  },
  slowTimeout,
);

test(
  'shows an operation that is new in the OpenAPI document',
  async () => {
    const { page } = await openPlayground(browser, service);
    await page.route('**/openapi.json', async (route) => {
      const document = (await (await route.fetch()).json()) as { paths: Record<string, unknown> };
      document.paths['/v2/artworks/stamp'] = document.paths['/v2/artworks/quantum'];
      await route.fulfill({ json: document });
    });
    await page.goto(`${service.baseUrl}/playground#stamp`);
    await page.reload();
    await page.locator('nav a[aria-current]', { hasText: 'stamp' }).waitFor();
    expect(await page.locator('#curl').textContent()).toContain('/v2/artworks/stamp');
  },
  slowTimeout,
);

test.each([200, 404, 405])(
  'reaches the result when the event stream returns %d, and shows its progress',
  async (status) => {
    const { page, choose, make } = await openPlayground(browser, service);
    // The document names the event stream, so the page uses it.
    await page.route('**/openapi.json', async (route) => {
      const document = (await (await route.fetch()).json()) as { paths: Record<string, unknown> };
      document.paths['/v2/artworks/{id}/events'] ??= {};
      await route.fulfill({ json: document });
    });
    const events = [
      'status\ndata: {"status":"STARTING"}',
      'progress\ndata: {"status":"PROCESSING","stage":"on the stream"}',
    ];
    const body = `: heartbeat\n\n${events.map((event, index) => `id: ${index}\nevent: ${event}\n\n`).join('')}`;
    await page.route('**/v2/artworks/*/events', (route) =>
      route.fulfill({ status, contentType: status === 200 ? 'text/event-stream' : 'application/json', body }),
    );
    const seen: string[] = [];
    await page.route(/\/v2\/artworks\/art_\w+$/, async (route) => {
      seen.push((await page.locator('#progress').textContent()) ?? '');
      await route.continue();
    });
    await page.reload();
    await choose('selena');
    await page.getByLabel('Width').fill('256');
    await page.getByLabel('Height').fill('256');
    expect(await make()).toBe('Succeeded');
    expect(seen[0]?.includes('In progress: on the stream')).toBe(status === 200);
  },
  slowTimeout,
);

test(
  'shows texts of clients and results as text',
  async () => {
    const { page, choose } = await openPlayground(browser, service);
    const hostile = '<img src="nothing" onerror="window.broken = true"><b>bold</b>';
    await page.route('**/v2/textcraft', (route) => route.fulfill({ json: { text: hostile, usage: {} } }));
    await choose('textcraft');
    await page.locator('#textcraft-prompt').fill(hostile);
    await page.locator('#work .send').click();
    await page.locator('#result').filter({ hasText: hostile }).waitFor();
    expect(await page.locator('#result b, #work b, #result img').count()).toBe(0);
    expect(await page.evaluate('window.broken')).toBeUndefined();
  },
  slowTimeout,
);

test('the page loads nothing from other hosts and runs only its own script', async () => {
  const { status, headers } = await call(`${service.baseUrl}/playground`);
  const policy = headers.get('content-security-policy');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(policy).toContain("default-src 'none';script-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  for (const path of ['nothing', 'tsconfig.json', '../app.ts', '%2e%2e/app.ts']) {
    expect([path, (await call(`${service.baseUrl}/playground/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await call(`${service.baseUrl}/playground`, { method: 'POST' })).status).toBe(405);
});

test('every style has a thumbnail', async () => {
  for (const { styles } of [selena, quantum, hamilton]) {
    for (const { id } of styles) {
      const { status, headers } = await call(`${service.baseUrl}/playground/styles/${id}.webp`);
      expect([id, status, headers.get('content-type')]).toEqual([id, 200, 'image/webp']);
    }
  }
});
