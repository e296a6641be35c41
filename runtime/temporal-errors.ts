/** Explains why a request to Temporal failed, and names the variable to check. */
import { grpcStatus } from './grpc-status.ts';
import type { TemporalConnection } from './temporal-settings.ts';

type Target = Pick<TemporalConnection, 'address' | 'namespace' | 'tls' | 'apiKey'>;

export interface TemporalFailure {
  /** Only `tls` and `access` never pass without a change of the configuration. */
  kind: 'unreachable' | 'tls' | 'access' | 'namespace' | 'other';
  /** Sentences for the operator, without secrets. */
  message: string;
}

const clientCertificate = 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH';

/** Failures of the TLS handshake in the words of OpenSSL and Node. The first match applies. */
const handshakes: [RegExp, (target: Target, match: RegExpExecArray) => string][] = [
  [/alert certificate required/i, () => `requires a client certificate. Set ${clientCertificate}.`],
  [
    /alert (unknown ca|bad certificate|certificate \w+|unsupported certificate|access denied|decrypt error)/i,
    (_, [, reason]) =>
      `rejected the client certificate (${reason}). TEMPORAL_TLS_CLIENT_CERT_PATH must be issued by an authority that the server accepts.`,
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID(?:.*altnames: (.*)\. Resolution)?/,
    ({ tls, address }, [, names]) =>
      `has a certificate that is not valid for ${(tls && tls.serverNameOverride) ?? address.replace(/:\d+$/, '')}. ` +
      `Set TEMPORAL_TLS_SERVER_NAME to a name of the certificate${names ? ` (${names})` : ''}.`,
  ],
  [/certificate has expired/i, () => 'has a certificate that has expired. Renew it on the server.'],
  [
    /unable to (verify|get)|self.signed certificate/i,
    () =>
      'has a certificate of an unknown authority. Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of that authority.',
  ],
  [
    /wrong version number|before secure TLS connection|packet length too long/i,
    () =>
      'does not use TLS. Check TEMPORAL_ADDRESS, or unset TEMPORAL_TLS and the variables that begin with TEMPORAL_TLS_.',
  ],
  [
    /ECONNRESET|EPIPE|socket hang up|alert handshake failure|Connection dropped/i,
    () => `closed the connection after the TLS handshake. Check ${clientCertificate}.`,
  ],
];

/** Returns null for an error that is not about the connection, the access or the namespace. */
export function explainTemporalError(error: unknown, target: Target): TemporalFailure | null {
  const found = findStatus(error);
  if (found === null) return null;
  const { address, namespace, tls, apiKey } = target;
  const { code, details } = found;
  const server = `The Temporal server at ${address}`;
  if (code === grpcStatus.unavailable || code === grpcStatus.deadlineExceeded) {
    if (tls !== false) {
      for (const [pattern, explain] of handshakes) {
        const match = pattern.exec(details);
        if (match) return { kind: 'tls', message: `${server} ${explain(target, match)}` };
      }
    }
    if (/Failed to connect|ECONNRESET|EPIPE|Connection dropped|Protocol error/i.test(details) && tls === false) {
      const message = `${server} closes unencrypted connections. Set TEMPORAL_TLS=true, or TEMPORAL_API_KEY or certificates, which turn TLS on.`;
      return { kind: 'tls', message };
    }
    if (/Name resolution failed/i.test(details)) {
      return { kind: 'unreachable', message: `The name in ${address} cannot be resolved. Check TEMPORAL_ADDRESS.` };
    }
    return { kind: 'unreachable', message: `${server} does not respond. Check TEMPORAL_ADDRESS.` };
  }
  if (code === grpcStatus.unauthenticated || code === grpcStatus.permissionDenied) {
    const means = apiKey === undefined ? `The client certificate, or TEMPORAL_API_KEY` : 'TEMPORAL_API_KEY';
    const message = `${server} denied access to the namespace ${namespace}. Check TEMPORAL_NAMESPACE. ${means} must be valid for this namespace.`;
    return { kind: 'access', message };
  }
  if (code === grpcStatus.notFound && /namespace/i.test(details)) {
    const message = `${server} has no namespace ${namespace}. Check TEMPORAL_NAMESPACE, or register the namespace.`;
    return { kind: 'namespace', message };
  }
  return { kind: 'other', message: `${server} reported an error: ${firstLine(details)}` };
}

/** Finds the gRPC status in an error or in one of its causes. */
function findStatus(error: unknown): { code: number; details: string } | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'number' && 'details' in one && typeof one.details === 'string') {
      return { code: one.code, details: one.details };
    }
  }
  return null;
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
