/** Reads the connection to Temporal from Temporal's standard variables and from its configuration file, and checks it. */
import type { TLSConfig } from '@temporalio/client';
import { type ClientConfigProfile, loadClientConfigProfile } from '@temporalio/envconfig';
import { certificate, parsePem, type Pem, privateKey, readNamedFile } from './pem-file.ts';
import { StartupError } from './startup-error.ts';

/** A connection to Temporal, without secrets in any error of ours. */
export interface TemporalConnection {
  /** `host:port`. */
  address: string;
  namespace: string;
  /** False: the connection is not encrypted. */
  tls: TLSConfig | false;
  /** Sent as `authorization: Bearer …` with each request. */
  apiKey?: string;
  /** Further headers of each request. */
  metadata?: Record<string, string>;
}

type Source = NonNullable<ClientConfigProfile['tls']>['clientCert'];
type Env = Readonly<Record<string, string | undefined>>;

const defaults = { address: '127.0.0.1:7233', namespace: 'default' };

/**
 * Returns the connection that the environment describes.
 * @throws StartupError that names the variable to change
 */
export function readTemporal(env: Env): TemporalConnection {
  const given = givenVariables(env);
  const profile = readProfile(given);
  const address = profile.address ?? defaults.address;
  if (!/^(\[[0-9a-f:.]+\]|[^\s:/@]+)(:\d{1,5})?$/i.test(address)) {
    throw new StartupError(`TEMPORAL_ADDRESS must be host:port such as temporal.example.com:7233, not "${address}".`);
  }
  const apiKey = profile.apiKey?.trim();
  if (apiKey !== undefined && !/^[!-~]+$/.test(apiKey)) {
    throw new StartupError(
      'TEMPORAL_API_KEY contains characters that no API key has. Copy the key again, without quotes.',
    );
  }
  for (const [name, value] of Object.entries(profile.grpcMeta ?? {})) {
    if (!/^[ -~]*$/.test(value)) {
      throw new StartupError(`TEMPORAL_GRPC_META_${name.toUpperCase()} is not a valid header.`);
    }
  }
  return {
    address,
    namespace: profile.namespace ?? defaults.namespace,
    tls: readTls(profile, given),
    ...(apiKey !== undefined && { apiKey }),
    ...(profile.grpcMeta && { metadata: profile.grpcMeta }),
  };
}

/** Returns Temporal's variables. An empty variable counts as absent, except for a header, which it removes. */
function givenVariables(env: Env): Record<string, string> {
  const entries = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (entry[1] !== '' || entry[0].startsWith('TEMPORAL_GRPC_META_')),
  );
  const given = Object.fromEntries(entries);
  const tls = given['TEMPORAL_TLS'];
  if (tls !== undefined && !/^(true|false|1|0)$/.test(tls)) {
    throw new StartupError(`TEMPORAL_TLS must be true or false, not "${tls}".`);
  }
  return given;
}

/** Reads a configuration file only if a variable requests one, so that no file in a home folder changes a service. */
function readProfile(env: Record<string, string>): ClientConfigProfile {
  const { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: profile } = env;
  const content = file === undefined ? undefined : readNamedFile('TEMPORAL_CONFIG_FILE', file).toString();
  try {
    return loadClientConfigProfile({
      overrideEnvVars: env,
      configFileStrict: true,
      disableFile: file === undefined && profile === undefined,
      ...(content !== undefined && { configSource: { data: content } }),
    });
  } catch (error) {
    const where = file ?? "Temporal's configuration file";
    const { message, line } = detailsOf(error);
    if (message.startsWith('Profile ')) {
      throw new StartupError(`TEMPORAL_PROFILE is ${profile}, but ${where} has no such profile.`);
    }
    // envconfig expects at least one profile.
    if (error instanceof TypeError) throw new StartupError(`TEMPORAL_CONFIG_FILE (${where}) contains no profile.`);
    // The parser's message repeats lines of the file, which may contain keys.
    const reason = line === undefined ? message : `line ${line} is not valid TOML`;
    throw new StartupError(`TEMPORAL_CONFIG_FILE (${where}) cannot be used: ${reason}.`);
  }
}

function detailsOf(error: unknown): { message: string; line?: string } {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  return {
    message: 'message' in error ? String(error.message) : '',
    ...('line' in error && { line: String(error.line) }),
  };
}

function readTls(profile: ClientConfigProfile, env: Record<string, string>): TLSConfig | false {
  const { tls } = profile;
  if (tls === undefined) return profile.apiKey === undefined ? false : {};
  if (tls.disabled === true) return false;
  const cert = readPem('CLIENT_CERT', tls.clientCert, env, certificate);
  const key = readPem('CLIENT_KEY', tls.clientKey, env, privateKey);
  const authority = readPem('SERVER_CA_CERT', tls.serverCACert, env, certificate);
  if (cert && !key) throw new StartupError(incomplete('CLIENT_CERT', 'CLIENT_KEY'));
  if (key && !cert) throw new StartupError(incomplete('CLIENT_KEY', 'CLIENT_CERT'));
  if (cert && key && !cert.parsed.checkPrivateKey(key.parsed)) {
    throw new StartupError(`${key.variable} is not the private key of the certificate in ${cert.variable}.`);
  }
  if (cert && Date.parse(cert.parsed.validTo) < Date.now()) {
    throw new StartupError(`The certificate in ${cert.variable} expired on ${cert.parsed.validTo}. Renew it.`);
  }
  return {
    ...(tls.serverName !== undefined && { serverNameOverride: tls.serverName }),
    ...(authority && { serverRootCACertificate: authority.pem }),
    ...(cert && key && { clientCertPair: { crt: cert.pem, key: key.pem } }),
  };
}

const incomplete = (one: string, other: string) =>
  `TEMPORAL_TLS_${one}_PATH is set, but TEMPORAL_TLS_${other}_PATH is not. Set both, or neither.`;

function readPem<T>(
  name: string,
  source: Source,
  env: Record<string, string>,
  kind: Parameters<typeof parsePem<T>>[2],
): (Pem<T> & { variable: string }) | undefined {
  if (source === undefined) return undefined;
  const full = `TEMPORAL_TLS_${name}_${'path' in source ? 'PATH' : 'DATA'}`;
  const variable = env[full] === undefined ? `${full} (from the configuration file)` : full;
  const pem = 'path' in source ? readNamedFile(variable, source.path) : Buffer.from(source.data);
  return { ...parsePem(variable, pem, kind), variable };
}
