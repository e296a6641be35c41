/** Checks responses of the service against its OpenAPI document. */
import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { call } from './client.ts';

export interface Contract {
  document: Document;
  /** @param path in OpenAPI's format: `/v2/artworks/{id}` */
  check(method: string, path: string, response: { status: number; body: unknown }): void;
  /** Checks a value against the schema at these steps of the document. */
  checkAt(steps: string[], value: unknown): void;
}

export interface Document extends Record<string, unknown> {
  openapi: string;
  paths: Record<string, Record<string, object>>;
}

export async function readContract(baseUrl: string): Promise<Contract> {
  const { body: document } = await call<Document>(`${baseUrl}/openapi.json`);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['date', 'date-time', 'uri']);
  ajv.addFormat('webhook-url', true);
  ajv.addFormat('network', true);
  ajv.addFormat('image-source', true);
  ajv.addSchema(document, 'openapi');
  const checkAt: Contract['checkAt'] = (steps, value) => {
    const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const validate = ajv.compile({ $ref: `openapi#/${encodeURI(pointer)}` });
    validate(value);
    expect([steps.join(' '), validate.errors]).toEqual([steps.join(' '), null]);
  };
  return {
    document,
    checkAt,
    check(method, path, { status, body }) {
      const schema = ['responses', String(status), 'content', 'application/json', 'schema'];
      checkAt(['paths', path, method.toLowerCase(), ...schema], body);
    },
  };
}
