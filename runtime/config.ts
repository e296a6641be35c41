/** The only reader of the environment in API, worker and operator. The table in the README is made from `settings`. */
import { resolve } from 'node:path';
import envSchema from 'env-schema';
import ipaddr from 'ipaddr.js';
import ms, { type StringValue } from 'ms';
import Type, { type Static } from 'typebox';

/** Not a secret: production mode refuses it. */
const developmentSecret = 'atelier-development-secret-not-for-production';

const rate = (usual: number, description: string) =>
  Type.Integer({ default: usual, minimum: 1, maximum: 2147483647, description });

export const settings = Type.Object({
  NODE_ENV: Type.String({ default: 'development', description: '`production` refuses the development secret.' }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address that the API listens on.' }),
  PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65535, description: 'Port of the API.' }),
  ATELIER_PUBLIC_URL: Type.String({
    default: '',
    description: 'Address under which clients reach the API, for image links. Default `http://HOST:PORT`.',
  }),
  DATABASE_URL: Type.String({
    default: 'postgresql://atelier@127.0.0.1:5432/atelier',
    description: 'PostgreSQL. `npm start` uses a local one when this is not given.',
  }),
  TEMPORAL_ADDRESS: Type.String({
    default: '127.0.0.1:7233',
    description: 'Temporal frontend. `npm start` uses a local one when this is not given.',
  }),
  TEMPORAL_NAMESPACE: Type.String({ default: 'default', description: 'Temporal namespace.' }),
  ATELIER_TASK_QUEUE: Type.String({
    default: 'atelier',
    description: 'Temporal task queue of the workflows; engines use queues named after it.',
  }),
  ATELIER_DATA: Type.String({
    default: '.atelier',
    description: 'Data folder: images; with `npm start` also database, logs and demo.json.',
  }),
  ATELIER_SECRET: Type.String({
    default: developmentSecret,
    minLength: 32,
    description: 'Encrypts webhook secrets at rest and signs image links; at least 32 characters.',
  }),
  ATELIER_PREVIOUS_SECRET: Type.String({
    default: '',
    description: 'The one before, while it is rotated: what it has encrypted and signed still counts.',
  }),
  ATELIER_RETENTION: Type.String({ default: '8 days', description: 'After this everything of an artwork is deleted.' }),
  ATELIER_WEBHOOK_SCHEDULE: Type.String({
    default: '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h',
    description: 'Waits before each delivery try.',
  }),
  ATELIER_ALLOWED_HOSTS: Type.String({
    default: '',
    description: 'Private hosts that webhooks and image URLs may name, separated by commas.',
  }),
  ATELIER_ENGINES: Type.String({
    default: '',
    description: 'File that binds models to providers; see docs/engines. Without it the embedded engines answer.',
  }),
  ATELIER_RATE_CREATIONS: rate(600, 'Creations and synchronous answers that a key may ask for in a minute.'),
  ATELIER_RATE_OTHERS: rate(3000, 'Other requests that a key may make in a minute.'),
  ATELIER_RATE_UNAUTHORIZED: rate(
    60,
    'Requests without a valid key that are answered 401 in a minute, by client address.',
  ),
  ATELIER_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Proxies whose `X-Forwarded-For` names the client: addresses, subnets, `loopback`, `linklocal` or `uniquelocal`, ' +
      'separated by commas.',
  }),
  ATELIER_PRICES: Type.String({
    default: '',
    description: 'File with the price list. Without it everything costs 0 credits.',
  }),
  ATELIER_LANGUAGE_URL: Type.String({
    default: '',
    description:
      'Base URL of an OpenAI-compatible language model, such as `https://api.openai.com/v1` or `http://127.0.0.1:8080/v1`. ' +
      'Without it the embedded rules write; they cannot translate or answer freely.',
  }),
  ATELIER_LANGUAGE_MODEL: Type.String({ default: '', description: 'Name of that model, as its provider calls it.' }),
  ATELIER_LANGUAGE_KEY: Type.String({ default: '', description: 'API key of that provider, where it wants one.' }),
  ATELIER_LANGUAGE_VISION: Type.Boolean({
    default: false,
    description: 'Whether that model can see. Then it gets the images that a style is described from.',
  }),
  ATELIER_LANGUAGE_JSON_SCHEMA: Type.Boolean({
    default: false,
    description:
      'Whether its server holds it to a JSON Schema (`response_format`). Without, the schema is part of the prompt.',
  }),
  ATELIER_ANSWER_TIMEOUT: Type.String({
    default: '60s',
    description: 'How long a synchronous answer of a language model may take before it is a 504.',
  }),
  ATELIER_METRICS_PORT: Type.String({
    default: '',
    description:
      'Port on which each process answers Prometheus at `/metrics`; empty or 0: none. `npm start` picks one for each.',
  }),
  ATELIER_METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address that this port is opened on. Whoever reaches it can read it.',
  }),
  ATELIER_LOG_LEVEL: Type.String({ default: 'info', description: 'trace, debug, info, warn, error or silent.' }),
});

