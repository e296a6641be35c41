/** The environment: the defaults of the contract, and errors that name the variable to change. */
import { expect, test } from '@jest/globals';
import { readConfig as read } from '../runtime/config.ts';
import { StartupError } from '../runtime/startup-error.ts';

const secret = 'a secret for tests, at least 32 characters';
const readConfig = (env: NodeJS.ProcessEnv) => read({ ATELIER_SECRET: secret, ...env });

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

test('has the defaults of the contract', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
    temporal: { address: '127.0.0.1:7233', namespace: 'default' },
    imagesFolder: expect.stringMatching(/\/\.atelier\/images$/),
    files: { kind: 'folder', folder: expect.stringMatching(/\/\.atelier\/images$/) },
    links: 'redirect',
    retention: 8 * 24 * hour,
    webhookSchedule: [
      0,
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ],
    pauseAfter: 72 * hour,
    webhookProtocols: ['http:', 'https:'],
    allowedHosts: [],
    rates: { creations: 600, others: 3000, unauthorized: 60 },
    metrics: null,
    trustedProxies: [],
    workerRoles: new Set(['workflows', 'deliveries', 'providers', 'embedded']),
  });
});

test('the whole default schedule takes 75 h 35 m and 5 s', () => {
  const whole = readConfig({}).webhookSchedule.reduce((sum, wait) => sum + wait, 0);
  expect(whole).toBe(75 * hour + 35 * minute + 5 * second);
});

test('reads every variable', () => {
  const config = readConfig({
    HOST: '::1',
    PORT: '0',
    ATELIER_RETENTION: '5m',
    ATELIER_WEBHOOK_SCHEDULE: '0s, 1.5s ,2 minutes',
    ATELIER_WEBHOOK_PAUSE_AFTER: '0',
    ATELIER_WEBHOOK_PROTOCOLS: 'https',
    ATELIER_ALLOWED_HOSTS: 'localhost, 127.0.0.1,::1,',
    ATELIER_RATE_CREATIONS: '1',
    ATELIER_RATE_OTHERS: '20',
    ATELIER_RATE_UNAUTHORIZED: '300',
    ATELIER_ORGANIZATION_LIMITS: 'storedBytes=20GB, streams=none,keys=default,',
    ATELIER_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8  ::1 ',
    ATELIER_METRICS_PORT: '9464',
    ATELIER_WORKER_ROLES: 'embedded, workflows',
  });
  expect(config).toMatchObject({
    port: 0,
    pauseAfter: null,
    webhookProtocols: ['https:'],
    publicUrl: 'http://[::1]:0',
    retention: 5 * minute,
    webhookSchedule: [0, 1500, 2 * minute],
    allowedHosts: ['localhost', '127.0.0.1', '::1'],
    rates: { creations: 1, others: 20, unauthorized: 300 },
    organizationLimits: {
      ...{ creationsPerMinute: 2, requestsPerMinute: 40, storedBytes: 20 * 1024 ** 3, streams: null, keys: 1000 },
    },
    trustedProxies: ['loopback', '10.0.0.0/8', '::1'],
    metrics: { host: '127.0.0.1', port: 9464 },
    workerRoles: new Set(['workflows', 'embedded']),
  });
  expect(readConfig({ ATELIER_PUBLIC_URL: 'https://api.example.com//' }).publicUrl).toBe('https://api.example.com');
});

test.each([
  ['s3://images', { bucket: 'images', prefix: '' }],
  ['s3://images/', { bucket: 'images', prefix: '' }],
  ['s3://my.images-1/one/two_2/', { bucket: 'my.images-1', prefix: 'one/two_2' }],
])('reads ATELIER_FILES=%p', (text, location) => {
  const files = { kind: 's3', ...location };
  expect(readConfig({ ATELIER_FILES: text }).files).toEqual({ ...files, pathStyle: false });
  const env = { ATELIER_FILES: text, ATELIER_S3_PATH_STYLE: 'true', ATELIER_LINKS: 'proxy' };
  expect(readConfig(env)).toMatchObject({ files: { ...files, pathStyle: true }, links: 'proxy' });
});

test('does not repeat a value of ATELIER_FILES, which may contain a secret', () => {
  expect(() => readConfig({ ATELIER_FILES: 's3://key:hidden@images' })).toThrow(/^(?!.*hidden)/);
});

