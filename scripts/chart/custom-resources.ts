/** Checks objects of KEDA and the Prometheus Operator against the schemas of their definitions. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { goModule } from '../local/go-module.ts';
import type { KubernetesObject } from './render.ts';

const keda = ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases'] as const;
const prometheus = [
  'github.com/prometheus-operator/prometheus-operator@v0.85.0',
  'example/prometheus-operator-crd',
] as const;

/** The Go module, the folder in it and the file of each definition. */
const definitions: Readonly<Record<string, readonly [module: string, folder: string, file: string]>> = {
  ScaledObject: [...keda, 'keda.sh_scaledobjects.yaml'],
  ServiceMonitor: [...prometheus, 'monitoring.coreos.com_servicemonitors.yaml'],
  PrometheusRule: [...prometheus, 'monitoring.coreos.com_prometheusrules.yaml'],
};

interface Definition {
  spec: { group: string; versions: { name: string; schema: { openAPIV3Schema: object } }[] };
}

/** Returns whether Kubernetes itself does not know the kind. */
export const isCustom = ({ kind }: KubernetesObject) => kind in definitions;

const validators = new Map<string, Promise<ValidateFunction>>();

/** Returns what is wrong with a custom object; an empty string if nothing is. */
export async function checkCustomResource(object: KubernetesObject): Promise<string> {
  const { apiVersion, kind, metadata } = object;
  const key = `${apiVersion} ${kind}`;
  const validator = validators.get(key) ?? readValidator(apiVersion, kind);
  validators.set(key, validator);
  const validate = await validator;
  if (validate(object)) return '';
  return `${kind} ${metadata.name}: ${new Ajv().errorsText(validate.errors, { separator: '\n' })}`;
}

async function readValidator(apiVersion: string, kind: string): Promise<ValidateFunction> {
  const [module, folder, file] = definitions[kind] ?? [];
  if (!module || !folder || !file) throw new Error(`There is no definition of ${kind}`);
  const { spec } = parse(await readFile(join(await goModule(module), folder, file), 'utf8')) as Definition;
  const version = spec.versions.find(({ name }) => `${spec.group}/${name}` === apiVersion);
  if (!version) throw new Error(`${kind} has no version ${apiVersion}`);
  // Kubernetes drops properties that a definition does not know; here they are mistakes.
  return new Ajv({ strict: false, validateFormats: false }).compile(closed(version.schema.openAPIV3Schema) as object);
}

/** Returns the schema with `additionalProperties: false` in every object that lists its properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  // JavaScript has no flags in patterns.
  if (String(parts['pattern']).startsWith('^(?i)')) delete parts['pattern'];
  const isList = typeof parts['properties'] === 'object' && parts['properties'] !== null && 'type' in parts;
  const isOpen = 'x-kubernetes-preserve-unknown-fields' in parts || 'additionalProperties' in parts;
  return isList && !isOpen ? { ...parts, additionalProperties: false } : parts;
}
