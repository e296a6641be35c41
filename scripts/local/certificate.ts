/** Certificates for servers and clients on this machine, created when needed, so that the repository contains no key. X.509 in DER. */
import { generateKeyPairSync, type KeyObject, randomInt, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** PEM. */
export interface KeyPair {
  key: string;
  cert: string;
}

export interface Authority extends KeyPair {
  /**
   * Issues a certificate for a server or a client. @param names its DNS names and IPv4 addresses
   * @param days until it expires; negative if it has
   */
  issue(names: string[], days?: number): KeyPair;
}

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
/** DER requires the shortest form, which has three bytes from 0x8000 to 0x7fffff. */
const newSerialNumber = () => der(0x02, Buffer.from(randomInt(0x8000, 0x800000).toString(16).padStart(6, '0'), 'hex'));
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const utcTime = (time: Date) => der(0x17, Buffer.from(`${time.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
const commonName = (name: string) => sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))));
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const day = 24 * 3_600_000;
const extension = (id: number, value: Uint8Array) => sequence(oid(0x55, 0x1d, id), der(0x04, value));
const isAuthority = () => extension(0x13, sequence(der(0x01, Buffer.from([0xff]))));
const alternativeNames = (names: string[]) =>
  extension(
    0x11,
    sequence(
      ...names.map((name) =>
        isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
      ),
    ),
  );

interface Contents {
  subject: string;
  issuer: string;
  extension: Buffer;
  publicKey: KeyObject;
  signer: KeyObject;
  days: number;
}

function certificate({ subject, issuer, extension: only, publicKey, signer, days }: Contents): string {
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const until = new Date(Date.now() + days * day);
  const valid = sequence(utcTime(new Date(Math.min(Date.now(), until.getTime()) - day)), utcTime(until));
  const body = sequence(
    ...[version3, newSerialNumber(), ecdsaWithSha256, commonName(issuer), valid, commonName(subject)],
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(only)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer));
  const pem = sequence(body, ecdsaWithSha256, signature)
    .toString('base64')
    .replaceAll(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`;
}

const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Returns a certificate that is valid for a day. @param host its common name */
export function selfSigned(host: string): KeyPair {
  const { publicKey, privateKey } = newKeys();
  const names = { subject: host, issuer: host, extension: alternativeNames([host]) };
  return { key: toPem(privateKey), cert: certificate({ ...names, publicKey, signer: privateKey, days: 1 }) };
}

/** @param validFor days that the certificates of the authority, and by default those that it issues, are valid */
export function createAuthority(name: string, validFor = 1): Authority {
  const { publicKey, privateKey: signer } = newKeys();
  const own = { subject: name, issuer: name, extension: isAuthority(), publicKey, signer, days: validFor };
  return {
    key: toPem(signer),
    cert: certificate(own),
    issue(names, days = validFor) {
      const keys = newKeys();
      const contents = { subject: names[0] ?? '', issuer: name, extension: alternativeNames(names), days };
      return {
        key: toPem(keys.privateKey),
        cert: certificate({ ...contents, publicKey: keys.publicKey, signer }),
      };
    },
  };
}
