/** Classifies the errors of a provider's client, and of nothing else: errors of our own storage pass unchanged. */
import { EngineError } from '../contract/index.ts';
import type { Provider } from './provider.ts';

/** Runs a request to the provider. @throws EngineError the failure that `explain` returns for an error of the client */
export async function explained<T>(provider: Provider, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw error instanceof EngineError ? error : provider.explain(error);
  }
}
