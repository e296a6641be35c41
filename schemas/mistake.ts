/** Mistakes in JSON that a schema rejects, with messages for people. */

/** An error in a configuration file of the operator. */
export interface Mistake {
  /** JSON pointer into the file. */
  path: string;
  message: string;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const counted = (count: unknown, noun: string) => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

type Params = Readonly<Record<string, unknown>>;

/** The message of each keyword of JSON Schema. */
const messages: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((name) => typeNames[String(name)])
      .join(' or ')}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${counted(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field')}`,
  uniqueItems: () => 'must not contain duplicates',
};

/**
 * Returns the message for a keyword of JSON Schema, such as "must be at least 256".
 * @param params those of the validator's error
 */
export const messageFor = (keyword: string, params: Params) => messages[keyword]?.(params) ?? 'is not valid';