test.each([
  ['ATELIER_FILES', '/var/images'],
  ['ATELIER_FILES', 's3://'],
  ['ATELIER_FILES', 's3://Images'],
  ['ATELIER_FILES', 's3://images//a'],
  ['ATELIER_FILES', 's3://images/../a'],
  ['ATELIER_FILES', 's3://images/a?b'],
  ['ATELIER_S3_PATH_STYLE', 'perhaps'],
  ['ATELIER_LINKS', 'both'],
  ['ATELIER_WORKER_ROLES', 'providers,all'],
  ['PORT', 'many'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['ATELIER_PUBLIC_URL', 'api.example.com'],
  ['ATELIER_PUBLIC_URL', 'ftp://api.example.com'],
  ['ATELIER_PUBLIC_URL', 'https://api.example.com/?a=b'],
  ['ATELIER_METRICS_PORT', 'many'],
  ['ATELIER_METRICS_PORT', '65536'],
  ['ATELIER_SECRET', 'too short'],
  ['DATABASE_URL', 'localhost'],
  ['DATABASE_URL', 'postgresql://localhost'],
  ['ATELIER_RETENTION', ''],
  ['ATELIER_RETENTION', '8'],
  ['ATELIER_RETENTION', '-8 days'],
  ['ATELIER_RETENTION', '8 moons'],
  ['ATELIER_RETENTION', `${'1'.repeat(200)} days`],
  ['ATELIER_RATE_CREATIONS', '0'],
  ['ATELIER_RATE_OTHERS', 'many'],
  ['ATELIER_RATE_UNAUTHORIZED', '-1'],
  ['ATELIER_ORGANIZATION_LIMITS', 'images=5'],
  ['ATELIER_ORGANIZATION_LIMITS', 'keys=-1'],
  ['ATELIER_ORGANIZATION_LIMITS', 'keys=1=2'],
  ['ATELIER_ORGANIZATION_LIMITS', 'keys=5GB'],
  ['ATELIER_ORGANIZATION_LIMITS', 'keys'],
  ['ATELIER_WEBHOOK_PAUSE_AFTER', '3'],
  ['ATELIER_WEBHOOK_PROTOCOLS', 'http'],
  ['ATELIER_TRUSTED_PROXIES', 'proxy.example.com'],
  ['ATELIER_TRUSTED_PROXIES', '10.0.0.0/99'],
  ['ATELIER_WEBHOOK_SCHEDULE', ''],
  ['ATELIER_WEBHOOK_SCHEDULE', '0s,,5s'],
  ['ATELIER_WEBHOOK_SCHEDULE', '0s,soon'],
])('rejects %s=%p and names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name);
});

test.each([
  [{ PORT: 'many' }, 'PORT must be a whole number.'],
  [{ ATELIER_LOG_LEVEL: 'loud' }, 'ATELIER_LOG_LEVEL must be trace, debug, info, warn, error, fatal, or silent.'],
  [{ ATELIER_UNJUDGED: 'yes' }, 'ATELIER_UNJUDGED must be allow.'],
  [
    { ATELIER_RETENTION: '83h' },
    'ATELIER_RETENTION must be at least 84h: the waits of ATELIER_WEBHOOK_SCHEDULE can take that long, including jitter. ' +
      'Lengthen the retention or shorten the schedule.',
  ],
  [
    { ATELIER_RETENTION: '10s', ATELIER_WEBHOOK_SCHEDULE: '0s,10s' },
    'ATELIER_RETENTION must be at least 11s: the waits of ATELIER_WEBHOOK_SCHEDULE can take that long, including jitter. ' +
      'Lengthen the retention or shorten the schedule.',
  ],
  [
    { DATABASE_URL: 'mysql://me:password@host/db' },
    'DATABASE_URL must be an address such as postgresql://user:password@host:5432/database.',
  ],
])('explains what is wrong with %p, and does not repeat secrets', (env, message) => {
  expect(() => readConfig(env)).toThrow(new StartupError(message));
});

test.each(['', '0'])('metrics are off with ATELIER_METRICS_PORT=%p', (port) => {
  expect(readConfig({ ATELIER_METRICS_PORT: port }).metrics).toBeNull();
});
