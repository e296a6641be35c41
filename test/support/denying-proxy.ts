/** A proxy before a Temporal server that denies its administration, as Temporal Cloud does. */
import {
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

export interface DenyingProxy {
  /** `host:port`. */
  address: string;
  close(): Promise<void>;
}

const denied = '/temporal.api.operatorservice.';

/** @param status the gRPC status of a denial: 7 is PERMISSION_DENIED, 12 is UNIMPLEMENTED */
export async function startDenyingProxy(address: string, status: number): Promise<DenyingProxy> {
  const upstream = connect(`http://${address}`);
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => void sessions.add(session));
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    if (String(headers[constants.HTTP2_HEADER_PATH]).startsWith(denied)) {
      const denial = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(status) };
      stream.on('end', () => stream.respond(denial, { endStream: true })).resume();
      return;
    }
    const forwarded = upstream.request(headers);
    stream.pipe(forwarded);
    let trailers: IncomingHttpHeaders = {};
    forwarded.on('trailers', (received: IncomingHttpHeaders) => void (trailers = received));
    forwarded.on('response', (received, flags) => {
      // A failed request has no body, and its status is in the headers.
      if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) return stream.respond(received, { endStream: true });
      stream.respond(received, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      forwarded.pipe(stream);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
