/** Shortens texts that are longer than their field can allow, before the validator examines every character of them. */

/** The keywords of a schema that lead to texts and limit them. */
interface TextSchema {
  maxLength?: number;
  properties?: Readonly<Record<string, TextSchema>>;
  additionalProperties?: TextSchema | boolean;
  items?: TextSchema;
}

/**
 * Returns the value; in place of a text that is certainly too long, one that is just too long, which fails `maxLength`
 * and no other rule. Changes objects and lists in place.
 */
export function shortenTexts(schema: TextSchema, value: unknown): unknown {
  if (typeof value === 'string') {
    // `length` counts code units, and `maxLength` code points, of which each has at most two units.
    const longest = 2 * (schema.maxLength ?? Infinity);
    return value.length > longest ? '-'.repeat(longest + 1) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const [name, inner] of Object.entries(fields)) {
    const field = Array.isArray(value) ? schema.items : fieldOf(schema, name);
    const short = typeof field === 'object' ? shortenTexts(field, inner) : inner;
    if (short !== inner) fields[name] = short;
  }
  return value;
}

function fieldOf({ properties, additionalProperties }: TextSchema, name: string): TextSchema | boolean | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}
