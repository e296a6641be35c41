/** A row of a table: code that reads what comes from outside, with valid inputs and the errors that it may throw. */

export interface Parser {
  /** The modules whose reading of input this row tests, from the root of the repository. */
  modules: readonly string[];
  /** Valid inputs, which the parser must accept, and of which the generators make invalid ones. Bytes are in latin1. */
  examples: readonly string[];
  /** More inputs for the generators, which the parser may reject. */
  seeds?: readonly string[];
  /** Reads one input. Throws only documented errors. */
  parse(input: string): unknown;
  /** Returns whether the documentation of the parser names an error. Default: it names none. */
  mayThrow?(error: unknown): boolean;
  /** Maximum characters, where the caller limits them. */
  longest?: number;
  /** Milliseconds of CPU time that even a short input may take. Default: 100. */
  base?: number;
  /** Share of the iterations, for a parser that needs a connection or a process for each input. Default: 1. */
  share?: number;
}

/** Parsers by what they read. */
export type Parsers = Readonly<Record<string, Parser>>;

/** The exports of a table's module. */
export interface Table {
  /** Prepares what the parsers need, such as a server that responds with the input. */
  open(): Promise<{ parsers: Parsers; close(): Promise<void> }>;
}

/** Characters of an input whose caller has no lower limit. */
export const usualLength = 64 * 1024;

/** Returns the bytes of an input. */
export const bytesOf = (input: string): Buffer => Buffer.from(input, 'latin1');
