/** Reads the configuration of all processes from the environment. The table in the README is generated from `settings`. */
import { resolve } from 'node:path';
import envSchema from 'env-schema';
import type { ErrorObject } from 'ajv';
import ipaddr from 'ipaddr.js';
import Type, { type Static } from 'typebox';
import { withoutTrailingSlashes } from '../schemas/addresses.ts';
import type { Limits } from '../schemas/limits.ts';
import { messageFor } from '../schemas/mistake.ts';
import { type DatabaseSettings, readDatabase } from './database-settings.ts';
import { readDuration, readRetention } from './durations.ts';
import { requireSecret } from './secret.ts';
import { StartupError } from './startup-error.ts';
import { type FilesLocation, readFilesLocation } from './files-location.ts';
import { readOrganizationLimits } from './organization-limits.ts';
import { readTemporal, type TemporalConnection } from './temporal-settings.ts';
import { readWorkerRoles, type WorkerRole } from './worker-roles.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const rate = (perMinute: number, description: string) =>
  Type.Integer({ default: perMinute, minimum: 1, maximum: 2147483647, description });

export const settings = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address that the API listens on.' }),
  PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65535, description: 'Port of the API.' }),
  ATELIER_PUBLIC_URL: Type.String({
    default: '',
    description: 'Base URL of the API for clients, used in image links. Default: `http://HOST:PORT`.',
  }),
  DATABASE_URL: Type.String({
    default: 'postgresql://atelier@127.0.0.1:5432/atelier',
    description:
      'PostgreSQL database. `?sslmode=verify-full` encrypts the connections; see docs/deploy/postgresql.md. ' +
      'Without it, `npm start` starts a local one.',
  }),
  ATELIER_DATABASE_DIRECT_URL: Type.String({
    default: '',
    description:
      'Address of PostgreSQL itself, for LISTEN and migrations, where `DATABASE_URL` leads to a pooler such as PgBouncer.',
  }),
  PGSSLMODE: Type.String({
    default: '',
    description: '`sslmode` of database URLs that have none: `disable`, `require`, `verify-ca` or `verify-full`.',
  }),
  PGSSLROOTCERT: Type.String({
    default: '',
    description:
      "Authority of PostgreSQL's certificate, a PEM file, for database URLs without `sslrootcert`. " +
      "`system`: this machine's authorities.",
  }),
  PGSSLCERT: Type.String({
    default: '',
    description: 'Client certificate for PostgreSQL, a PEM file, for database URLs without `sslcert`.',
  }),
  PGSSLKEY: Type.String({
    default: '',
    description: 'Private key of the client certificate, a PEM file without passphrase.',
  }),
  TEMPORAL_ADDRESS: Type.String({
    default: '127.0.0.1:7233',
    description: 'Address of the Temporal frontend. Without it, `npm start` starts a local server.',
  }),
  TEMPORAL_NAMESPACE: Type.String({ default: 'default', description: 'Temporal namespace.' }),
  TEMPORAL_API_KEY: Type.String({ default: '', description: 'API key for Temporal. Turns TLS on.' }),
  TEMPORAL_TLS: Type.String({
    default: '',
    description: '`true` encrypts the connection to Temporal, as an API key or a certificate does; `false` never does.',
  }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: Type.String({
    default: '',
    description: 'Client certificate for Temporal, a PEM file. `…_DATA` instead of `…_PATH` holds the content itself.',
  }),
  TEMPORAL_TLS_CLIENT_KEY_PATH: Type.String({
    default: '',
    description: 'Private key of the client certificate, a PEM file without passphrase.',
  }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: Type.String({
    default: '',
    description: "Authority of Temporal's certificate, a PEM file. Without it, publicly known authorities are trusted.",
  }),
  TEMPORAL_TLS_SERVER_NAME: Type.String({
    default: '',
    description: "Name in Temporal's certificate, if it differs from the host of the address.",
  }),
  TEMPORAL_CONFIG_FILE: Type.String({
    default: '',
    description: "Temporal's own configuration file, in TOML. Variables take precedence over it.",
  }),
  TEMPORAL_PROFILE: Type.String({
    default: '',
    description: 'Profile in that file. Default: `default`. Without a file, in `temporalio/temporal.toml` of the user.',
  }),
  ATELIER_TASK_QUEUE: Type.String({
    default: 'atelier',
    description: 'Temporal task queue of the workflows. The queue of an engine adds its name.',
  }),
  ATELIER_DATA: Type.String({
    default: '.atelier',
    description: 'Data folder: images; with `npm start`, also the database, logs and `demo.json`.',
  }),
  ATELIER_FILES: Type.String({
    default: '',
    description:
      'Object storage for images: `s3://bucket` or `s3://bucket/prefix`; see docs/deploy/object-storage.md. ' +
      'Without it, images are files in `ATELIER_DATA`.',
  }),
  ATELIER_S3_PATH_STYLE: Type.Boolean({
    default: false,
    description:
      'Whether URLs of the object storage have the bucket in their path, not in their host name. ' +
      'Most self-hosted stores require it.',
  }),
  ATELIER_LINKS: Type.Enum(['redirect', 'proxy'], {
    default: 'redirect',
    description:
      'With object storage: `redirect` sends clients of image links to presigned URLs of the store; ' +
      'with `proxy`, the API sends the images itself.',
  }),
  ATELIER_SECRET: Type.String({
    default: '',
    description:
      'Encrypts webhook secrets at rest and signs image links. Required: at least 32 random characters, such as those ' +
      'of `openssl rand -base64 32`. `npm start` generates one.',
  }),
  ATELIER_PREVIOUS_SECRET: Type.String({
    default: '',
    description: 'Previous secret during a rotation. It still decrypts webhook secrets and verifies image links.',
  }),
  ATELIER_RETENTION: Type.String({
    default: '8 days',
    description:
      'Time after which an artwork and its images are purged. Must be at least the sum of `ATELIER_WEBHOOK_SCHEDULE` plus 10 %.',
  }),
  ATELIER_WEBHOOK_SCHEDULE: Type.String({
    default: '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h',
    description: 'Time before each delivery attempt, separated by commas. Up to 10 % of jitter is added to each.',
  }),
  ATELIER_WEBHOOK_PAUSE_AFTER: Type.String({
    default: '3 days',
    description:
      'Time of failed deliveries after which a destination of webhooks is paused; see docs/security/webhooks.md. `0`: never.',
  }),
  ATELIER_WEBHOOK_PROTOCOLS: Type.Enum(['http,https', 'https'], {
    default: 'http,https',
    description: 'Protocols of the `webhookUrl` of new artworks. Production should accept `https` only.',
  }),
  ATELIER_ALLOWED_HOSTS: Type.String({
    default: '',
    description: 'Private hosts that webhooks and image URLs may use, separated by commas.',
  }),
  ATELIER_ENGINES: Type.String({
    default: '',
    description:
      'File that binds models to providers; see docs/engines. Without it, the embedded engines run all models.',
  }),
  ATELIER_UNJUDGED: Type.Enum(['', 'allow'], {
    default: '',
    description:
      '`allow` starts workers without a classifier for `nsfw: false`. The embedded engines contain the classifier.',
  }),
  ATELIER_WORKER_ROLES: Type.String({
    default: '',
    description:
      'Roles of a worker process: `workflows`, `deliveries`, `providers` or `embedded`, separated by commas; ' +
      'see docs/operating.md. Default: all.',
  }),
  ATELIER_RATE_CREATIONS: rate(600, 'Creations and synchronous requests per minute and key.'),
  ATELIER_RATE_OTHERS: rate(3000, 'Other requests per minute and key.'),
  ATELIER_ORGANIZATION_LIMITS: Type.String({
    default: '',
    description:
      'Default limits of organizations that differ from those in docs/limits.md: `unfinishedArtworks=500,storedBytes=20GB,streams=none`.',
  }),
  ATELIER_RATE_UNAUTHORIZED: rate(
    60,
    'Requests without a valid key per minute and client address, in each API process.',
  ),
  ATELIER_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Proxies whose `X-Forwarded-For` header is trusted: addresses, subnets, `loopback`, `linklocal` or `uniquelocal`, ' +
      'separated by commas or spaces.',
  }),
  ATELIER_PRICES: Type.String({
    default: '',
    description: 'File with the price list. Without it, everything costs 0 credits.',
  }),
  ATELIER_LANGUAGE_URL: Type.String({
    default: '',
    description:
      'Base URL of an OpenAI-compatible language model, such as `https://api.openai.com/v1` or `http://127.0.0.1:8080/v1`. ' +
      'It writes the texts and reads instructions for the embedded `photo-pilot`. ' +
      'Without it, embedded rules do both; they cannot translate or write freely, and understand simple instructions only.',
  }),
  ATELIER_LANGUAGE_MODEL: Type.String({ default: '', description: 'Name of the language model at its provider.' }),
  ATELIER_LANGUAGE_KEY: Type.String({
    default: '',
    description: 'API key of the language model, if its provider requires one.',
  }),
  ATELIER_LANGUAGE_VISION: Type.Boolean({
    default: false,
    description: 'Whether the language model accepts images. If so, it receives the images of a style.',
  }),
  ATELIER_LANGUAGE_JSON_SCHEMA: Type.Boolean({
    default: false,
    description:
      'Whether the provider supports JSON Schema in `response_format`. If not, the schema becomes part of the prompt.',
  }),
  ATELIER_ANSWER_TIMEOUT: Type.String({
    default: '60s',
    description: 'Timeout of a synchronous request, after which the API responds with 504.',
  }),
  ATELIER_METRICS_PORT: Type.String({
    default: '',
    description:
      'Port of each process for Prometheus metrics at `/metrics` and its health at `/health/live` and `/health/ready`. ' +
      'Empty or 0: none. `npm start` picks a port for each process.',
  }),
  ATELIER_METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address that the metrics port listens on. Metrics and health require no key.',
  }),
  ATELIER_LOG_LEVEL: Type.Enum(logLevels, {
    default: 'info',
    description: 'Least severe level that is logged: trace, debug, info, warn, error, fatal or silent.',
  }),
});

