/** The configuration of a Temporal server: all its services in one process, on PostgreSQL, with optional TLS. */
import { plugin, type TemporalDatabases } from './databases.ts';

/** The server's services. Its own workers use `internal-frontend`, so that `frontend` can authenticate every client. */
export const services = ['frontend', 'internal-frontend', 'history', 'matching', 'worker'] as const;

/** The port of requests and the port of membership, by service. */
export type ServicePorts = Record<(typeof services)[number], { grpc: number; membership: number }>;

/** PEM files. */
export interface FrontendCertificates {
  cert: string;
  key: string;
  /** The authority of client certificates. Without it, the frontend requires none. */
  clientAuthority?: string;
}

export interface ServerConfiguration {
  databases: TemporalDatabases;
  /** Cannot change once the databases exist. 512 or more for a cluster. */
  historyShards: number;
  ip: string;
  ports: ServicePorts;
  /** The file of the dynamic configuration. */
  dynamicFile: string;
  tls?: FrontendCertificates | undefined;
  /** URL of the JWKS whose keys sign the bearer tokens of clients. Without it, the server does not check tokens. */
  tokenKeys?: string | undefined;
}

/** Returns the content of the server's configuration file. YAML includes JSON, so the file may be written as JSON. */
export function serverConfiguration(options: ServerConfiguration): object {
  const { databases, historyShards, ip, ports, dynamicFile, tls, tokenKeys } = options;
  const { host, port, user, password, main, visibility } = databases;
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: plugin,
      databaseName,
      connectAddr: `${host}:${port}`,
      connectProtocol: 'tcp',
      user,
      password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const service = ({ grpc, membership }: ServicePorts[keyof ServicePorts]) => ({
    rpc: { grpcPort: grpc, membershipPort: membership, bindOnIP: ip },
  });
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: historyShards,
      defaultStore: 'main',
      visibilityStore: 'visibility',
      datastores: { main: store(main, 20), visibility: store(visibility, 10) },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: ip },
      ...(tls && { tls: { frontend: { server: frontendTls(tls) } } }),
      ...(tokenKeys !== undefined && {
        authorization: {
          jwtKeyProvider: { keySourceURIs: [tokenKeys] },
          permissionsClaimName: 'permissions',
          authorizer: 'default',
          claimMapper: 'default',
        },
      }),
    },
    services: Object.fromEntries(services.map((name) => [name, service(ports[name])])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${ip}:${ports.frontend.grpc}`,
        },
      },
    },
    dynamicConfigClient: { filepath: dynamicFile, pollInterval: '10s' },
  };
}

function frontendTls({ cert, key, clientAuthority }: FrontendCertificates): object {
  return {
    certFile: cert,
    keyFile: key,
    ...(clientAuthority !== undefined && { requireClientAuth: true, clientCaFiles: [clientAuthority] }),
  };
}
