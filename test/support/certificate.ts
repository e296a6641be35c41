/** A self-signed certificate, created when a test needs it, so that the repository contains no key. X.509 in DER. */
import { generateKeyPairSync, sign } from 'node:crypto';

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const utcTime = (time: Date) => der(0x17, Buffer.from(`${time.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

/** Returns a certificate that is valid for a day. @param host its common name */
export function selfSigned(host: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(host)))));
  const day = 24 * 3_600_000;
  const valid = sequence(utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + day)));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(der(0x02, Buffer.from([1])), ecdsaWithSha256, name, valid, name, spki);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const pem = sequence(body, ecdsaWithSha256, signature).toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`,
  };
}
