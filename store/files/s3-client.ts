/** Clients of the AWS SDK, configured by the SDK's own variables, and their errors. */
import { S3Client } from '@aws-sdk/client-s3';
import { codeOf } from '../../runtime/error-code.ts';
import { StartupError } from '../../runtime/startup-error.ts';
import { SourceError } from './source.ts';
import { FilesUnavailable } from './unavailable.ts';

interface ClientOptions {
  pathStyle: boolean;
  /** Milliseconds without a byte sent or received before a request fails. */
  idleTimeout: number;
}

/** Requests fail after two attempts, because callers have deadlines and retries of their own. */
const maxAttempts = 2;
/** Milliseconds. */
const connectionTimeout = 1000;
/** Downloads by slow clients hold sockets, so the SDK's default of 50 is too low. */
const maxSockets = 500;

export function createClient({ pathStyle, idleTimeout }: ClientOptions): S3Client {
  return new S3Client({
    forcePathStyle: pathStyle,
    maxAttempts,
    requestHandler: {
      connectionTimeout,
      socketTimeout: idleTimeout,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}

/**
 * Checks the SDK's variables as far as that is possible without a request.
 * @param presign makes any presigned URL, which shows whether the endpoint is an address
 * @throws StartupError that names the variable to set
 */
export async function checkClient({ config }: S3Client, presign: () => Promise<string>): Promise<void> {
  await config.region().catch((cause: unknown) => {
    throw new StartupError(
      'AWS_REGION must be the region of the object storage, such as eu-central-1. ' +
        'Use us-east-1 if your store has no regions.',
      { cause },
    );
  });
  await config.credentials().catch((cause: unknown) => {
    throw new StartupError(
      'The object storage in ATELIER_FILES has no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ' +
        'or another source of credentials that the AWS SDK supports.',
      { cause },
    );
  });
  await presign().catch((cause: unknown) => {
    throw new StartupError(
      'AWS_ENDPOINT_URL_S3 must be empty or the http or https address of the object storage, ' +
        'such as https://s3.example.com.',
      { cause },
    );
  });
}

/**
 * Returns FilesUnavailable without the SDK's message, which may contain addresses and the id of the key. Returns errors
 * that are no failures of the store unchanged: SourceError, and mistakes of ours.
 */
export function toUnavailable(step: string, error: unknown): unknown {
  if (error instanceof SourceError || isMistake(error)) return error;
  const { name = 'Error', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const code = codeOf(error);
  const parts = [name, typeof code === 'string' && code !== name && code, $metadata?.httpStatusCode];
  const reason = parts.filter(Boolean).join(' ');
  return new FilesUnavailable(`The object storage is not available: ${step} failed (${reason})`, error);
}

const mistakes = ['TypeError', 'RangeError', 'ReferenceError'];

/** A response that the SDK cannot parse is a failure of the store: the SDK adds the response to such an error. */
function isMistake(error: unknown): boolean {
  return error instanceof Error && mistakes.includes(error.name) && !('$response' in error);
}

/**
 * Returns whether an error means that the object does not exist. A missing bucket is another error, except in the
 * response to a HEAD request, which has no body.
 */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}
