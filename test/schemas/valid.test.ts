/** Every schema that the service compiles is a valid JSON Schema; the service itself does not check it at each start. */
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { endpoints } from '../../schemas/endpoints.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { enginesFile } from '../../schemas/engines-file.ts';
import { priceListSchema } from '../../schemas/price-list.ts';
import { findOperations } from '../../services/operations.ts';

const operations = await findOperations();
const schemas: Record<string, object> = {
  'the engines file': enginesFile,
  'the price list': priceListSchema(operations),
  ...Object.fromEntries(operations.map(({ name, request }) => [`the request of ${name}`, request])),
  ...Object.fromEntries(
    Object.entries<Endpoint>(endpoints).flatMap(([name, { body }]) => (body ? [[`the body of ${name}`, body]] : [])),
  ),
};

test.each(Object.entries(schemas))('%s is a valid JSON Schema', async (_name, schema) => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  await ajv.validateSchema(schema);
  expect(ajv.errors).toBeNull();
});
