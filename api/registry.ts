/** Finds the operations: every file under `schemas/operations/` is one. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endpoints } from '../schemas/endpoints.ts';
import type { Endpoint } from '../schemas/endpoint.ts';
import { type Operation, operationEndpoints } from '../schemas/operation.ts';

const folder = fileURLToPath(new URL('../schemas/operations/', import.meta.url));

/** @throws Error that names the file which is not an operation */
export async function findOperations(): Promise<Operation[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts')).sort();
  const operations = await Promise.all(files.map((file) => loadOperation(join(folder, file))));
  const names = operations.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`Two files under schemas/operations declare the operation ${twice}`);
  return operations;
}

async function loadOperation(file: string): Promise<Operation> {
  let module: { operation?: Partial<Operation> };
  try {
    module = (await import(pathToFileURL(file).href)) as typeof module;
  } catch (cause) {
    throw new Error(`The operation file ${file} cannot be loaded`, { cause });
  }
  const { operation } = module;
  const missing = (['name', 'domain', 'summary', 'request', 'listings', 'complete', 'plan'] as const).filter(
    (field) => operation?.[field] === undefined,
  );
  if (!operation || missing.length > 0) {
    throw new Error(`The operation file ${file} must export "operation" with ${missing.join(', ')}`);
  }
  return operation as Operation;
}

/** Every public endpoint, in the order of the documentation. */
export function allEndpoints(operations: readonly Operation[]): Endpoint[] {
  return [...operations.flatMap(operationEndpoints), ...Object.values<Endpoint>(endpoints)];
}
