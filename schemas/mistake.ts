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

/**
 * Returns the message for a keyword of JSON Schema, such as "must be at least 256".
 * @param params those of the validator's error
 */
export function messageFor(keyword: string, params: Readonly<Record<string, unknown>>): string {
  const { limit } = params;
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']]
        .flat()
        .map((type) => typeNames[String(type)])
        .join(' or ')}`;
    case 'minimum':
      return `must be at least ${String(limit)}`;
    case 'maximum':
      return `must be at most ${String(limit)}`;
    case 'exclusiveMinimum':
      return `must be greater than ${String(limit)}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`;
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}`;
    case 'minProperties':
      return `must have at least ${counted(limit, 'field')}`;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'field')}`;
    case 'uniqueItems':
      return 'must not contain duplicates';
    default:
      return 'is not valid';
  }
}
