/** The certificates for servers on this machine. */
import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createAuthority } from '../../scripts/local/certificate.ts';

test('OpenSSL reads certificates of every length', () => {
  const authority = createAuthority('here');
  for (let length = 1; length <= 64; length++) {
    const name = 'a'.repeat(length);
    const { cert } = authority.issue([name]);
    expect(new X509Certificate(cert).subject).toBe(`CN=${name}`);
    // An empty line before the last one makes OpenSSL reject the file.
    expect(cert).not.toContain('\n\n');
  }
});
