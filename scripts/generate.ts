/** Writes the files that are generated from the code: `openapi.json`, the TypeScript client, tables. `--check` only compares them. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import type { TSchema } from 'typebox';
import { openApi } from '../api/openapi/document.ts';
import { allEndpoints, findOperations } from '../services/operations.ts';
import { version } from '../runtime/version.ts';
import { settings } from '../runtime/config.ts';
import { failures, finalFailures, freeFailures } from '../engines/upstream/failures.ts';
import { createApiMetrics, createWorkerMetrics } from '../runtime/metrics.ts';
import { enginesFile } from '../schemas/engines-file.ts';
import { errors } from '../schemas/errors.ts';
import { dynamicFileContent } from './local/temporal-settings.ts';
import { accessPage } from './generate/access.ts';
import { asvsSummary } from './generate/asvs.ts';
import { chartFile, chartSchema, chartValues } from './generate/chart.ts';
import { serviceCompose } from './generate/compose.ts';
import { dashboardFile } from './generate/dashboard.ts';
import { licencePage } from './generate/licences.ts';
import { limitTable } from './generate/limits.ts';
import { typescriptClient } from './generate/typescript-client.ts';

const root = new URL('../', import.meta.url);

async function formatted(text: string, file: string): Promise<string> {
  const config = await resolveConfig(new URL(file, root));
  return format(text, { ...config, filepath: file });
}

const endpoints = allEndpoints(await findOperations());
const document = openApi(endpoints, version);

/** Contains only generated files. */
const clientFolder = 'clients/typescript/';

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
function between(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`The comments <!-- ${name} --> and <!-- /${name} --> are missing`);
  return `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`;
}

/** The fields of a JSON Schema that TypeBox leaves out of its types. */
interface Described extends TSchema {
  default?: unknown;
  description?: string;
}

async function readme(): Promise<string> {
  const text = await readFile(new URL('README.md', root), 'utf8');
  const rows = Object.entries(settings.properties).map(([name, schema]) => {
    const { default: value = '', description = '' } = schema as TSchema as Described;
    return `| \`${name}\` | ${value === '' ? '' : `\`${String(value)}\``} | ${description} |`;
  });
  const table = ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return formatted(between(text, 'settings', table), 'README.md');
}

async function enginesSchema(): Promise<string> {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...enginesFile };
  return formatted(JSON.stringify(schema), 'docs/engines/schema.json');
}

/** Returns the page on operations, with tables of our metrics. */
async function operating(): Promise<string> {
  const file = 'docs/operating.md';
  let text = await readFile(new URL(file, root), 'utf8');
  const processes = { 'metrics of the API': createApiMetrics(), 'metrics of the worker': createWorkerMetrics() };
  for (const [name, { registers }] of Object.entries(processes)) {
    const rows = registers
      .flatMap((registry) => registry.getMetricsAsArray())
      .map((metric) => {
        // The types lack these properties.
        const { name, help, labelNames } = metric as typeof metric & { labelNames: string[] };
        const labels = labelNames.map((label) => `\`${label}\``).join(', ');
        return `| \`${name}\` | ${metric.constructor.name.toLowerCase()} | ${labels} | ${help} |`;
      });
    const head = ['| metric | kind | labels | meaning |', '| --- | --- | --- | --- |'];
    text = between(text, name, [...head, ...rows].join('\n'));
  }
  return formatted(text, file);
}

