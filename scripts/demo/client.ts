/** Uses the service through the generated client: uploads files, creates artworks, and waits for their webhooks. */
import { type Client as Http, createClient as createHttp } from '../../clients/typescript/client/index.ts';
import { type Accepted, postFiles, type Problem } from '../../clients/typescript/index.ts';
import type { ArtworkEvent } from '../../schemas/artwork.ts';
import type { Receiver } from './receiver.ts';
import type { Service } from './service.ts';

export interface Client {
  /** Passed to the functions of the generated client. Its errors contain the service's message. */
  http: Http;
  /** @returns the file's id */
  upload(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
  /** Creates an artwork and returns its verified event. @param operation its name, such as `selena` */
  make(operation: string, body: object): Promise<ArtworkEvent>;
}

export function createClient({ baseUrl, adminKey }: Service, receiver: Receiver): Client {
  const http = createHttp({ baseUrl, auth: adminKey, throwOnError: true });
  http.interceptors.error.use((problem, response, request) => {
    const message = (problem as Partial<Problem> | null)?.message ?? String(problem);
    return new Error(`${request?.url}: ${response?.status ?? 'no response'} ${message}`);
  });
  return {
    http,
    upload: async (bytes) =>
      (await postFiles({ client: http, body: { file: new Blob([bytes]) }, throwOnError: true })).data.id,
    async make(operation, body) {
      // The demo's cases are data, so the generated functions of the operations are not used.
      const path = operation.startsWith('style-dna/') ? operation : `artworks/${operation}`;
      const { data } = await http.post<{ 202: Accepted }, unknown, true>({
        url: `/v2/${path}`,
        body: { ...body, webhookUrl: receiver.url },
        headers: { 'Content-Type': 'application/json' },
        security: [{ scheme: 'bearer', type: 'http' }],
      });
      return receiver.event(data.id);
    },
  };
}
