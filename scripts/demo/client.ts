/** Talks to the service as its clients do: uploads, creations whose end comes by webhook, answers. */
import type { Accepted, ArtworkEvent } from '../../schemas/artwork.ts';
import type { Receiver } from './receiver.ts';
import type { Service } from './service.ts';

export interface Client {
  /** @returns the file's id */
  upload(bytes: Uint8Array): Promise<string>;
  /** The verified event of the artwork. @param operation as artworks name it */
  make(operation: string, body: object): Promise<ArtworkEvent>;
  /** A synchronous answer. @param path after `/v2/` */
  ask<T>(path: string, body: object): Promise<T>;
}

export function createClient({ baseUrl, adminKey }: Service, receiver: Receiver): Client {
  async function post<T>(path: string, body: string | Uint8Array<ArrayBuffer>, contentType: string): Promise<T> {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': contentType };
    const response = await fetch(`${baseUrl}/v2/${path}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  const ask = <T>(path: string, body: object) => post<T>(path, JSON.stringify(body), 'application/json');
  return {
    ask,
    upload: async (bytes) => (await post<{ id: string }>('files', new Uint8Array(bytes), 'image/jpeg')).id,
    async make(operation, body) {
      const path = operation.startsWith('style-dna/') ? operation : `artworks/${operation}`;
      const { id } = await ask<Accepted>(path, { ...body, webhookUrl: receiver.url });
      return receiver.event(id);
    },
  };
}
