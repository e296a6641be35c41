/** Loads the operations: each file under `schemas/operations/` declares one. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StartupError } from '../runtime/startup-error.ts';
import { endpoints } from '../schemas/endpoints.ts';
import type { Endpoint } from '../schemas/endpoint.ts';
import { type Operation, operationEndpoints } from '../schemas/operation.ts';
import { checkOperation } from './check-operation.ts';

const folder = fileURLToPath(new URL('../schemas/operations/', import.meta.url));

/** @throws StartupError that names the file with an invalid operation */
export async function findOperations(): Promise<Operation[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts')).sort();
  const operations = await Promise.all(files.map((file) => loadOperation(join(folder, file))));
  for (const [index, { name }] of operations.entries()) {
    const first = operations.findIndex((other) => other.name === name);
    if (first < index) {
      throw new StartupError(
        `The operation files ${files[first]} and ${files[index]} both declare the operation ${name}. Rename one of the operations.`,
      );
    }
  }
  return operations;
}

async function loadOperation(file: string): Promise<Operation> {
  try {
    const { operation } = (await import(pathToFileURL(file).href)) as { operation?: Partial<Operation> };
    return checkOperation(operation);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartupError(`The operation file ${file} is not valid: ${reason}`, { cause });
  }
}

/** Returns every documented endpoint, in the order of the documentation. */
export function allEndpoints(operations: readonly Operation[]): Endpoint[] {
  return [...operations.flatMap(operationEndpoints), ...Object.values<Endpoint>(endpoints)];
}
