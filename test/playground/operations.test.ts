/** The playground in a real browser on the real service: every operation from its form to its result. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { faceModels } from '../../schemas/face-models.ts';
import { findOperations } from '../../services/operations.ts';
import { openBrowser } from '../support/chromium.ts';
import { openPlayground, slowTimeout, type Playground } from '../support/playground.ts';
import { type PhotoName, photoPath, smallPhoto } from '../../engines/local/test/photos.ts';
import { joinService, shared } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;
let browser: Browser;
let playground: Playground;

beforeAll(async () => {
  [service, browser] = await Promise.all([joinService('quick'), openBrowser()]);
  playground = await openPlayground(browser, service);
}, 600_000);
afterAll(async () => {
  await browser.close();
});

/** Writes the photograph with fewer pixels to a file of the run. Returns its path. */
async function smallFile(name: PhotoName): Promise<string> {
  const path = join(shared().folder, `small-${name}.jpg`);
  await writeFile(path, await smallPhoto(name));
  return path;
}

interface Filled {
  /** Number of input images beside the result. */
  given: number;
  /** Number of images in the result. */
  made: number;
}

type Fill = (form: Playground) => Promise<Filled>;

const small: Fill = async ({ page }) => {
  await page.getByLabel('Width').fill('256');
  await page.getByLabel('Height').fill('256');
  return { given: 0, made: 1 };
};

const ofPhoto =
  (name: PhotoName, made = 1): Fill =>
  async ({ drop }) => {
    await drop(photoPath(name));
    return { given: 1, made };
  };

const ofSmallPhoto =
  (name: PhotoName): Fill =>
  async ({ drop }) => {
    await drop(await smallFile(name));
    return { given: 1, made: 1 };
  };

/** Also selects a style, because the style of the example does not exist. */
const styled =
  (fill: Fill): Fill =>
  async (form) => {
    const filled = await fill(form);
    await form.page.getByLabel('Style DNA ID').selectOption({ index: 1 });
    return filled;
  };

const artworks: Record<string, Fill> = {
  selena: async (form) => {
    await form.page.locator('label', { hasText: 'Paper cut' }).click();
    return small(form);
  },
  quantum: small,
  hamilton: async (form) => {
    await form.page.getByRole('button', { name: 'Roll a seed' }).click();
    await form.page.locator('fieldset', { hasText: 'Num images' }).getByText('2', { exact: true }).click();
    return { ...(await small(form)), made: 2 };
  },
  'selena-variete': ofPhoto('chelsea'),
  'photo-pilot': ofPhoto('chelsea'),
  // One model of this service fails.
  'face-refiner': ofPhoto('hopper', faceModels.length - 1),
  'face-swap': async ({ drop }) => {
    await drop(photoPath('hopper'), 'Source image');
    await drop(photoPath('astronaut'), 'Target image');
    return { given: 2, made: 1 };
  },
  upscaling: ofSmallPhoto('chelsea'),
  'detailer-upscaler': async (form) => {
    await form.page.getByLabel('Detail').fill('0.9');
    return ofSmallPhoto('chelsea')(form);
  },
  'remove-background': ofPhoto('chelsea'),
  segmentation: async ({ page, drop }) => {
    await drop(photoPath('coffee'));
    const picture = page.getByAltText('Click to place a point');
    await picture.click({ position: { x: 180, y: 90 } });
    await picture.click({ position: { x: 12, y: 12 } });
    await page.getByLabel('Point 2, where it is').selectOption('not on it');
    // A request has either prompts or points, so adding points clears the prompts of the example.
    expect(await page.getByLabel('Prompts').inputValue()).toBe('');
    return { given: 1, made: 1 };
  },
  'depth-map': ofPhoto('coffee'),
  'style-dna/generate-anchor': async ({ page, drop }) => {
    await page.getByLabel('Name').fill('browns');
    await drop(photoPath('coffee'), 'Images');
    await drop(photoPath('chelsea'), 'Images');
    expect(await page.getByLabel('Prompt').inputValue()).toBe('');
    // The operation makes a style instead of an image; the next operations use the style.
    return { given: 2, made: 0 };
  },
  'style-dna/generate': styled(small),
  'style-dna/generate/asset': styled(small),
  'style-dna/edit': ofPhoto('chelsea'),
  'style-dna/edit/style-aware': styled(ofPhoto('chelsea')),
  'style-dna/remove-background': ofPhoto('chelsea'),
};

const headings: Record<string, string> = {
  textcraft: 'Text',
  'style-dna/refine-prompt': 'Prompt',
  'style-dna/generate-style-options': 'Options',
};

test('the menu and these tests contain every operation', async () => {
  const names = (await findOperations()).map(({ name }) => name).sort();
  const links = await playground.page.locator('nav a').all();
  const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
  expect(targets.map((href) => href?.slice(1)).sort()).toEqual(names);
  expect([...Object.keys(artworks), ...Object.keys(headings)].sort()).toEqual(names);
});

test.each(Object.entries(artworks))(
  '%s: from its form to its images',
  async (operation, fill) => {
    const { page, choose, make, screenshot, complaints } = playground;
    await choose(operation);
    const { given, made } = await fill(playground);
    expect([operation, await make()]).toEqual([operation, 'Succeeded']);
    const shown = await widths(page.locator('figure.made img'));
    expect([operation, shown.length, shown.includes(0)]).toEqual([operation, made, false]);
    expect((await widths(page.locator('figure.given img'))).length).toBe(given);
    await screenshot(operation.replaceAll('/', '-'));
    expect(complaints).toEqual([]);
  },
  2 * slowTimeout,
);

test.each(Object.entries(headings))(
  '%s: from its form to its text',
  async (operation, heading) => {
    const { page, choose, screenshot, complaints } = playground;
    await choose(operation);
    await page.evaluate("document.querySelector('#result').replaceChildren()");
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#result').getByRole('heading', { name: heading }).first().waitFor();
    expect((await page.locator('#result p').first().textContent())?.length).toBeGreaterThan(5);
    await screenshot(operation.replaceAll('/', '-'));
    expect(complaints).toEqual([]);
  },
  slowTimeout,
);

/** Returns the widths of the image files in pixels, once the files are loaded. */
const widths = (images: ReturnType<Playground['page']['locator']>): Promise<number[]> =>
  images.evaluateAll((all) =>
    Promise.all(
      (all as unknown as { decode(): Promise<void>; naturalWidth: number }[]).map(async (image) => {
        await image.decode();
        return image.naturalWidth;
      }),
    ),
  );
