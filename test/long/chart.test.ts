/** The Helm chart: what reaches the pods, what it refuses, and its alerts and dashboard. */
import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { createApiMetrics, createWorkerMetrics } from '../../runtime/metrics.ts';
import { settings } from '../../runtime/config.ts';
import { workerRoles } from '../../runtime/worker-roles.ts';
import { type KubernetesObject, renderChart } from '../../scripts/chart/render.ts';
import { fixedSettings, secretSettings } from '../../scripts/generate/chart.ts';
import { promtool } from '../support/prometheus.ts';

// Helm takes seconds on a busy machine.
jest.setTimeout(60_000);

interface Container {
  env?: { name: string; value?: string }[];
  envFrom?: { secretRef: { name: string } }[];
}

/** A Deployment or a Job. */
interface Workload extends KubernetesObject {
  spec: { template: { metadata: { labels: Record<string, string> }; spec: { containers: [Container] } } };
}

const kubernetes = '1.34.0';
const everything = ['--values', 'deploy/chart/ci/everything-values.yaml'];
const minimal = ['--values', 'deploy/chart/ci/minimal-values.yaml'];
const isWorkload = (object: KubernetesObject): object is Workload => /^(Deployment|Job)$/.test(object.kind);
const environment = ({ spec }: Workload) =>
  Object.fromEntries((spec.template.spec.containers[0].env ?? []).map(({ name, value }) => [name, value]));
const secretsOf = ({ spec }: Workload) =>
  (spec.template.spec.containers[0].envFrom ?? []).map(({ secretRef }) => secretRef.name);

test('every setting reaches every pod, from the values or from a Secret', async () => {
  const workloads = (await renderChart(kubernetes, ...everything)).filter(isWorkload);
  expect(workloads.map(({ metadata }) => metadata.name)).toEqual([
    'atelier-api',
    'atelier-worker-embedded',
    'atelier-worker-providers',
    'atelier-worker-workflows',
    'atelier-migration',
  ]);
  for (const workload of workloads) {
    const given = environment(workload);
    for (const [name, schema] of Object.entries(settings.properties)) {
      if (secretSettings.includes(name) || fixedSettings.includes(name)) continue;
      const { default: usual } = schema as { default?: unknown };
      expect([name, given[name]]).not.toEqual([name, undefined]);
      expect([name, given[name]]).not.toEqual([name, String(usual)]);
    }
    expect(given['ATELIER_RATE_CREATIONS']).toBe('2147483647');
    expect(given['AWS_REGION']).toBe('eu-central-1');
  }
});

test('only workers get the keys of providers, and only the migration gets the role that owns the tables', async () => {
  const objects = await renderChart(kubernetes, ...everything);
  const secrets = objects.filter(isWorkload).map((workload) => [workload.metadata.name, secretsOf(workload)]);
  expect(Object.fromEntries(secrets)).toEqual({
    'atelier-api': ['atelier-of-acme'],
    'atelier-worker-embedded': ['atelier-of-acme', 'provider-keys'],
    'atelier-worker-providers': ['atelier-of-acme', 'provider-keys'],
    'atelier-worker-workflows': ['atelier-of-acme', 'provider-keys'],
    'atelier-migration': ['atelier-owner'],
  });
  expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
});

test('the groups of workers have each role once, and only those that fetch reach the outside', async () => {
  const workers = (await renderChart(kubernetes, ...minimal))
    .filter(isWorkload)
    .filter((workload) => 'ATELIER_WORKER_ROLES' in environment(workload));
  const roles = workers.map((workload) => environment(workload)['ATELIER_WORKER_ROLES']);
  expect(roles.join().split(',').sort()).toEqual([...workerRoles].sort());
  const fetching = workers.map(({ spec }) => [spec.template.metadata.labels['atelier/fetches'] ?? 'false']);
  expect(fetching.flat()).toEqual(['false', 'true', 'true']);
});

