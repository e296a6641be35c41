/** Reads certificates and private keys from the PEM files that variables name. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { codeOf } from './error-code.ts';
import { StartupError } from './startup-error.ts';

/** A kind of PEM file. */
interface Kind<T> {
  parse: (pem: Buffer) => T;
  /** The kind in an error message. */
  kind: string;
}

export interface Pem<T> {
  pem: Buffer;
  parsed: T;
}

export const certificate: Kind<X509Certificate> = { parse: (pem) => new X509Certificate(pem), kind: 'a certificate' };

export const privateKey: Kind<KeyObject> = {
  parse: (pem) => createPrivateKey(pem),
  kind: 'a private key without passphrase',
};

/** @param label names the variable in an error @throws StartupError that does not repeat the content */
export function parsePem<T>(label: string, pem: Buffer, { parse, kind }: Kind<T>): Pem<T> {
  try {
    return { pem, parsed: parse(pem) };
  } catch {
    // The reason may repeat the content.
    throw new StartupError(`${label} must contain ${kind} in PEM format.`);
  }
}

/** @param label names the variable in an error @throws StartupError that says why the file cannot be read */
export function readNamedFile(label: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = codeOf(error);
    const reason = code === 'ENOENT' ? 'which does not exist' : `which this process cannot read (${String(code)})`;
    throw new StartupError(`${label} names ${file}, ${reason}.`);
  }
}
