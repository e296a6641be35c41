/** Adds a large image to an artwork, so that a download of it takes a while. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Image } from '../../store/entities.ts';
import { openLinks } from '../../store/links.ts';
import { openVault } from '../../store/vault.ts';
import { create, ended } from './client.ts';
import { openTestDatabase } from './open-database.ts';
import type { Service } from './stack.ts';

const name = 'image-1.large.png';

export interface LargeImage {
  /** The signed link. */
  link: string;
  /** The path of the file, which the test writes. */
  file: string;
}

/** @param bytes the size that the database has for the file */
export async function addLargeImage(service: Service, bytes: number): Promise<LargeImage> {
  const { id } = await create(service, { prompt: 'a fox', width: 256, height: 256 });
  await ended(service, id);
  const db = openTestDatabase(service.databaseUrl);
  const facts = { width: 64, height: 64, seed: null, model: 'test', role: 'image' as const, sha256: '0'.repeat(64) };
  await db.em().insert(Image, { name, contentType: 'image/png', bytes, ...facts, artwork: id });
  await db.close();
  const inTenMinutes = new Date(Date.now() + 600_000);
  return {
    link: openLinks(openVault(service.secret), service.baseUrl).make(id, name, inTenMinutes),
    file: join(service.dataFolder, 'images', id, name),
  };
}

/** Begins a download whose request has this id. */
export async function download(link: string, requestId: string): Promise<IncomingMessage> {
  const outgoing = get(link, { headers: { 'x-request-id': requestId }, agent: false });
  outgoing.on('error', () => undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}
