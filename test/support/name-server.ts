/** A DNS server on this machine, over UDP, which responds as the test says. */
import { createSocket } from 'node:dgram';
import ipaddr from 'ipaddr.js';

/** The addresses of a name, which are none for a name that does not exist; `silent` sends no response. */
export type NameServerResponse = { addresses: readonly string[]; ttl?: number } | 'silent' | 'failure';

export interface NameServer {
  /** For `Resolver.setServers`. */
  address: string;
  /** The names of all queries for IPv4 addresses, in order. */
  queries: string[];
  close(): Promise<void>;
}

const recordTypes = { ipv4: 1, ipv6: 28 };
const codes = { noError: 0, serverFailure: 2, nameError: 3 };
const headerLength = 12;

export async function startNameServer(respond: (name: string) => NameServerResponse): Promise<NameServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, sender) => {
    const { name, type, end } = readQuestion(query);
    if (type === recordTypes.ipv4) queries.push(name);
    const response = respond(name);
    if (response === 'silent') return;
    const question = query.subarray(headerLength, end);
    socket.send(writeResponse(query.readUInt16BE(0), question, type, response), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

/** @returns the first question, and the offset of its end in the message */
function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = headerLength;
  for (let length = message.readUInt8(offset++); length > 0; length = message.readUInt8(offset++)) {
    labels.push(message.toString('latin1', offset, offset + length));
    offset += length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(offset), end: offset + 4 };
}

function writeResponse(
  id: number,
  question: Buffer,
  type: number,
  response: Exclude<NameServerResponse, 'silent'>,
): Buffer {
  const { addresses, ttl = 60 } = response === 'failure' ? { addresses: [] } : response;
  const parsed = addresses.map((address) => ipaddr.parse(address));
  const answers = parsed.filter((address) => recordTypes[address.kind()] === type);
  const header = Buffer.alloc(headerLength);
  header.writeUInt16BE(id, 0);
  const code = response === 'failure' ? codes.serverFailure : parsed.length > 0 ? codes.noError : codes.nameError;
  // A response, to a recursive query, from a server that resolves recursively.
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  const records = answers.map((address) => {
    const data = Buffer.from(address.toByteArray());
    const record = Buffer.alloc(12);
    // A pointer to the name in the question.
    record.writeUInt16BE(0xc000 | headerLength, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(ttl, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question, ...records]);
}
