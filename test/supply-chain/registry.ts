/** A registry that knows packages and their advisories. It speaks the protocol that `npm audit` uses. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** An advisory as registries send it. */
export interface RegistryAdvisory {
  id: number;
  url: string;
  title: string;
  severity: string;
  vulnerable_versions: string;
  cwe: string[];
  cvss: { score: number; vectorString: string | null };
}

/** The advisories by package, or the HTTP status with which the registry rejects the request for them. */
export type Advisories = Record<string, RegistryAdvisory[]> | number;

export interface Registry {
  url: string;
  /** The names and versions in the requests for advisories. */
  asked: Record<string, string[]>[];
  close(): Promise<void>;
}

export async function startRegistry(advisories: Advisories): Promise<Registry> {
  const asked: Registry['asked'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const send = (status: number, body: object) => {
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      };
      const name = decodeURIComponent(request.url?.slice(1) ?? '');
      if (request.method === 'GET') return send(200, packageDocument(name));
      if (name !== '-/npm/v1/security/advisories/bulk') return send(404, {});
      if (typeof advisories === 'number') return send(advisories, {});
      const names = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as Record<string, string[]>;
      asked.push(names);
      send(200, Object.fromEntries(Object.entries(advisories).filter(([one]) => one in names)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}/`, asked, close };
}

/** npm reads the versions of a package with an advisory to find out which of them are safe. */
function packageDocument(name: string): object {
  const versions = ['1.2.5', '1.2.8'].map((version) => [version, { name, version, dist: {} }] as const);
  return { name, 'dist-tags': { latest: '1.2.8' }, versions: Object.fromEntries(versions) };
}
