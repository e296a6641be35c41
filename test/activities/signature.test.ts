/** The bytes of a delivery's signatures. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../activities/signature.ts';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const body = '{"type":"artwork.succeeded","eventId":"evt_01JG","id":"art_01JG","status":"SUCCEEDED"}';
const signable = { eventId: 'evt_01JG', timestamp: 1767225600, body };

test("returns the signatures of the contract's test vector", () => {
  expect(signatureHeaders(signable, [secret])).toEqual({
    'Atelier-Timestamp': '1767225600',
    'Atelier-Signature': '9c7242293506ac561aca26f09980b0ff64c33f24faa353458f139b0bf0622d87',
    'webhook-id': 'evt_01JG',
    'webhook-timestamp': '1767225600',
    'webhook-signature': 'v1,8vb+0wtLcoQs0z7CK2+ibNErIieyScHTWKNo4jPAiyA=',
  });
});

test("the service's own signature uses the bytes of the whole secret as its key", () => {
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`1767225600.${body}`).digest('hex');
  expect(signatureHeaders(signable, [secret])['Atelier-Signature']).toBe(expected);
});

test('signs with both secrets, newest first, and either signature verifies', () => {
  const older = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ ...signable, timestamp }, [secret, older]);
  const [first, second] = (headers['Atelier-Signature'] ?? '').split(',');
  const own = (key: string) => createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  expect([first, second]).toEqual([own(secret), own(older)]);
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const key of [secret, older]) expect(new Webhook(key).verify(body, headers)).toEqual(JSON.parse(body));
  const other = new Webhook(`whsec_${Buffer.alloc(32, 9).toString('base64')}`);
  expect(() => other.verify(body, headers)).toThrow();
});

/** Of the private key with the bytes 0 to 31. Python's `cryptography` and OpenSSL have made the signature below. */
const privateKey = 'MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f';

test('a signing key adds the Ed25519 signature that other implementations make', () => {
  expect(signatureHeaders(signable, [secret], [privateKey])).toEqual({
    ...signatureHeaders(signable, [secret]),
    'webhook-signature':
      'v1,8vb+0wtLcoQs0z7CK2+ibNErIieyScHTWKNo4jPAiyA= ' +
      'v1a,ViETY7kTCUeRgwQcPkOiTM/iWhxjUTeEdWiCIHz4MTUAmIHRrZvzvS9GAR0ruKNRyD97iJ92SWwO1YZj0RckDg==',
  });
});

test('a receiver that knows only the secret verifies a delivery with signatures of two signing keys', () => {
  const previous = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ ...signable, timestamp }, [secret], [privateKey, previous.toString('base64')]);
  const identifiers = headers['webhook-signature']?.split(' ').map((one) => one.split(',')[0]);
  expect(identifiers).toEqual(['v1', 'v1a', 'v1a']);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});
