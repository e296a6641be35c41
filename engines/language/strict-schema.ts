/** Converts a JSON Schema for servers with structured output: strict within OpenAI's strict subset, otherwise a hint. */
type Node = Record<string, unknown>;

const supported = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', '$ref', '$defs'],
  ...['description', 'pattern', 'minimum', 'maximum', 'multipleOf', 'minItems', 'maxItems'],
]);

/** Keywords that strict servers reject. The output is validated against the full schema anyway. */
const removed = new Set(['minLength', 'maxLength', 'uniqueItems', 'title', 'default', 'examples', '$schema', '$id']);

export function strictSchema(schema: object): { schema: object; strict: boolean } {
  const narrowed = isObject(schema) ? narrow(schema) : null;
  return narrowed ? { schema: narrowed, strict: true } : { schema, strict: false };
}

const isObject = (node: object): node is Node => 'type' in node && node.type === 'object';

/** Returns null when the subset cannot express the schema. */
function narrow(node: unknown): Node | null {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return null;
  const entries = Object.entries(node).filter(([key]) => !removed.has(key));
  if (!entries.every(([key]) => supported.has(key)) || (isObject(node) && !isClosed(node))) return null;
  const narrowed = entries.map(([key, value]) => [key, narrowValue(key, value)] as const);
  return narrowed.every(([, value]) => value !== null) ? Object.fromEntries(narrowed) : null;
}

function narrowValue(key: string, value: unknown): unknown {
  if (key === 'items') return narrow(value);
  if (key === 'anyOf') return all((value as unknown[]).map(narrow));
  if (key !== 'properties' && key !== '$defs') return value;
  const names = Object.keys(value as Node);
  const nodes = all(Object.values(value as Node).map(narrow));
  return nodes && Object.fromEntries(names.map((name, i) => [name, nodes[i]]));
}

const all = (nodes: (Node | null)[]): Node[] | null => (nodes.includes(null) ? null : (nodes as Node[]));

/** Returns whether the object has no other and no optional properties. */
function isClosed({ properties, required, additionalProperties }: Node): boolean {
  const names = Object.keys((properties as Node | undefined) ?? {});
  const needed = new Set(Array.isArray(required) ? (required as unknown[]) : []);
  return additionalProperties === false && names.length > 0 && names.every((name) => needed.has(name));
}