/** An OpenAI-compatible language model. */
export interface LanguageModel {
  baseUrl: string;
  model: string;
  /** Empty where none is needed. */
  apiKey: string;
  vision: boolean;
  supportsJsonSchema: boolean;
}

export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  databaseUrl: string;
  temporal: { address: string; namespace: string; taskQueue: string };
  /** Absolute. */
  imagesFolder: string;
  secret: string;
  /** Null when none is being rotated. */
  previousSecret: string | null;
  /** Milliseconds. */
  retention: number;
  /** Milliseconds before each try. */
  webhookSchedule: number[];
  allowedHosts: string[];
  /** Requests a minute: by key, and the last by client address. */
  rates: { creations: number; others: number; unauthorized: number };
  /** As Express's `trust proxy` takes them. */
  trustedProxies: string[];
  /** Absolute. Null: everything costs nothing. */
  pricesFile: string | null;
  /** Milliseconds. */
  answerTimeout: number;
  /** Absolute. Null: the embedded engines. */
  enginesFile: string | null;
  /** Null: the embedded rules. */
  language: LanguageModel | null;
  /** Null: nobody asks. */
  metrics: { host: string; port: number } | null;
  logLevel: string;
}

/** @throws Error that names the variable to change */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const read = envSchema<Static<typeof settings>>({ schema: settings, data: env, env: false });
  if (read.NODE_ENV === 'production' && read.ATELIER_SECRET === developmentSecret) {
    throw new Error('ATELIER_SECRET must be set in production, to at least 32 random characters.');
  }
  return {
    host: read.HOST,
    port: read.PORT,
    publicUrl: publicUrl(read.ATELIER_PUBLIC_URL || `http://${bracketed(read.HOST)}:${read.PORT}`),
    databaseUrl: read.DATABASE_URL,
    temporal: {
      address: read.TEMPORAL_ADDRESS,
      namespace: read.TEMPORAL_NAMESPACE,
      taskQueue: read.ATELIER_TASK_QUEUE,
    },
    imagesFolder: resolve(read.ATELIER_DATA, 'images'),
    secret: read.ATELIER_SECRET,
    previousSecret: read.ATELIER_PREVIOUS_SECRET || null,
    retention: duration('ATELIER_RETENTION', read.ATELIER_RETENTION),
    webhookSchedule: read.ATELIER_WEBHOOK_SCHEDULE.split(',').map((wait) => duration('ATELIER_WEBHOOK_SCHEDULE', wait)),
    allowedHosts: list(read.ATELIER_ALLOWED_HOSTS),
    rates: {
      creations: read.ATELIER_RATE_CREATIONS,
      others: read.ATELIER_RATE_OTHERS,
      unauthorized: read.ATELIER_RATE_UNAUTHORIZED,
    },
    trustedProxies: proxies(read.ATELIER_TRUSTED_PROXIES),
    pricesFile: read.ATELIER_PRICES === '' ? null : resolve(read.ATELIER_PRICES),
    answerTimeout: duration('ATELIER_ANSWER_TIMEOUT', read.ATELIER_ANSWER_TIMEOUT),
    enginesFile: read.ATELIER_ENGINES === '' ? null : resolve(read.ATELIER_ENGINES),
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

/** The API key of a provider, whose variable the operator's file of engines names. */
export function readKey(variable: string): string | undefined {
  return process.env[variable]?.trim() || undefined;
}

/** Without a slash at its end. Links are made from it, and stand in events for ever. */
function publicUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error('ATELIER_PUBLIC_URL is not an http or https address such as https://api.example.com');
  }
  return text.replace(/\/+$/, '');
}

function language(model: LanguageModel): LanguageModel | null {
  if (model.baseUrl === '') return null;
  const url = URL.parse(model.baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('ATELIER_LANGUAGE_URL is not an http or https address.');
  if (model.model === '') throw new Error('ATELIER_LANGUAGE_MODEL must name a model of ATELIER_LANGUAGE_URL.');
  return model;
}

function metrics(host: string, text: string): Config['metrics'] {
  if (text === '' || text === '0') return null;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`ATELIER_METRICS_PORT is ${text}, not a port.`);
  return { host, port };
}

function duration(name: string, text: string): number {
  // `ms` takes a number without a unit for milliseconds, which nobody means who writes 8 for days.
  const hasForm = /^(0|\d[\d.]{0,15} ?[a-z]{1,15})$/i.test(text.trim());
  const value = hasForm ? (ms(text.trim() as StringValue) as number | undefined) : undefined;
  if (value === undefined) throw new Error(`${name}: "${text}" is not a duration such as 5s, 30m or 8 days.`);
  return value;
}

function proxies(text: string): string[] {
  const names = list(text);
  const isKnown = (name: string) =>
    /^(loopback|linklocal|uniquelocal)$/.test(name) || ipaddr.isValid(name) || ipaddr.isValidCIDR(name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown === undefined) return names;
  throw new Error(`ATELIER_TRUSTED_PROXIES: "${unknown}" is no address, subnet, loopback, linklocal or uniquelocal.`);
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
