/** `npm run demo`: artworks of every operation through the front door, verified webhooks, and a contact sheet to look at. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Accepted, ArtworkEvent } from '../schemas/artwork.ts';
import { type Case, cases, type Photo } from './demo/cases.ts';
import { startReceiver } from './demo/receiver.ts';
import { reachService, type Service } from './demo/service.ts';
import { type Picture, type Row, writeHtml, writePng } from './demo/sheet.ts';

const photos = new URL('../test/photos/', import.meta.url);

const service = await reachService();
const receiver = await startReceiver(service.webhookSecret);
const folder = join(service.dataFolder, 'demo');
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = await uploadAll(service);
  const rows = await Promise.all(cases.map((one, index) => run(one, index, files)));
  const failed = rows.filter(({ outputs }) => outputs.length === 0).length;
  console.log(`\n${rows.length - failed} of ${rows.length} artworks, every webhook verified.`);
  console.log(`Contact sheet: ${await writeHtml(folder, rows)}\n               ${await writePng(folder, rows)}`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  receiver.close();
  await service.stop();
}

type Files = ReadonlyMap<Photo, { id: string; bytes: Buffer }>;

async function uploadAll({ baseUrl, adminKey }: Service): Promise<Files> {
  const names = new Set(cases.flatMap(({ images = {} }) => Object.values(images)));
  const files = new Map<Photo, { id: string; bytes: Buffer }>();
  for (const name of names) {
    const bytes = await readFile(new URL(`${name}.jpg`, photos));
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'image/jpeg' };
    const answer = await fetch(`${baseUrl}/v2/files`, { method: 'POST', headers, body: new Uint8Array(bytes) });
    if (answer.status !== 201) throw new Error(`POST /v2/files: ${answer.status} ${await answer.text()}`);
    files.set(name, { id: ((await answer.json()) as { id: string }).id, bytes });
  }
  return files;
}

async function run(one: Case, index: number, files: Files): Promise<Row> {
  const { operation, title, images = {}, body = {} } = one;
  const sent = Object.entries(images).map(([field, name]) => ({ field, ...fileOf(files, name) }));
  const ids: Record<string, string> = {};
  for (const { field, id } of sent) ids[field] = id;
  const began = performance.now();
  const { id } = await post(operation, { ...ids, ...body, webhookUrl: receiver.url });
  const event = await receiver.event(id);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const ok = event.status === 'SUCCEEDED';
  console.log(`${ok ? '✓' : '✗'} ${operation} · ${title} · ${seconds} s${ok ? '' : `: ${event.error?.message}`}`);
  const inputs = await Promise.all(sent.map(({ field, bytes }) => keep(`${index}-${field}.jpg`, bytes, field)));
  return { title: operation, subtitle: title, inputs, outputs: await outputs(event, index) };
}

function fileOf(files: Files, name: Photo) {
  const file = files.get(name);
  if (!file) throw new Error(`${name} was not uploaded`);
  return file;
}

async function post(operation: string, body: object): Promise<Accepted> {
  const answer = await fetch(`${service.baseUrl}/v2/artworks/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 202) throw new Error(`POST ${operation}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Accepted;
}

function outputs({ images }: ArtworkEvent, index: number): Promise<Picture[]> {
  return Promise.all(
    images.map(async ({ url, model, width, height, contentType }, nth) => {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      return keep(`${index}-out-${nth}.${contentType.split('/')[1]}`, bytes, `${model} ${width}×${height}`);
    }),
  );
}

async function keep(file: string, bytes: Buffer, caption: string): Promise<Picture> {
  await writeFile(join(folder, file), bytes);
  return { file, bytes, caption };
}
