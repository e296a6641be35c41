/** Serves `/openapi.json` and `/docs`: Swagger UI from its package, without requests to other hosts. */
import type { Express, RequestHandler } from 'express';
// The package's main module would load the whole Swagger UI into this process.
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { openApi } from './document.ts';
import { refuseMethod } from '../http/router.ts';
import { version } from '../../runtime/version.ts';

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atelier API</title><link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png"></head>
<body><div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;

// Without `validatorUrl: null`, the page would send the document to another host. A persisted key would stay in the
// browser for its next user.
const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});`;

/** The files that the page loads. The package contains more, such as a page that calls another host. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

export function mountDocs(app: Express, endpoints: readonly Endpoint[]): void {
  const document = openApi(endpoints, version);
  const root = getAbsoluteFSPath();
  const get = (path: string, handler: RequestHandler) => {
    app
      .route(path)
      .get(handler)
      .all(refuseMethod(['GET']));
  };
  get('/openapi.json', (_request, response) => void response.json(document));
  get('/docs', (_request, response) => void response.type('html').send(page));
  get('/docs/start.js', (_request, response) => void response.type('js').send(start));
  for (const name of assets) get(`/docs/${name}`, (_request, response) => response.sendFile(name, { root }));
}
