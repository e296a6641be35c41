/** `npm test`. Tests run as ES modules. Those of the service use a PostgreSQL and a Temporal server that the run starts. */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', importAttributes: true },
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
};

const servers = {
  globalSetup: '<rootDir>/test/support/setup.ts',
  globalTeardown: '<rootDir>/test/support/teardown.ts',
};

/** `npm run test:cluster`: the tests of the public API, of the life of artworks and of recovery, against a cluster. */
export const cluster = {
  ...common,
  globalSetup: '<rootDir>/test/support/cluster-setup.ts',
  globalTeardown: servers.globalTeardown,
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/{api,life,recovery}/*.test.ts', '<rootDir>/test/spine*.test.ts'],
  // These test links that the API serves itself, and write into its folder.
  testPathIgnorePatterns: ['<rootDir>/test/api/(images|interrupted-downloads)\\.test'],
  testTimeout: 60_000,
  maxWorkers: 3,
  workerIdleMemoryLimit: '1GB',
};

/** Folders whose tests need no server. */
const withoutServers = [
  ...['docs', 'schemas', 'images', 'engines', 'supply-chain', 'fuzz'].map((room) => `<rootDir>/test/${room}/`),
  '<rootDir>/engines/local/test/',
];

/** `npm run test:long`: tests that take minutes by their nature or load the whole machine, one file at a time. */
export const long = { ...common, ...servers, roots: ['<rootDir>/test/long'], testTimeout: 60_000, maxWorkers: 1 };

export default {
  projects: [
    {
      ...common,
      displayName: 'service',
      roots: ['<rootDir>/test'],
      ...servers,
      testPathIgnorePatterns: [...withoutServers, '<rootDir>/test/long/'],
    },
    { ...common, displayName: 'pure', roots: withoutServers },
  ],
  testTimeout: 60_000,
  // On two cores: tests that start, kill and await processes leave time for two more files.
  maxWorkers: 4,
  // Jest keeps the modules of every file that a process has run, up to 2 GB; a new process starts within a second.
  workerIdleMemoryLimit: '1GB',
};
