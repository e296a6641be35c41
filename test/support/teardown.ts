/** Stops everything after all tests. */
export default async function teardown(): Promise<void> {
  await globalThis.services.stop();
  await globalThis.backends.stop();
}
