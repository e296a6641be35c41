/** Compares both compose files with the settings of the service. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { settings } from '../../runtime/config.ts';
import { workerRoles } from '../../runtime/worker-roles.ts';

interface Service {
  image: string;
  user?: string;
  command?: string[];
  environment?: Record<string, string | number | null>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  restart?: string;
  profiles?: string[];
  tmpfs?: string[];
  volumes?: string[];
  depends_on?: Record<string, unknown>;
  networks?: string[] | Record<string, { ipv4_address?: string } | null>;
  deploy?: { replicas?: string | number; resources?: { limits?: Record<string, unknown> } };
}

interface Network {
  internal?: boolean;
  ipam?: { config: { subnet: string; gateway: string; ip_range?: string }[] };
}

interface ComposeFile {
  text: string;
  services: Record<string, Service>;
  networks: Record<string, Network | null>;
  configs: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
}

function read(file: string): ComposeFile {
  const text = readFileSync(file, 'utf8');
  return { text, ...(parse(text, { merge: true }) as Omit<ComposeFile, 'text'>) };
}

/** Variables that no setting describes: Node itself reads the first ones, the AWS SDK the others. */
const notOurs = /^(TMPDIR|NODE_EXTRA_CA_CERTS|AWS_\w+)$/;
/** Settings that the image sets, or whose default needs no change in a compose file. */
const setElsewhere = ['ATELIER_DATA', 'ATELIER_TASK_QUEUE', 'ATELIER_WORKER_ROLES'];
/** Settings of a Temporal and a PostgreSQL elsewhere, which have no default. */
const ofBackendsElsewhere = /^(TEMPORAL_(API_KEY|TLS|CONFIG_FILE|PROFILE)|PGSSL|ATELIER_DATABASE_DIRECT_URL)/;

const files = {
  'docker-compose.yml': {
    ...read('docker-compose.yml'),
    oneImage: 'atelier',
    /** Defaults for the object storage of the file, which clients cannot reach. */
    ownDefaults: { ATELIER_FILES: 's3://atelier', ATELIER_S3_PATH_STYLE: 'true', ATELIER_LINKS: 'proxy' },
    omitted: ofBackendsElsewhere,
  },
  'docker-compose.service.yml': {
    ...read('docker-compose.service.yml'),
    oneImage: '${ATELIER_IMAGE:?name the image and its version such as registry.example.com/atelier:2.6.2}',
    ownDefaults: {},
    omitted: /^$/,
  },
};

describe.each(Object.entries(files))(
  '%s',
  (_file, { text, services, networks, configs, oneImage, ownDefaults, omitted }) => {
    const ours = Object.entries(services).filter(([, { image }]) => image === oneImage);
    const names = Object.keys(settings.properties).filter(
      (name) => !setElsewhere.includes(name) && !omitted.test(name),
    );

    test('runs API, workers and migration', () => {
      expect(ours.map(([name]) => name)).toEqual(['api', 'worker', 'providers', 'embedded', 'migrate']);
    });

    test.each(ours)('%s gets only existing settings, and runs an existing file', (_name, { environment, command }) => {
      const given = Object.keys(environment ?? {}).filter((name) => !notOurs.test(name));
      expect(Object.keys(settings.properties)).toEqual(expect.arrayContaining(given));
      expect(existsSync(String(command?.[1]))).toBe(true);
    });

    test.each(ours)('%s gets every setting, with its usual default', (_name, { environment = {} }) => {
      const expected = names.filter((name) => !/^(HOST|PORT|ATELIER_TRUSTED_PROXIES)$/.test(name));
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(expected));
      for (const [name, usual] of Object.entries(settings.properties)) {
        const passed = /^\$\{(\w+):?-([^}]*)\}$/.exec(String(environment[name] ?? ''));
        if (passed && passed[1] !== 'ATELIER_OWNER_URL')
          expect([passed[1], passed[2]]).toEqual([
            name,
            (ownDefaults as Record<string, string>)[name] ??
              String((usual as { default?: string | number | boolean }).default ?? ''),
          ]);
      }
    });

    test('an API gets the settings of its address, too', () => {
      expect(Object.keys(services['api']?.environment ?? {})).toEqual(expect.arrayContaining(names));
    });

    test.each(ours)(
      '%s runs with a read-only disk, without capabilities, as the user of the image',
      (_name, service) => {
        expect(service).toMatchObject({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        });
        expect(service).not.toHaveProperty('user');
        expect(service).not.toHaveProperty('cap_add');
        expect(service).not.toHaveProperty('privileged');
      },
    );

    test('an API receives uploads on a volume, not in memory or on its read-only disk', () => {
      const { api } = services;
      const folder = String(api?.environment?.['TMPDIR']);
      const targets = (api?.volumes ?? [])
        .filter((volume) => !volume.endsWith(':ro'))
        .map((volume) => volume.split(':')[1]);
      expect(targets.filter((target) => folder.startsWith(`${target}/`))).toEqual(['/data']);
      expect(api?.tmpfs?.filter((memory) => folder.startsWith(memory))).toEqual([]);
    });

    test('services depend only on existing services', () => {
      const needed = Object.values(services).flatMap(({ depends_on: needs }) => Object.keys(needs ?? {}));
      expect(Object.keys(services)).toEqual(expect.arrayContaining(needed));
    });

    test('no secret has a default', () => {
      const secrets = [
        ...text.matchAll(/\$\{(\w*(?<!PREVIOUS_)(?:SECRET|PASSWORD|SECRET_ACCESS_KEY|DATABASE_URL))\b/g),
      ];
      expect(secrets.length).toBeGreaterThan(1);
      for (const [, name] of secrets) expect(text).not.toMatch(new RegExp(`\\$\\{${name}(?!:\\?)`));
      expect(text).not.toMatch(/^ +(AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|TEMPORAL_API_KEY): *(?!\$\{\w+:\?)\S/m);
    });

    test('the workers have every role, one of them each', () => {
      const roles = Object.values(services).flatMap(({ environment }) =>
        String(environment?.['ATELIER_WORKER_ROLES'] ?? '')
          .split(',')
          .filter(Boolean),
      );
      expect(roles.sort()).toEqual([...workerRoles].sort());
    });

    test('the API trusts X-Forwarded-For of the balancer and of the proxies that the operator names, and of nothing else', () => {
      const { balancer, api } = services;
      const address = '${EDGE_PREFIX:-10.213.77}.2';
      expect(balancer?.networks).toMatchObject({ edge: { ipv4_address: address } });
      expect(api?.environment?.['ATELIER_TRUSTED_PROXIES']).toBe(`${address} \${ATELIER_TRUSTED_PROXIES:-}`);
      expect(balancer?.environment).toEqual({ ATELIER_TRUSTED_PROXIES: '${ATELIER_TRUSTED_PROXIES:-}' });
      expect(readFileSync('deploy/caddy/Caddyfile', 'utf8').match(/trusted_proxies .*/g)).toEqual([
        'trusted_proxies static {$ATELIER_TRUSTED_PROXIES}',
      ]);
      // No container gets the address of the balancer, as one could that starts first.
      const [edge] = networks['edge']?.ipam?.config ?? [];
      expect(edge).toMatchObject({ ip_range: '${EDGE_PREFIX:-10.213.77}.128/25' });
    });

    test('every service that runs has limits', () => {
      for (const { deploy } of Object.values(services)) {
        expect(deploy?.resources?.limits).toMatchObject({ cpus: expect.any(String), memory: expect.any(String) });
      }
    });

    test('every file of the configuration exists', () => {
      for (const { file } of Object.values(configs)) expect(existsSync(file)).toBe(true);
    });
  },
);

