/** After all tests. */
export default async function teardown(): Promise<void> {
  await globalThis.backends.stop();
}
