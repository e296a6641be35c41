/** Lists in pages. */
import Type, { type TSchema } from 'typebox';
import { orNull } from './fields.ts';

export const pageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items on a page.' })),
  cursor: Type.Optional(Type.String({ description: 'The nextCursor of the page before.' })),
});

export const listOf = (item: TSchema) =>
  Type.Object(
    {
      items: Type.Array(item),
      nextCursor: orNull(Type.String(), 'Asks for the next page; null on the last one.'),
    },
    { additionalProperties: false },
  );

/** A list that is always answered whole. */
export const wholeListOf = (item: TSchema) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Null() }, { additionalProperties: false });