/** An OpenAI-compatible language model. */
export interface LanguageModel {
  baseUrl: string;
  model: string;
  /** Empty if the provider requires none. */
  apiKey: string;
  vision: boolean;
  supportsJsonSchema: boolean;
}

export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  database: DatabaseSettings;
  temporal: TemporalConnection & { taskQueue: string };
  /** The folder for images without object storage. Absolute path. */
  imagesFolder: string;
  /** Where images are stored. */
  files: FilesLocation;
  /** Whether image links redirect to presigned URLs, where the store has them. */
  links: 'redirect' | 'proxy';
  secret: string;
  /** Null outside a rotation. */
  previousSecret: string | null;
  /** Milliseconds. */
  retention: number;
  /** Milliseconds before each attempt. */
  webhookSchedule: number[];
  /** Milliseconds of failed deliveries after which a destination is paused; null: never. */
  pauseAfter: number | null;
  /** As in `URL.protocol`. */
  webhookProtocols: string[];
  allowedHosts: string[];
  /** Requests per minute: `unauthorized` by client address, the others by key. */
  rates: { creations: number; others: number; unauthorized: number };
  /** The limits of organizations that have no own ones. */
  organizationLimits: Limits;
  /** Values for Express's `trust proxy`. */
  trustedProxies: string[];
  /** Absolute path. Null: everything is free. */
  pricesFile: string | null;
  /** Milliseconds. */
  synchronousTimeout: number;
  /** Absolute path. Null: the embedded engines. */
  enginesFile: string | null;
  /** Whether results may go unchecked because no classifier is installed. */
  unjudged: boolean;
  workerRoles: ReadonlySet<WorkerRole>;
  /** Null: the embedded rules. */
  language: LanguageModel | null;
  /** Null: no metrics server. */
  metrics: { host: string; port: number } | null;
  logLevel: string;
}

