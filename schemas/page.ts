/** Paginated lists. */
import Type, { type TSchema } from 'typebox';
import { orNull } from './fields.ts';

export const pageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Maximum number of items on a page.' }),
  ),
  cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' })),
});

export const listOf = (item: TSchema) =>
  Type.Object(
    {
      items: Type.Array(item),
      nextCursor: orNull(Type.String(), 'Send this value as `cursor` to get the next page; null on the last page.'),
    },
    { additionalProperties: false },
  );

/** A list that always fits on one page. */
export const wholeListOf = (item: TSchema) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Null() }, { additionalProperties: false });
