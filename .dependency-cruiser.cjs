/** Which room may import which, at run time. Imports of types alone are free but for the rules below. */
const rooms = {
  schemas: [],
  images: ['schemas'],
  runtime: ['schemas'],
  store: ['schemas', 'runtime'],
  engines: ['schemas', 'images', 'runtime'],
  services: ['schemas', 'images', 'runtime', 'store'],
  activities: ['schemas', 'images', 'runtime', 'store', 'engines'],
  workflows: ['schemas'],
  workers: ['schemas', 'images', 'runtime', 'store', 'engines', 'activities', 'workflows'],
  api: ['schemas', 'images', 'runtime', 'store', 'services'],
  // `operator engines check` opens the engines of a file.
  operator: ['schemas', 'runtime', 'store', 'services', 'engines'],
  // Users copy these files.
  clients: [],
};

/** Only the code of a process reads the environment, handles signals and serves metrics. */
const ofProcesses = '^runtime/(config|process|metrics-server)\\.ts$';

const mayImport = (room, allowed) => ({
  name: `${room}-imports`,
  comment: `${room} may import ${allowed.join(', ') || 'no other room'}`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    path: '^[^/]+(/|\\.[cm]?[jt]s$)',
    pathNot: ['^node_modules/', ...[room, ...allowed].map((name) => `^${name}/`)],
    dependencyTypesNot: ['type-only', 'core', 'npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
  },
});

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) => mayImport(room, allowed)),
    {
      name: 'no-types-from-above',
      comment: 'the lower rooms do not know the upper ones, not even their types',
      severity: 'error',
      from: { path: '^(schemas|images|store|engines)/' },
      to: { path: '^(activities|workflows|workers|services|api|operator)/' },
    },
    {
      name: 'environment',
      comment: 'rooms take their configuration as arguments; only processes read it',
      severity: 'error',
      from: { path: '^(schemas|images|store|engines|services|activities|workflows)/' },
      to: { path: ofProcesses, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'embedded-engines-are-a-package',
      comment: 'engines/local depends on the contract of engines and on no other code of ours',
      severity: 'error',
      from: { path: '^engines/local/' },
      to: { path: '^[^/]+/', pathNot: ['^node_modules/', '^engines/(local|contract)/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'embedded-engines-can-be-left-out',
      comment: 'the rest of the service loads engines/local as a package, at run time',
      severity: 'error',
      from: {
        path: '^(schemas|images|runtime|store|engines|services|activities|workflows|workers|api|operator)/',
        pathNot: '^engines/local/',
      },
      to: {
        path: '^engines/local/',
        dependencyTypesNot: ['npm', 'npm-dev', 'npm-optional', 'localmodule', 'dynamic-import'],
      },
    },
    {
      name: 'no-code-at-the-top-level',
      comment: 'code belongs to a room',
      severity: 'error',
      from: { path: '^[^/]+[.]ts$' },
      to: {},
    },
    {
      name: 'pure',
      comment: 'schemas and workflows use no Node built-ins',
      severity: 'error',
      from: { path: '^(schemas|workflows)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'product-knows-no-tests',
      severity: 'error',
      from: { pathNot: '^(test|bench|scripts|engines/local/test)/' },
      to: { path: '^(test|bench|scripts|engines/local/test)/' },
    },
    {
      name: 'production-packages',
      comment: 'a production install has no development dependencies',
      severity: 'error',
      from: {
        path: '^(schemas|images|runtime|store|engines|services|activities|workflows|workers|api|operator)/',
        pathNot: '^engines/local/test/',
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-lost-imports', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)\\.atelier[^/]*/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