describe('docker-compose.yml', () => {
  const { services, networks } = files['docker-compose.yml'];
  const networksOf = (name: string) => Object.values(services[name]?.networks ?? []).map(String);
  /** The networks from which a packet can leave the machine. */
  const open = Object.entries(networks).flatMap(([name, network]) => (network?.internal ? [] : [name]));

  test('the Temporal UI is read-only, because it has no login', () => {
    expect(services['temporal-ui']?.environment).toMatchObject({ TEMPORAL_DISABLE_WRITE_ACTIONS: 'true' });
  });

  test.each(['postgres', 'temporal-postgres'])('%s logs no values of statements', (name) => {
    expect(services[name]?.command).toEqual(
      expect.arrayContaining([
        '-clog_error_verbosity=terse',
        '-clog_parameter_max_length=0',
        '-clog_parameter_max_length_on_error=0',
      ]),
    );
  });

  test.each(['api', 'embedded', 'migrate', 'postgres', 's3', 'temporal', 'temporal-postgres'])(
    '%s has no way out of the machine',
    (name) => {
      expect(networksOf(name).length).toBeGreaterThan(0);
      expect(networksOf(name).filter((network) => open.includes(network))).toEqual([]);
    },
  );
});

describe('docker-compose.service.yml', () => {
  const { services, networks, volumes } = files['docker-compose.service.yml'];

  test('needs no service, volume or network of a backend', () => {
    expect(Object.keys(services)).toEqual(['balancer', 'api', 'worker', 'providers', 'embedded', 'migrate', 'tools']);
    expect(Object.keys(volumes)).toEqual(['data']);
    expect(Object.entries(services).filter(([, { depends_on: needs }]) => needs)).toMatchObject([['balancer', {}]]);
  });

  test('every service of the backends is reached through a network that leads out of the machine', () => {
    for (const name of ['api', 'worker', 'providers', 'embedded', 'migrate', 'tools']) {
      expect(services[name]?.networks).toContain('storage');
    }
    expect(networks['storage']).toBeNull();
  });

  test('"up" does not migrate, and only the migration gets the owner of the tables', () => {
    expect(services['migrate']).toMatchObject({ profiles: ['migrate'], restart: 'no' });
    const owned = Object.entries(services).filter(([, service]) => JSON.stringify(service).includes('OWNER'));
    expect(owned.map(([name]) => name)).toEqual(['migrate']);
    // Otherwise, the migration would use the role of the service.
    expect(services['migrate']?.environment?.['ATELIER_DATABASE_DIRECT_URL']).toBe('');
  });

  test('settings without a default reach a container only if they are set', () => {
    for (const name of Object.keys(settings.properties).filter((one) => ofBackendsElsewhere.test(one))) {
      expect(services['api']?.environment).toHaveProperty(name, null);
    }
  });

  test('variables set the number of containers of each service', () => {
    const numbers = ['api', 'worker', 'providers', 'embedded'].map((name) => services[name]?.deploy?.replicas);
    expect(numbers).toEqual([
      '${API_REPLICAS:-2}',
      '${WORKER_REPLICAS:-2}',
      '${PROVIDERS_REPLICAS:-1}',
      '${EMBEDDED_REPLICAS:-1}',
    ]);
  });
});
