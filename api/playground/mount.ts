/** Serves `/playground`: static files that build their forms from `/openapi.json`, without requests to other hosts. */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import { refuseMethod } from '../http/router.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** The module that receivers copy and that the page verifies signatures with. */
const verifier = new URL('../../clients/verify-webhook.ts', import.meta.url);

/**
 * `blob:` allows previews of chosen images. Trusted types keep text from becoming HTML.
 * @param imageOrigin the origin to which image links redirect, or null
 */
const contentSecurityPolicy = (imageOrigin: string | null) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'blob:', ...(imageOrigin === null ? [] : [imageOrigin])],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
  },
});

const served = /\.(html|css|js|svg|webp)$/;

export function mountPlayground(app: Express, imageOrigin: string | null): void {
  const headers = helmet({ contentSecurityPolicy: contentSecurityPolicy(imageOrigin) });
  const get = (path: string, handler: RequestHandler) => {
    app
      .route(`/playground${path}`)
      .get(headers, handler)
      .all(refuseMethod(['GET']));
  };
  const send =
    (name: string): RequestHandler =>
    (_request, response) =>
      response.sendFile(name, { root: folder });
  const script = stripTypeScriptTypes(readFileSync(verifier, 'utf8'));
  get('', send('index.html'));
  get('/verify-webhook.js', (_request, response) => void response.type('js').send(script));
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => served.test(name));
  for (const name of names) get(`/${name}`, send(name));
}
