/** What the lists of a model family look like to clients. */
import Type from 'typebox';

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
    default: Type.String({ description: 'Used when a request names neither a ratio nor a size.' }),
    aspectRatios: Type.Array(
      Type.Object(
        { id: Type.String({ examples: ['16:9'] }), width: Type.Integer(), height: Type.Integer() },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