test.each([
  [['settings.ATELIER_PUBLIC_URL='], 'Set settings.ATELIER_PUBLIC_URL to the URL at which clients reach the API'],
  [['settings.TEMPORAL_ADDRESS='], "Set settings.TEMPORAL_ADDRESS to the address of Temporal's frontend"],
  [['settings.ATELIER_FILES='], 'Set settings.ATELIER_FILES to object storage'],
  [['data.existingClaim=images'], 'Remove data.existingClaim'],
  [['settings.ATELIER_ENGINES=/settings/own.json'], 'Add the file own.json to files'],
  [
    ['settings.PGSSLROOTCERT=/certificates/ca.pem'],
    'Set secrets.certificates to the Secret with the file that PGSSLROOTCERT names',
  ],
  [['settings.ATELIER_SECRET=0123456789abcdef0123456789abcdef'], "additional properties 'ATELIER_SECRET' not allowed"],
  [['env.AWS_SECRET_ACCESS_KEY=secret'], 'Move env.AWS_SECRET_ACCESS_KEY to the Secret of secrets.service'],
  [['env.ATELIER_LOG_LEVEL=debug'], 'Move env.ATELIER_LOG_LEVEL to settings'],
  [['env.PORT=4000'], 'Remove env.PORT, which the chart sets itself'],
  [['workers.embedded=null'], 'Give the role embedded to a group in workers'],
  [['workers.embedded.roles={embedded,painter}'], 'workers/embedded/roles/1'],
  [['workers.embedded.replica=3'], "additional properties 'replica' not allowed"],
  [
    ['workers.embedded.autoscaling.enabled=true', 'workers.embedded.autoscaling.minReplicas=9'],
    'must not exceed maxReplicas',
  ],
  [['api.autoscaling.minReplicas=11'], 'api.autoscaling.minReplicas must not exceed maxReplicas'],
  [['api.ingress.enabled=true'], 'Set api.ingress.host'],
  [['settings.ATELIER_LOG_LEVEL=loud'], 'settings/ATELIER_LOG_LEVEL'],
  [['settings.ATELIER_RATE_OTHERS=0'], 'settings/ATELIER_RATE_OTHERS'],
])('with %j, the message names the value to change', async (changes, message) => {
  const options = changes.flatMap((change) => ['--set', change]);
  await expect(renderChart(kubernetes, ...minimal, ...options)).rejects.toThrow(message);
});

test('refuses a Kubernetes that lacks a feature it uses', async () => {
  await expect(renderChart('1.30.0', ...minimal)).rejects.toThrow('incompatible with Kubernetes v1.30.0');
});

const alerts = 'deploy/chart/monitoring/alerts.yaml';

test("the alerts pass Prometheus' own checks and their tests", async () => {
  expect(await promtool('check', 'rules', alerts)).toContain('SUCCESS: 16 rules found');
  expect(await promtool('test', 'rules', 'deploy/chart/monitoring/alerts.test.yaml')).toContain('SUCCESS');
});

test('alerts and dashboard use only metrics that exist', () => {
  const ours = [createApiMetrics(), createWorkerMetrics()].flatMap(({ registers }) =>
    registers.flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name)),
  );
  const text = readFileSync(alerts, 'utf8') + readFileSync('deploy/chart/monitoring/dashboard.json', 'utf8');
  const used = new Set([...text.matchAll(/\batelier_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count)$/, '')));
  // Two of them are in one pattern.
  used.delete('atelier_');
  expect(ours).toEqual(expect.arrayContaining([...used]));
  expect(used.size).toBeGreaterThan(10);
});

test('every runbook of an alert is a section of the page on operating', () => {
  const page = readFileSync('docs/operating.md', 'utf8');
  const sections = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  const runbooks = [...readFileSync(alerts, 'utf8').matchAll(/runbook: docs\/operating\.md#(\S+)/g)].map(
    ([, id]) => id,
  );
  expect(runbooks).toHaveLength(16);
  expect(sections).toEqual(expect.arrayContaining(runbooks));
});