/** Returns the page that lists the failures of providers and the codes that clients see. */
async function failureTable(): Promise<string> {
  const file = 'docs/engines/failures.md';
  const rows = Object.entries(failures).map(([failure, [code, predicate, nextStep]]) => {
    const { status, message, retryable } = errors[code];
    const isFree = freeFailures.some((one) => one === failure);
    const isRetried = retryable && !finalFailures.some((one) => one === failure);
    return `| The provider ${predicate} | \`${code}\` | ${status} | ${message} | ${isRetried ? 'yes' : 'no'} | ${isFree ? 'no' : 'perhaps'} | ${nextStep} |`;
  });
  const head = `# Failures of providers

A failure has the same code and the same messages for every provider. Operators read the first column, with the
engine’s name in place of “The provider”, in the log and in the activity’s failure. Clients read the status and the
message, or a more exact one: where no face or object was found, and where "nsfw": true was sent. A failure that is
retried is retried with growing pauses until the model’s deadline. A call that the provider may have charged for three
times is not retried, so that an outage cannot become expensive.

\`npm run generate\` writes this page from \`engines/upstream/failures.ts\`. \`test/engines/upstream/failures.test.ts\`
runs these failures through every protocol.
`;
  const table = [
    '| failure | code | status | message | retried | charged | next step for the operator |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ];
  return formatted(`${head}\n${table.join('\n')}\n`, file);
}

/** Returns the page on ASVS with its summary. */
async function asvs(): Promise<string> {
  const file = 'docs/security/asvs.md';
  const text = await readFile(new URL(file, root), 'utf8');
  return formatted(between(text, 'summary', asvsSummary(text)), file);
}

/** Returns Temporal's dynamic configuration as a file for deployments. */
function temporalDynamic(): string {
  const head =
    "# Temporal's dynamic configuration for Atelier. `npm run generate` writes it from scripts/local/temporal-settings.ts.";
  return `${head}\n${stringify(JSON.parse(dynamicFileContent()))}`;
}

/** The folder of the Helm chart. */
const chart = 'deploy/chart/';

const files: Record<string, string> = {
  [`${chart}Chart.yaml`]: await formatted(chartFile(), `${chart}Chart.yaml`),
  [`${chart}values.yaml`]: await formatted(
    chartValues(await readFile(new URL(`${chart}values.yaml`, root), 'utf8')),
    `${chart}values.yaml`,
  ),
  [`${chart}values.schema.json`]: await formatted(chartSchema(), `${chart}values.schema.json`),
  'deploy/temporal/dynamic.yaml': temporalDynamic(),
  'docker-compose.service.yml': await formatted(
    serviceCompose(await readFile(new URL('docker-compose.yml', root), 'utf8')),
    'docker-compose.service.yml',
  ),
  [`${chart}monitoring/dashboard.json`]: await formatted(dashboardFile(), `${chart}monitoring/dashboard.json`),
  'openapi.json': await formatted(JSON.stringify(document), 'openapi.json'),
  'README.md': await readme(),
  'docs/operating.md': await operating(),
  'docs/limits.md': await formatted(
    between(await readFile(new URL('docs/limits.md', root), 'utf8'), 'limits', limitTable()),
    'docs/limits.md',
  ),
  'docs/engines/schema.json': await enginesSchema(),
  'docs/engines/failures.md': await failureTable(),
  'docs/security/asvs.md': await asvs(),
  'docs/security/access.md': await formatted(accessPage(endpoints), 'docs/security/access.md'),
  'docs/security/licences.md': await formatted(licencePage(fileURLToPath(root)), 'docs/security/licences.md'),
};
for (const [name, text] of Object.entries(await typescriptClient(document))) {
  files[clientFolder + name] = await formatted(text, clientFolder + name);
}

/** Writes, removes or compares a file. @param generated null if the file should not exist */
async function updateFile(file: string, generated: string | null): Promise<void> {
  const url = new URL(file, root);
  const present = await readFile(url, 'utf8').catch(() => null);
  if (generated === present) return;
  if (process.argv.includes('--check')) {
    console.log(`${file} is out of date. Run "npm run generate".`);
    process.exitCode = 1;
    return;
  }
  if (generated === null) await rm(url);
  else {
    await mkdir(new URL('.', url), { recursive: true });
    await writeFile(url, generated);
  }
  console.log(`${generated === null ? 'removed' : 'wrote'} ${file}`);
}

const inFolder = await readdir(new URL(clientFolder, root), { recursive: true }).catch(() => []);
const obsolete = inFolder.map((name) => clientFolder + name).filter((file) => file.endsWith('.ts') && !(file in files));
for (const file of obsolete) await updateFile(file, null);
for (const [file, generated] of Object.entries(files)) await updateFile(file, generated);
