/** An uploaded file as its client sees it. */
import Type, { type Static } from 'typebox';
import { dateTime } from './fields.ts';
import { imageTypes } from './image.ts';

export const uploadedFile = Type.Object(
  {
    id: Type.String({
      description: 'What image fields of a request take.',
      examples: ['file_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'],
    }),
    contentType: Type.Enum([...imageTypes]),
    width: Type.Integer({ description: 'Pixels, upright.' }),
    height: Type.Integer({ description: 'Pixels, upright.' }),
    bytes: Type.Integer({ description: 'Size of the file.' }),
    expiresAt: dateTime('When it is deleted.'),
  },
  { additionalProperties: false },
);
export type UploadedFileView = Static<typeof uploadedFile>;
