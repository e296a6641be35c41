/** Fills a JSON Schema by the names of its properties, and validates the result. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { EngineError } from '../../contract/index.ts';
import { cutAt } from './budget.ts';
import { cannot } from './refusals.ts';

/** Texts that can fill a property. */
export interface Content {
  text: string;
  title: string;
  body: string;
  callToAction: string;
  summary: string;
  list: string[];
  /** The value for a schema without named properties. */
  open: Record<string, unknown>;
}

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  maxLength?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const unfilled = Symbol('unfilled');

const texts: readonly (readonly [RegExp, keyof Omit<Content, 'open' | 'list'>])[] = [
  [/^(?:calltoaction|cta|action|button(?:text)?)$/u, 'callToAction'],
  [/^(?:headline|title|heading|subject|name|tagline|slogan)$/u, 'title'],
  [/^(?:summary|abstract|tldr|synopsis|gist)$/u, 'summary'],
  [/^(?:body|paragraph|copy|description|message)$/u, 'body'],
  [/^(?:text|content|result|output|answer|rewrite|rewritten|rewrittentext|response|value)$/u, 'text'],
];
const lists =
  /^(?:sentences|bullets|bulletpoints|points|keypoints|highlights|takeaways|features|items|lines|list|benefits|paragraphs|steps)$/u;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/gu, '');
const of = (schema: Schema, type: string): boolean =>
  Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type;

/** @throws EngineError if the schema requires other content */
export function shaped(schema: object, content: Content): string {
  // A client's pattern can take exponential time.
  if (/"pattern(?:Properties)?":/u.test(JSON.stringify(schema))) throw cannot('keep to a JSON schema with patterns');
  const value = filled(schema, 'text', content);
  if (value !== unfilled && accepts(schema, value)) return JSON.stringify(value);
  if (!accepts(schema, content.open)) throw cannot('keep to this JSON schema');
  return JSON.stringify(content.open);
}

function filled(schema: Schema, name: string, content: Content): unknown {
  for (const choice of schema.anyOf ?? schema.oneOf ?? []) {
    const value = filled(choice, name, content);
    if (value !== unfilled) return value;
  }
  if (schema.properties) return object(schema.properties, schema.required ?? [], content);
  if (of(schema, 'object') || (schema.type === undefined && name === 'text')) return content.open;
  if (of(schema, 'array')) return array(schema, name, content);
  if (of(schema, 'string')) return string(schema, name, content);
  return unfilled;
}

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[], content: Content): unknown {
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const part = filled(property, plain(name), content);
    if (part !== unfilled) value[name] = part;
  }
  const lacking = required.some((name) => !Object.hasOwn(value, name));
  return lacking || Object.keys(value).length === 0 ? unfilled : value;
}

function array(schema: Schema, name: string, { list }: Content): unknown {
  const strings = schema.items === undefined || of(schema.items, 'string');
  if (!strings || (!lists.test(name) && name !== 'text') || list.length === 0) return unfilled;
  return list.slice(0, schema.maxItems ?? list.length).map((item) => cutAt(item, schema.items?.maxLength ?? Infinity));
}

function string(schema: Schema, name: string, content: Content): unknown {
  const key = texts.find(([pattern]) => pattern.test(name))?.[1];
  const text = key === undefined ? '' : content[key];
  if (text === '') return unfilled;
  const cut = cutAt(text, schema.maxLength ?? Infinity);
  return cut === text ? text : cut.replace(/(?<![\s,:;–-])[\s,:;–-]+$/u, '');
}

/** Created once, at first use, because compiling the meta-schema is slow; keeps no schema of a request. */
let ajv: Ajv2020 | undefined;
const compiled = new WeakMap<object, ValidateFunction>();

/** @throws EngineError if the schema is no JSON Schema */
export function accepts(schema: object, value: unknown): boolean {
  if (Object.keys(schema).join() === 'type') return of(schema, typeof value);
  const check = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, check);
  return check(value);
}

function compile(schema: object): ValidateFunction {
  ajv ??= new Ajv2020({ strict: false, validateFormats: false, logger: false, addUsedSchema: false });
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw new EngineError('input_invalid', 'The schema of the format is not a JSON Schema.', {
      cause: error,
      publicMessage: 'The schema of the format is not a valid JSON Schema.',
    });
  } finally {
    ajv.removeSchema(schema);
  }
}
