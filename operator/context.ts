/** The dependencies of every command. */
import type { Author } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';

export interface Context {
  db: Database;
  vault: Vault;
  /** Returns the author of this command's changes: the operator, with a name. */
  author(): Author;
  isJson(): boolean;
  writeLine: (line: string) => void;
  /** Sets the exit code to 1 for a result that requires action by the operator. */
  fail: () => void;
}
