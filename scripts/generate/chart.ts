/** Generates the parts of the Helm chart that follow from the code: its version, its settings, and the schema of its values. */
import { stringify } from 'yaml';
import Type, { type TProperties, type TSchema } from 'typebox';
import { settings } from '../../runtime/config.ts';
import { version } from '../../runtime/version.ts';
import { workerRoles } from '../../runtime/worker-roles.ts';

/** Settings that are secrets or contain one. Pods read them from a Secret. */
export const secretSettings = [
  'DATABASE_URL',
  'ATELIER_DATABASE_DIRECT_URL',
  'TEMPORAL_API_KEY',
  'ATELIER_SECRET',
  'ATELIER_PREVIOUS_SECRET',
  'ATELIER_LANGUAGE_KEY',
];

/** Settings to which the image or the chart gives a value. */
export const fixedSettings = ['PORT', 'ATELIER_DATA', 'ATELIER_METRICS_PORT', 'ATELIER_WORKER_ROLES'];

/** Defaults that differ from those of the service. */
const ownDefaults: Readonly<Record<string, unknown>> = {
  HOST: '0.0.0.0',
  ATELIER_METRICS_HOST: '0.0.0.0',
  TEMPORAL_ADDRESS: '',
};

/** The fields of a JSON Schema that TypeBox leaves out of its types. */
interface Described extends TSchema {
  default?: unknown;
  description: string;
}

/** The settings that are values of the chart. */
const chartSettings = Object.entries(settings.properties as Record<string, TSchema>)
  .filter(([name]) => !secretSettings.includes(name) && !fixedSettings.includes(name))
  .map(([name, schema]) => [name, schema as Described] as const);

/** Returns Chart.yaml. */
export function chartFile(): string {
  const chart = {
    apiVersion: 'v2',
    name: 'atelier',
    description: 'Image and language models behind one REST API',
    type: 'application',
    version,
    appVersion: version,
    // Pods wait with `sleep` before they stop, and unhealthy ones may be evicted.
    kubeVersion: '>=1.31.0-0',
  };
  return `# \`npm run generate\` writes this file.\n${stringify(chart)}`;
}

/** Returns the values with the current settings between their two comments. */
export function chartValues(values: string): string {
  const lines = chartSettings.map(([name, { default: usual = '', description }]) => {
    const value = ownDefaults[name] ?? usual;
    return `  # ${description}\n  ${name}: ${typeof value === 'string' ? `'${value}'` : String(value)}`;
  });
  const head = '# The settings of the service, except for secrets. `npm run generate` writes them.';
  const text = `# <settings>\n${head}\nsettings:\n${lines.join('\n')}\n# </settings>`;
  return values.replace(/# <settings>[^]*# <\/settings>/, () => text);
}

const closed = (properties: TProperties) =>
  Type.Object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])), {
    additionalProperties: false,
  });
const text = Type.String();
const count = Type.Integer({ minimum: 1 });
const name = Type.String({ pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' });
const labels = Type.Record(text, text);
/** Parts of Kubernetes' own objects, which Kubernetes checks. */
const object = Type.Object({});
const rules = Type.Array(object);

const image = closed({
  repository: text,
  tag: text,
  digest: Type.String({ pattern: '^(sha256:[0-9a-f]{64})?$' }),
  pullPolicy: Type.Enum(['Always', 'IfNotPresent', 'Never']),
});
const placement = { nodeSelector: labels, tolerations: rules, affinity: object, podAnnotations: labels };

const worker = closed({
  roles: Type.Array(Type.Enum([...workerRoles]), { minItems: 1, uniqueItems: true }),
  image,
  replicas: count,
  resources: object,
  autoscaling: closed({
    enabled: Type.Boolean(),
    minReplicas: count,
    maxReplicas: count,
    targetBacklog: count,
    authentication: name,
  }),
  ...placement,
});

/** A worker group that the user removes is null. Its name is part of the names of its objects. */
const workers = Type.Record(
  Type.String({ pattern: '^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$' }),
  Type.Union([worker, Type.Null()]),
  {
    additionalProperties: false,
  },
);

const settingSchemas = Object.fromEntries(
  chartSettings.map(([name, { default: _default, ...schema }]) => [name, schema as TSchema]),
);

const values = closed({
  image,
  imagePullSecrets: rules,
  secrets: closed({ service: name, migration: name, providers: name, certificates: name }),
  settings: closed(settingSchemas),
  env: Type.Record(Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$' }), Type.Union([text, Type.Number(), Type.Boolean()]), {
    additionalProperties: false,
  }),
  files: Type.Record(Type.String({ pattern: '^[-._a-zA-Z0-9]+$' }), text, { additionalProperties: false }),
  data: closed({ existingClaim: name }),
  serviceAccount: closed({ name }),
  api: closed({
    image,
    replicas: count,
    autoscaling: closed({
      enabled: Type.Boolean(),
      minReplicas: count,
      maxReplicas: count,
      targetCPU: Type.Integer({ minimum: 1, maximum: 100 }),
    }),
    resources: object,
    terminationGracePeriodSeconds: count,
    service: closed({
      type: Type.Enum(['ClusterIP', 'NodePort', 'LoadBalancer']),
      port: Type.Integer({ minimum: 1, maximum: 65535 }),
      annotations: labels,
    }),
    ingress: closed({ enabled: Type.Boolean(), className: text, annotations: labels, host: text, tlsSecret: name }),
    ...placement,
  }),
  workers,
  migration: closed({ enabled: Type.Boolean(), image, timeout: count, resources: object }),
  networkPolicy: closed({
    enabled: Type.Boolean(),
    clients: rules,
    metrics: rules,
    dns: rules,
    backends: rules,
    privateHosts: rules,
  }),
  monitoring: closed({
    serviceMonitor: closed({ enabled: Type.Boolean(), interval: text, labels }),
    rules: closed({ enabled: Type.Boolean(), labels }),
    dashboard: closed({ enabled: Type.Boolean(), labels }),
  }),
  // Helm adds it for charts that depend on this one.
  global: object,
});

/** Returns values.schema.json. */
export function chartSchema(): string {
  return JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...values });
}
