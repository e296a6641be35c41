/**
 * `npm run demo`: creates artworks of every operation through the API, verifies their webhooks, and makes a contact sheet.
 * With `npm run demo -- --language-model`, a small language model writes the texts instead of the embedded rules.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Album, openAlbum } from './demo/album.ts';
import { type Case, cases, type Photo, type StyleCase, styles } from './demo/cases.ts';
import { type Client, createClient } from './demo/client.ts';
import { showTexts } from './demo/language.ts';
import { startReceiver } from './demo/receiver.ts';
import { reachService } from './demo/service.ts';
import { type Picture, type Row, writeHtml, writePng } from './demo/sheet.ts';
import { type Anchor, styledRows, styleRow } from './demo/styles.ts';

const service = await reachService(process.argv.includes('--language-model'));
const { webhookSecret } = service;
if (webhookSecret === null) {
  await service.stop();
  throw new Error('demo.json has no webhook secret. The output of npm start gives the reason and says what to do.');
}
const receiver = await startReceiver(webhookSecret);
const folder = join(service.dataFolder, 'demo');
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const client = createClient(service, receiver);
  const album = openAlbum(folder);
  const failedTexts = await showTexts(client);
  const photos = await uploadAll(client, album);
  const anchorOf = ({ name, photos: names, prompt }: StyleCase): Anchor => ({
    name,
    pictures: names.map((photo) => photos[photo].picture),
    body: prompt === undefined ? { images: names.map((photo) => photos[photo].id) } : { prompt },
  });
  const rows = await Promise.all([
    ...cases.map((one, index) => caseRow(client, album, photos, one, index)),
    ...styles.map((style) => styleRow(client, album, anchorOf(style))),
  ]);
  rows.push(...(await styledRows(client, album, anchorOf(styles[0]), photos.astronaut)));
  const { made, failed } = album.counts;
  console.log(`\n${made} of ${made + failed} artworks, every webhook verified.`);
  console.log(`Contact sheet: ${await writeHtml(folder, rows)}\n               ${await writePng(folder, rows)}`);
  process.exitCode = failed + failedTexts === 0 ? 0 : 1;
} finally {
  receiver.close();
  await service.stop();
}

type Photos = Record<Photo, { id: string; picture: Picture }>;

async function uploadAll(client: Client, album: Album): Promise<Photos> {
  const names: Photo[] = ['astronaut', 'hopper', 'chelsea', 'coffee', 'rocket'];
  const uploaded = names.map(async (name) => {
    const bytes = await readFile(new URL(`../engines/local/test/photos/${name}.jpg`, import.meta.url));
    const picture = await album.keep(`${name}.jpg`, bytes, name);
    return [name, { id: await client.upload(bytes), picture }] as const;
  });
  return Object.fromEntries(await Promise.all(uploaded)) as Photos;
}

async function caseRow(client: Client, album: Album, photos: Photos, one: Case, index: number): Promise<Row> {
  const { operation, title, images = {}, body = {} } = one;
  const ids = Object.fromEntries(Object.entries(images).map(([field, name]) => [field, photos[name].id]));
  const event = await album.step(`${operation} · ${title}`, () => client.make(operation, { ...ids, ...body }));
  const inputs = Object.values(images).map((name) => photos[name].picture);
  return { title: operation, subtitle: title, inputs, outputs: await album.pictures(`${index}-${operation}`, event) };
}
