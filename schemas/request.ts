/** Request bodies, and rules across several of their fields: plain JSON Schema, with the failure message in `x-rule`. */
import Type, { type TObject, type TProperties } from 'typebox';

export interface RuleFailure {
  /** JSON pointer of the field to change. */
  path: string;
  rule: string;
  message: string;
}

/** The size of an image in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Returns a rule that rejects requests with both fields. */
export function exclusive(first: string, second: string): object {
  const failure: RuleFailure = {
    path: `/${second}`,
    rule: 'exclusive',
    message: `cannot be combined with ${first}. Send only one of them.`,
  };
  return { not: { type: 'object', required: [first, second] }, 'x-rule': failure };
}

/** Returns a rule that rejects requests with neither field. */
export function atLeastOne(first: string, second: string): object {
  const failure: RuleFailure = {
    path: `/${first}`,
    rule: 'required',
    message: `is required unless ${second} is present`,
  };
  return { not: { type: 'object', properties: { [first]: false, [second]: false } }, 'x-rule': failure };
}

/** Returns a rule that rejects requests in which `field` is `value` and `other` is `otherValue`. */
export function notWith(
  [field, value]: [string, unknown],
  [other, otherValue]: [string, unknown],
  message: string,
): object {
  const failure: RuleFailure = { path: `/${field}`, rule: 'combination', message };
  return {
    not: {
      type: 'object',
      required: [field, other],
      properties: { [field]: { const: value }, [other]: { const: otherValue } },
    },
    'x-rule': failure,
  };
}

/**
 * Returns the schema of a request body, which rejects unknown fields. A client can omit a field that has a default; the
 * static type has the field, because validation fills it in.
 * @param together fields that each require others: `{ width: ['height'] }`
 */
export function requestBody<Properties extends TProperties>(
  properties: Properties,
  rules: object[] = [],
  together: Record<string, string[]> = {},
): TObject<Properties> {
  const required = Object.keys(properties).filter((name) => {
    const field = properties[name];
    return field && !Type.IsOptional(field) && !('default' in field);
  });
  return {
    ...Type.Object(properties, { additionalProperties: false, required }),
    ...(rules.length > 0 && { allOf: rules }),
    ...(Object.keys(together).length > 0 && { dependentRequired: together }),
  };
}
