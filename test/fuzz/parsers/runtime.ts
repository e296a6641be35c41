/** Settings of an operator, the hosts file, and responses of DNS servers. */
import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../../../scripts/local/certificate.ts';
import { readDuration } from '../../../runtime/durations.ts';
import { readFilesLocation } from '../../../runtime/files-location.ts';
import { findInHostsFile } from '../../../runtime/hosts-file.ts';
import { certificate, parsePem, privateKey } from '../../../runtime/pem-file.ts';
import { postgresOptions } from '../../../runtime/postgres-url.ts';
import { queryDns } from '../../../runtime/query-dns.ts';
import { requireSecret } from '../../../runtime/secret.ts';
import { StartupError } from '../../../runtime/startup-error.ts';
import { readTemporal } from '../../../runtime/temporal-settings.ts';
import { readWorkerRoles } from '../../../runtime/worker-roles.ts';
import { codeOf } from '../../../runtime/error-code.ts';
import { bytesOf, type Parsers, type Table } from '../parser.ts';

const mayThrow = (error: unknown) => error instanceof StartupError;

/** Returns a parser of a file, into which each input is written. */
const viaFile = (file: string, read: (file: string) => unknown) => async (input: string) => {
  await writeFile(file, bytesOf(input));
  return read(file);
};

export const open: Table['open'] = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-fuzz-'));
  const file = join(folder, 'file');
  const nameServer = await startBrokenNameServer();
  const { key, cert } = createAuthority('fuzz');
  const parsers: Parsers = {
    'a duration': {
      modules: ['runtime/durations.ts'],
      examples: ['5s', '30m', '8 days', '0', '1.5h'],
      mayThrow,
      parse: (input) => readDuration('ATELIER_RETENTION', input),
    },
    'the address of a database': {
      modules: ['runtime/postgres-url.ts', 'runtime/postgres-tls.ts'],
      examples: [
        'postgresql://user:p%40ss@host:5432/database?sslmode=require',
        'postgres://[::1]/a?host=/run&sslmode=verify-full&sslrootcert=/etc/ca.pem',
      ],
      mayThrow,
      parse: (input) => postgresOptions(input),
    },
    'the location of images': {
      modules: ['runtime/files-location.ts'],
      examples: ['s3://bucket/a/b', 's3://my-bucket.example'],
      mayThrow,
      parse: (input) => readFilesLocation(input, { folder: '/data', pathStyle: true }),
    },
    'the roles of a worker': {
      modules: ['runtime/worker-roles.ts'],
      examples: ['workflows, deliveries', 'embedded'],
      mayThrow,
      parse: readWorkerRoles,
    },
    'a secret': {
      modules: ['runtime/secret.ts'],
      examples: ['rk2c7XJt0mJv4Qe9sHq1yZb6uLw3oFgA'],
      mayThrow,
      parse: requireSecret,
    },
    'a certificate': {
      modules: ['runtime/pem-file.ts'],
      examples: [cert],
      mayThrow,
      parse: (input) => parsePem('PGSSLCERT', bytesOf(input), certificate),
    },
    'a private key': {
      modules: ['runtime/pem-file.ts'],
      examples: [key],
      mayThrow,
      parse: (input) => parsePem('PGSSLKEY', bytesOf(input), privateKey),
    },
    "Temporal's address and API key": {
      modules: ['runtime/temporal-settings.ts'],
      examples: ['temporal.example.com:7233', '[::1]:7233', 'eyJhbGciOiJFUzI1NiJ9.e30.MEUCIQ'],
      mayThrow,
      parse(input) {
        for (const name of ['TEMPORAL_ADDRESS', 'TEMPORAL_API_KEY', 'TEMPORAL_GRPC_META_A'])
          readTemporal({ [name]: input });
      },
    },
    "Temporal's configuration file": {
      modules: ['runtime/temporal-settings.ts'],
      examples: [
        '[profile.default]\naddress = "127.0.0.1:7233"\nnamespace = "a"\n[profile.default.tls]\ndisabled = true\n',
        '[profile.default]\napi_key = "a"\n[profile.default.grpc_meta]\na = "b"\n',
      ],
      mayThrow,
      parse: viaFile(file, () => readTemporal({ TEMPORAL_CONFIG_FILE: file })),
    },
    'the hosts file': {
      modules: ['runtime/hosts-file.ts'],
      examples: ['127.0.0.1\tlocalhost # loopback\n::1 localhost ip6-localhost\n'],
      parse: viaFile(file, () => findInHostsFile('localhost', file)),
    },
    'the response of a DNS server': {
      modules: ['runtime/query-dns.ts'],
      // A header without the id of the query, its question, and one address.
      examples: [
        '\x81\x80\0\x01\0\x01\0\0\0\0\x01a\x07example\0\0\x01\0\x01\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04\xcb\0\x71\x07',
      ],
      longest: 4096,
      share: 1 / 20,
      mayThrow: (error) => codeOf(error) === 'EAI_AGAIN',
      parse(input) {
        nameServer.response = bytesOf(input);
        return queryDns('a.example', [nameServer.address]);
      },
    },
  };
  return {
    parsers,
    close: async () => {
      nameServer.close();
      await rm(folder, { recursive: true });
    },
  };
};

/** Sends bytes after the id of every query, and then an error, because the resolver would wait if it ignores the bytes. */
async function startBrokenNameServer() {
  const socket = createSocket('udp4');
  const server = { response: bytesOf(''), address: '', close: () => void socket.close() };
  socket.on('message', (query, { port, address }) => {
    const id = query.subarray(0, 2);
    socket.send(Buffer.concat([id, server.response]), port, address);
    socket.send(Buffer.concat([id, Buffer.from([0x81, 0x85]), query.subarray(4)]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}
