/** Re-exports the contract for `engines/local` until it imports `engines/contract` itself. */
export * from './contract/index.ts';
