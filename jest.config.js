/** Tests run as ES modules, against a PostgreSQL and a Temporal server that the run starts itself. */
export default {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript', importAttributes: true } } }],
  },
  globalSetup: '<rootDir>/test/support/setup.ts',
  globalTeardown: '<rootDir>/test/support/teardown.ts',
  testTimeout: 60_000,
  // Each file runs processes of its own; more at once would only wait for each other.
  maxWorkers: 2,
};
