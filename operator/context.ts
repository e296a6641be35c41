/** The dependencies of every command. */
import type { Database } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';

export interface Context {
  db: Database;
  vault: Vault;
  isJson(): boolean;
  writeLine: (line: string) => void;
  /** Sets the exit code to 1 for a result that requires action by the operator. */
  fail: () => void;
}
