/** Deletes all objects below a prefix of a bucket. */
import { DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { within } from '../../runtime/deadline.ts';

interface Place {
  bucket: string;
  /** Ends with a slash. */
  prefix: string;
  /** Milliseconds for each request. */
  timeout: number;
}

/** Lists and deletes until nothing is left, so that objects written meanwhile are deleted, too. */
export async function emptyPrefix(client: S3Client, { bucket: Bucket, prefix, timeout }: Place): Promise<void> {
  for (;;) {
    const list = new ListObjectsV2Command({ Bucket, Prefix: prefix });
    // A page has at most 1000 objects: as many as one request can delete.
    const { Contents = [] } = await within(timeout, (abortSignal) => client.send(list, { abortSignal }));
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length === 0) return;
    const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
    const { Errors = [] } = await within(timeout, (abortSignal) => client.send(command, { abortSignal }));
    const [failed] = Errors;
    // The error of one object, such as AccessDenied, is part of a successful response.
    if (failed) throw Object.assign(new Error('An object could not be deleted'), { name: failed.Code ?? 'Unknown' });
  }
}
