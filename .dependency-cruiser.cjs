/** Who may import whom. The arrows go one way: schemas ← store, engines ← activities ← workflows ← workers; api and operator beside them, clients apart. */
const rooms = {
  schemas: [],
  store: ['schemas'],
  engines: ['schemas'],
  activities: ['schemas', 'store', 'engines'],
  workflows: ['schemas'],
  workers: ['schemas', 'store', 'engines', 'activities', 'workflows'],
  api: ['schemas', 'store'],
  // Copied by those who call us.
  clients: [],
  // To check the files that bind models to engines, and operations to prices; to do to artworks what clients can.
  operator: ['schemas', 'store', 'engines', 'api/(prices|registry|repeat|tell-workflow|uses)'],
};

/** Files at the root that processes are made of: their configuration, log and signals. */
const ofProcesses = '^(config|log|process|metrics|metrics-server)\\.ts$';

const mayImport = (room, allowed) => ({
  name: `${room}-imports`,
  comment: `${room} may import ${allowed.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    path: '^[^/]+/',
    pathNot: ['^node_modules/', ...[room, ...allowed].map((name) => `^${name}[/.]`)],
    dependencyTypesNot: ['type-only', 'core', 'npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
  },
});

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) => mayImport(room, allowed)),
    {
      name: 'types-only',
      comment: 'workflows know activities, and the API knows workflows, by their types; nobody else does even that',
      severity: 'error',
      from: { path: '^(schemas|store|engines)/' },
      to: { path: '^(activities|workflows|workers|api)/' },
    },
    {
      name: 'operator-types-only',
      comment:
        'the operator knows operations, their prices and what is done to artworks as the API does, and no more of it',
      severity: 'error',
      from: { path: '^operator/' },
      to: {
        path: '^(activities|workflows|workers|api)/',
        pathNot: '^api/(prices|registry|repeat|tell-workflow|uses)\\.ts$',
      },
    },
    {
      name: 'environment',
      comment: 'only processes read the configuration; rooms take what they need as arguments',
      severity: 'error',
      from: { path: '^(schemas|store|engines|activities|workflows)/' },
      to: { path: ofProcesses, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure',
      comment: 'schemas and workflows use no built-ins of Node',
      severity: 'error',
      from: { path: '^(schemas|workflows)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'product-knows-no-tests',
      severity: 'error',
      from: { pathNot: '^(test|bench|scripts)/' },
      to: { path: '^(test|bench|scripts)/' },
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
    exclude: { path: '(^|/)(node_modules|\\.atelier[^/]*)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
