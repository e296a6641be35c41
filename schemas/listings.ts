/** The lists that come with an operation: styles, aspect ratios, models. */
import Type from 'typebox';
import { orNull } from './fields.ts';

export const styleList = Type.Object(
  {
    family: Type.String(),
    styles: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'The value to send in a request.' }),
          name: Type.String(),
          description: Type.String(),
          seamless: Type.Boolean({ description: 'Whether the image tiles: its opposite edges match.' }),
          operations: Type.Array(Type.String(), { description: 'The operations that support this style.' }),
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
    default: orNull(
      Type.String(),
      "The aspect ratio of a request that sets neither an aspect ratio nor a size. Null means the image's own.",
    ),
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
    default: orNull(Type.String(), 'The model of a request that sets none. Null means all models.'),
    models: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'The value to send in a request.' }),
          name: Type.String(),
          description: Type.String(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