/**
 * Reads and validates all settings.
 * @param checkSecret returns a valid ATELIER_SECRET, and throws otherwise
 * @throws StartupError that names the variable to change
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, checkSecret = requireSecret): Config {
  const read = validate(env);
  const imagesFolder = resolve(read.ATELIER_DATA, 'images');
  const rates = {
    creations: read.ATELIER_RATE_CREATIONS,
    others: read.ATELIER_RATE_OTHERS,
    unauthorized: read.ATELIER_RATE_UNAUTHORIZED,
  };
  return {
    host: read.HOST,
    port: read.PORT,
    publicUrl: publicUrl(read.ATELIER_PUBLIC_URL || `http://${bracketed(read.HOST)}:${read.PORT}`),
    database: readDatabase(read.DATABASE_URL, read.ATELIER_DATABASE_DIRECT_URL, env),
    temporal: { ...readTemporal(env), taskQueue: read.ATELIER_TASK_QUEUE },
    imagesFolder,
    files: readFilesLocation(read.ATELIER_FILES, { folder: imagesFolder, pathStyle: read.ATELIER_S3_PATH_STYLE }),
    links: read.ATELIER_LINKS,
    secret: checkSecret(read.ATELIER_SECRET),
    previousSecret: read.ATELIER_PREVIOUS_SECRET || null,
    ...readRetention(read),
    pauseAfter: readDuration('ATELIER_WEBHOOK_PAUSE_AFTER', read.ATELIER_WEBHOOK_PAUSE_AFTER) || null,
    webhookProtocols: list(read.ATELIER_WEBHOOK_PROTOCOLS).map((name) => `${name}:`),
    allowedHosts: list(read.ATELIER_ALLOWED_HOSTS),
    rates,
    organizationLimits: readOrganizationLimits(read.ATELIER_ORGANIZATION_LIMITS, rates),
    trustedProxies: proxies(read.ATELIER_TRUSTED_PROXIES),
    pricesFile: read.ATELIER_PRICES === '' ? null : resolve(read.ATELIER_PRICES),
    synchronousTimeout: readDuration('ATELIER_ANSWER_TIMEOUT', read.ATELIER_ANSWER_TIMEOUT),
    enginesFile: read.ATELIER_ENGINES === '' ? null : resolve(read.ATELIER_ENGINES),
    unjudged: read.ATELIER_UNJUDGED === 'allow',
    workerRoles: readWorkerRoles(read.ATELIER_WORKER_ROLES),
    language: language({
      baseUrl: read.ATELIER_LANGUAGE_URL,
      model: read.ATELIER_LANGUAGE_MODEL,
      apiKey: read.ATELIER_LANGUAGE_KEY,
      vision: read.ATELIER_LANGUAGE_VISION,
      supportsJsonSchema: read.ATELIER_LANGUAGE_JSON_SCHEMA,
    }),
    metrics: metrics(read.ATELIER_METRICS_HOST, read.ATELIER_METRICS_PORT),
    logLevel: read.ATELIER_LOG_LEVEL,
  };
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

function validate(env: NodeJS.ProcessEnv): Static<typeof settings> {
  try {
    return envSchema<Static<typeof settings>>({ schema: settings, data: env, env: false });
  } catch (error) {
    const [failure] = error instanceof Error && 'errors' in error ? (error.errors as ErrorObject[]) : [];
    if (!failure) throw error;
    const { instancePath, keyword, params } = failure;
    const name = instancePath.slice(1);
    const allowed = params['allowedValues'] as string[] | undefined;
    const message = allowed ? `must be ${alternatives.format(allowed.filter(Boolean))}` : messageFor(keyword, params);
    // The message does not repeat the value, because it may be a secret.
    throw new StartupError(`${name} ${message}.`);
  }
}

/**
 * Reads the API key of a provider from the variable that the engines file names. Returns undefined if it is not set.
 */
