/** An uploaded file as clients read it. */
import Type, { type Static } from 'typebox';
import { dateTime } from './fields.ts';
import { imageTypes } from './image.ts';

export const uploadedFile = Type.Object(
  {
    id: Type.String({
      description: 'Unique identifier of the file. Send it as the value of any image field.',
      examples: ['file_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'],
    }),
    contentType: Type.Enum([...imageTypes]),
    width: Type.Integer({ description: 'Width of the upright image in pixels.' }),
    height: Type.Integer({ description: 'Height of the upright image in pixels.' }),
    bytes: Type.Integer({ description: 'Size of the file in bytes.' }),
    expiresAt: dateTime('When the file is deleted.'),
  },
  { additionalProperties: false },
);
export type UploadedFileView = Static<typeof uploadedFile>;
