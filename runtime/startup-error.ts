/** A mistake that the operator can correct, found while a process starts. */

/** Its message says in one sentence what is wrong and what to change. Processes print the message without a stack. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}
