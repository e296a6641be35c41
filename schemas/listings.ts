/** What the lists of a model family look like to clients. */
import Type from 'typebox';
import { orNull } from './fields.ts';

export const styleList = Type.Object(
  {
    family: Type.String(),
    styles: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'What a request names.' }),
          name: Type.String(),
          description: Type.String(),
          seamless: Type.Boolean({ description: 'The image tiles: its opposite edges meet.' }),
          operations: Type.Array(Type.String(), { description: 'The operations that take it.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const aspectRatioList = Type.Object(
  {
    family: Type.String(),
    default: orNull(Type.String(), "Used when a request names neither a ratio nor a size; null: the image's own."),
    aspectRatios: Type.Array(
      Type.Object(
        { id: Type.String({ examples: ['16:9'] }), width: Type.Integer(), height: Type.Integer() },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const modelList = Type.Object(
  {
    family: Type.String(),
    default: orNull(Type.String(), 'Used when a request names none; null: all of them.'),
    models: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'What a request names.' }),
          name: Type.String(),
          description: Type.String(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
