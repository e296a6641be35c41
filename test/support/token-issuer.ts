/** Issues bearer tokens that a Temporal server accepts, and publishes the key with which it checks them. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenIssuer {
  /** URL of the JWKS. */
  keys: string;
  /** @param permissions such as `default:write`; `temporal-system:admin` permits everything */
  issue(...permissions: string[]): string;
  close(): Promise<void>;
}

export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const header = { alg: 'ES256', typ: 'JWT', kid: 'test' };
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: header.kid, alg: header.alg, use: 'sig' }] };
  const server = createServer((_request, response) => response.end(JSON.stringify(jwks)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    keys: `http://127.0.0.1:${port}/keys`,
    issue(...permissions) {
      const expires = Math.floor(Date.now() / 1000) + 3600;
      const signed = `${encode(header)}.${encode({ sub: 'test', exp: expires, permissions })}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