export function readKey(variable: string): string | undefined {
  return process.env[variable]?.trim() || undefined;
}

/** Returns the URL without a slash at its end. Image links begin with it and remain in delivered events. */
function publicUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new StartupError('ATELIER_PUBLIC_URL must be an http or https address such as https://api.example.com.');
  }
  return withoutTrailingSlashes(text);
}

function language(model: LanguageModel): LanguageModel | null {
  if (model.baseUrl === '') return null;
  const url = URL.parse(model.baseUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new StartupError('ATELIER_LANGUAGE_URL must be an http or https address.');
  if (model.model === '') throw new StartupError('ATELIER_LANGUAGE_MODEL must name a model at ATELIER_LANGUAGE_URL.');
  return model;
}

function metrics(host: string, text: string): Config['metrics'] {
  if (text === '' || text === '0') return null;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new StartupError(`ATELIER_METRICS_PORT must be a port from 0 to 65535, not "${text}".`);
  return { host, port };
}

function proxies(text: string): string[] {
  const names = list(text, /[\s,]/);
  const isKnown = (name: string) =>
    /^(loopback|linklocal|uniquelocal)$/.test(name) || ipaddr.isValid(name) || ipaddr.isValidCIDR(name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown === undefined) return names;
  throw new StartupError(
    `ATELIER_TRUSTED_PROXIES must list addresses, subnets, loopback, linklocal or uniquelocal, not "${unknown}".`,
  );
}

function list(text: string, separator: string | RegExp = ','): string[] {
  return text
    .split(separator)
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
