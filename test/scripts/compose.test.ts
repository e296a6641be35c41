/** Compares docker-compose.yml with the settings of the service. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { settings } from '../../runtime/config.ts';
import { workerRoles } from '../../runtime/worker-roles.ts';

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  read_only?: boolean;
  tmpfs?: string[];
  volumes?: string[];
  depends_on?: Record<string, unknown>;
  networks?: string[];
  deploy?: { resources?: { limits?: Record<string, unknown> } };
}

const text = readFileSync('docker-compose.yml', 'utf8');
const { services, networks, configs } = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  configs: Record<string, { file: string }>;
};
const ours = Object.entries(services).filter(([, { image }]) => image === 'atelier');

test.each(ours)('%s gets only existing settings, and runs an existing file', (_name, { environment, command }) => {
  // Node itself reads TMPDIR, and the AWS SDK its own variables.
  const names = Object.keys(environment ?? {}).filter((name) => !/^(TMPDIR|AWS_\w+)$/.test(name));
  expect(Object.keys(settings.properties)).toEqual(expect.arrayContaining(names));
  expect(existsSync(String(command?.[1]))).toBe(true);
});

/** Settings that the image sets, or whose default needs no change in the compose file. */
const setElsewhere = ['NODE_ENV', 'ATELIER_DATA', 'ATELIER_TASK_QUEUE', 'ATELIER_WORKER_ROLES'];
/** Settings of a Temporal and a PostgreSQL elsewhere; the compose file runs its own. */
const ofBackendsElsewhere = /^(TEMPORAL_(API_KEY|TLS|CONFIG_FILE|PROFILE)|PGSSL|ATELIER_DATABASE_DIRECT_URL)/;

/** Defaults for the object storage of the compose file, which clients cannot reach. */
const ownDefaults: Readonly<Record<string, string>> = {
  ATELIER_FILES: 's3://atelier',
  ATELIER_S3_PATH_STYLE: 'true',
  ATELIER_LINKS: 'proxy',
};

test('passes every setting to the containers, with its usual default', () => {
  const { api } = services;
  const names = Object.keys(settings.properties).filter(
    (name) => !setElsewhere.includes(name) && !ofBackendsElsewhere.test(name),
  );
  expect(Object.keys(api?.environment ?? {})).toEqual(expect.arrayContaining(names));
  for (const [name, usual] of Object.entries(settings.properties)) {
    const passed = /^\$\{(\w+):?-(.*)\}$/.exec(String(api?.environment?.[name] ?? ''));
    if (passed)
      expect([passed[1], passed[2]]).toEqual([
        name,
        ownDefaults[name] ?? String((usual as { default?: string | number | boolean }).default ?? ''),
      ]);
  }
});

test('an API receives uploads on a volume, not in memory or on its read-only disk', () => {
  const { api } = services;
  const folder = String(api?.environment?.['TMPDIR']);
  const targets = (api?.volumes ?? [])
    .filter((volume) => !volume.endsWith(':ro'))
    .map((volume) => volume.split(':')[1]);
  expect(api?.read_only).toBe(true);
  expect(targets.filter((target) => folder.startsWith(`${target}/`))).toEqual(['/data']);
  expect(api?.tmpfs?.filter((memory) => folder.startsWith(memory))).toEqual([]);
});

test('services depend only on existing services', () => {
  const needed = Object.values(services).flatMap(({ depends_on: needs }) => Object.keys(needs ?? {}));
  expect(Object.keys(services)).toEqual(expect.arrayContaining(needed));
});

test('no secret has a default', () => {
  const secrets = [...text.matchAll(/\$\{(\w*(?<!PREVIOUS_)(?:SECRET|PASSWORD|SECRET_ACCESS_KEY))\b/g)];
  expect(secrets.length).toBeGreaterThan(5);
  for (const [, name] of secrets) expect(text).not.toMatch(new RegExp(`\\$\\{${name}(?!:\\?)`));
});

test('the workers have every role, one of them each', () => {
  const roles = Object.values(services).flatMap(({ environment }) =>
    String(environment?.['ATELIER_WORKER_ROLES'] ?? '')
      .split(',')
      .filter(Boolean),
  );
  expect(roles.sort()).toEqual([...workerRoles].sort());
});

/** The networks from which a packet can leave the machine. */
const open = Object.entries(networks).flatMap(([name, network]) => (network?.internal ? [] : [name]));

test.each(['api', 'embedded', 'migrate', 'postgres', 's3', 'temporal', 'temporal-postgres'])(
  '%s has no way out of the machine',
  (name) => {
    expect(services[name]?.networks?.length).toBeGreaterThan(0);
    expect(services[name]?.networks?.filter((network) => open.includes(network))).toEqual([]);
  },
);

test('every service that runs has limits', () => {
  for (const { deploy } of Object.values(services)) {
    expect(deploy?.resources?.limits).toMatchObject({ cpus: expect.any(String), memory: expect.any(String) });
  }
});

test('every file of the configuration exists', () => {
  for (const { file } of Object.values(configs)) expect(existsSync(file)).toBe(true);
});
