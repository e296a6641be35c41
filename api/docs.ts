/** `/openapi.json` and `/docs` (Swagger UI, served from the package: no other host is asked). */
import express, { type Express } from 'express';
import { getAbsoluteFSPath } from 'swagger-ui-dist';
import type { Endpoint } from '../schemas/endpoint.ts';
import { openApi } from './openapi.ts';
import { version } from './version.ts';

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atelier API</title><link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png"></head>
<body><div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, persistAuthorization: true });`;

export function mountDocs(app: Express, endpoints: readonly Endpoint[]): void {
  const document = openApi(endpoints, version);
  app.get('/openapi.json', (_request, response) => void response.json(document));
  app.get('/docs', (_request, response) => void response.type('html').send(page));
  app.get('/docs/start.js', (_request, response) => void response.type('js').send(start));
  app.use('/docs', express.static(getAbsoluteFSPath(), { index: false, fallthrough: false, redirect: false }));
}
