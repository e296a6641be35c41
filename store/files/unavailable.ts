/** The error of a file store that is unreachable, slow, overloaded or full, or that refuses our credentials. */
import { codeOf } from '../../runtime/error-code.ts';

/** Another attempt can succeed. The message and the cause contain no address, key or credential. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';

  /** @param error the error of the SDK or the file system, of which the cause keeps all but the message */
  constructor(message: string, error: unknown) {
    super(message, { cause: withoutMessage(error) });
  }
}

/** Returns the name, the code and the stack of an error. Its message may contain addresses, paths and ids of keys. */
function withoutMessage(error: unknown): Error {
  const { name = 'Error', stack = '' } = (error ?? {}) as { name?: string; stack?: string };
  const copy = Object.assign(new Error(''), { name, code: codeOf(error) });
  const frames = stack.indexOf('\n    at ');
  copy.stack = name + (frames < 0 ? '' : stack.slice(frames));
  return copy;
}
