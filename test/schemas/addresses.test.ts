/** The URLs that are rejected before a DNS lookup, in every spelling of a private address, and the IP addresses that are rejected at the connection. */
import { expect, test } from '@jest/globals';
import { hostOf, isPublicAddress, refuseAddress } from '../../schemas/addresses.ts';

const form = 'must be an absolute http or https URL';
const login = 'must not contain a user name or password';
const reserved = 'must not point to a private or reserved address';
const port = 'must not use a port of a protocol other than HTTP';
const inside = 'must not point to a host on a private network';

const accepted = [
  'https://example.com',
  'http://example.com/',
  'https://example.com:8443/a/b?c=d#e',
  'https://EXAMPLE.com/hook',
  'https://example.com./hook',
  'https://a-b.co.uk/',
  'https://xn--bcher-kva.example.org/',
  'https://bücher.de/',
  'https://8.8.8.8/',
  'https://1.1.1.1:8080/',
  'https://0x08080808/',
  'https://[2606:4700:4700::1111]/',
  'https://[2001:4860:4860::8888]:443/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://127.0.0.1.nip.io/',
  'https://example.com:80/',
  'http://example.com:443/',
  'http://example.com:8080/',
  'https://example.com:65535/',
  'https://example.com:/',
  'https://例え.jp/hook',
  'https://example.com/?next=http://127.0.0.1/',
  'https://example.com/@127.0.0.1',
  'https://168.63.129.17/',
];
test.each(accepted)('%s is accepted', (url) => {
  expect(refuseAddress(url, [])).toBeNull();
});

const rejected: [string, string][] = [
  // Not an absolute http address.
  ['', form],
  ['hook', form],
  ['/hook', form],
  ['//example.com/hook', form],
  ['example.com/hook', form],
  ['ftp://example.com/', form],
  ['file:///etc/passwd', form],
  ['javascript:alert(1)', form],
  ['data:text/plain,a', form],
  ['ws://example.com/', form],
  ['http://', form],
  ['http://exa mple.com/', form],
  ['http://1.2.3.4.5/', form],
  ['http://256.1.1.1/', form],
  ['http://[::1', form],
  ['http://example.com:99999/', form],
  // Credentials.
  ['https://user@example.com/', login],
  ['https://user:password@example.com/', login],
  ['https://:password@example.com/', login],
  // IPv4, dotted.
  ['http://0.0.0.0/', reserved],
  ['http://0.1.2.3/', reserved],
  ['http://10.0.0.1/', reserved],
  ['http://100.64.0.1/', reserved],
  ['http://127.0.0.1/', reserved],
  ['http://127.255.255.254/', reserved],
  ['http://169.254.169.254/latest/meta-data/', reserved],
  ['http://172.16.0.1/', reserved],
  ['http://172.31.255.255/', reserved],
  ['http://192.0.0.1/', reserved],
  ['http://192.0.2.1/', reserved],
  ['http://192.168.1.1/', reserved],
  ['http://198.18.0.1/', reserved],
  ['http://198.51.100.1/', reserved],
  ['http://203.0.113.1/', reserved],
  ['http://224.0.0.1/', reserved],
  ['http://240.0.0.1/', reserved],
  ['http://255.255.255.255/', reserved],
  // IPv4 in other spellings.
  ['http://127.1/', reserved],
  ['http://127.0.1/', reserved],
  ['http://2130706433/', reserved],
  ['http://0x7f000001/', reserved],
  ['http://0x7f.0.0.1/', reserved],
  ['http://0x7F.1/', reserved],
  ['http://017700000001/', reserved],
  ['http://0177.0.0.01/', reserved],
  ['http://127.0.0.1./', reserved],
  ['http://１２７.0.0.1/', reserved],
  ['http://127。0。0。1/', reserved],
  ['http://%31%32%37.0.0.1/', reserved],
  ['http://2852039166/', reserved],
  ['http:\\\\127.0.0.1\\', reserved],
  // IPv6.
  ['http://[::]/', reserved],
  ['http://[::1]/', reserved],
  ['http://[0:0:0:0:0:0:0:1]/', reserved],
  ['http://[::ffff:127.0.0.1]/', reserved],
  ['http://[::ffff:7f00:1]/', reserved],
  ['http://[::ffff:8.8.8.8]/', reserved],
  ['http://[::127.0.0.1]/', reserved],
  ['http://[::ffff:0:127.0.0.1]/', reserved],
  ['http://[64:ff9b::127.0.0.1]/', reserved],
  ['http://[64:ff9b:1::a00:1]/', reserved],
  ['http://[2002:7f00:1::]/', reserved],
  ['http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/', reserved],
  ['http://[2001:db8::1]/', reserved],
  ['http://[3fff::1]/', reserved],
  ['http://[100::1]/', reserved],
  ['http://[fc00::1]/', reserved],
  ['http://[fd00:ec2::254]/', reserved],
  ['http://[fe80::1]/', reserved],
  ['http://[fec0::1]/', reserved],
  ['http://[ff02::1]/', reserved],
  ['http://[4000::1]/', reserved],
  ['http://[::ffff:a9fe:a9fe]/', reserved],
  ['http://[::a9fe:a9fe]/', reserved],
  ['http://[64:ff9b::a9fe:a9fe]/', reserved],
  ['http://[64:ff9b::8.8.8.8]/', reserved],
  ['http://[2002:0a00:0001::1]/', reserved],
  ['http://[2002:0808:0808::1]/', reserved],
  ['http://[2001::1]/', reserved],
  ['http://[2001:2::1]/', reserved],
  ['http://[2001:10::1]/', reserved],
  ['http://[2001:20::1]/', reserved],
  ['http://[5f00::1]/', reserved],
  ['http://[febf::1]/', reserved],
  ['http://[ff0e::1]/', reserved],
  // IPv6 addresses with a zone.
  ['http://[fe80::1%25eth0]/', form],
  ['http://[fe80::1%eth0]/', form],
  ['http://[::1%25lo]/', form],
  // Metadata services of clouds.
  ['http://168.63.129.16/machine', reserved],
  ['http://0xa83f8110/', reserved],
  ['http://100.100.100.200/latest/meta-data/', reserved],
  ['http://192.0.0.192/', reserved],
  ['http://192.88.99.1/', reserved],
  ['http://192.31.196.1/', reserved],
  // URLs that seem to name another host.
  ['http://example.com@127.0.0.1/', login],
  ['http://127.0.0.1@example.com/', login],
  ['http://%40127.0.0.1/', form],
  ['http://127.0.0.1#@example.com/', reserved],
  ['http://127.0.0.1?@example.com/', reserved],
  ['http://127.0.0.1\\@example.com/', reserved],
  ['ht\ntp://127.0.0.1/', reserved],
  [' http://127.0.0.1/ ', reserved],
  ['http:127.0.0.1', reserved],
  ['http:////127.0.0.1/', reserved],
  ['http://①②⑦.0.0.1/', reserved],
  ['http://127.0.0.1%00.example.com/', form],
  // Ports of other protocols.
  ['http://example.com:0/', port],
  ['http://example.com:22/', port],
  ['https://example.com:25/', port],
  ['https://example.com:00025/', port],
  ['http://example.com:53/', port],
  ['http://example.com:110/', port],
  ['http://example.com:143/', port],
  ['http://example.com:389/', port],
  ['http://example.com:465/', port],
  ['http://example.com:587/', port],
  ['http://example.com:2049/', port],
  ['http://example.com:6667/', port],
  ['http://8.8.8.8:53/', port],
  ['http://[2606:4700:4700::1111]:53/', port],
  ['gopher://example.com:70/', form],
  ['wss://example.com/', form],
  ['blob:https://example.com/a', form],
  ['unix:///var/run/docker.sock', form],
  // Names on private networks.
  ['http://ⓛocalhost/', inside],
  ['http://LOCALHOST。/', inside],
  ['http://kubernetes/', inside],
  ['http://api.svc.cluster.local/', inside],
  ['http://localhost/', inside],
  ['http://LOCALHOST:3000/', inside],
  ['http://localhost./', inside],
  ['http://localhost../', inside],
  ['http://%6cocalhost/', inside],
  ['http://app.localhost/', inside],
  ['http://printer.local/', inside],
  ['http://metadata.google.internal/', inside],
  ['http://metadata.google.internal./', inside],
  ['http://metadata/', inside],
  ['http://intranet/', inside],
  ['http://wiki.intranet/', inside],
  ['http://router.lan/', inside],
  ['http://nas.home.arpa/', inside],
  ['http://api.test/', inside],
  ['http://api.invalid/', inside],
  ['http://hidden.onion/', inside],
];
test.each(rejected)('%s is rejected', (url, reason) => {
  expect(refuseAddress(url, [])).toBe(reason);
});

test('an allowed host is allowed by its exact name only', () => {
  const allowed = ['localhost', '127.0.0.1', '::1'];
  // The operator's list allows every port of a host.
  for (const url of ['http://localhost:1/', 'http://LOCALHOST./', 'http://127.1/', 'http://[0::1]/']) {
    expect([url, refuseAddress(url, allowed)]).toEqual([url, null]);
  }
  for (const url of ['http://app.localhost/', 'http://127.0.0.2/', 'http://[::ffff:127.0.0.1]/', 'http://10.0.0.1/']) {
    expect([url, refuseAddress(url, allowed)]).not.toEqual([url, null]);
  }
  expect(refuseAddress('http://user@localhost/', allowed)).toBe(login);
});

test('overlong URLs are not parsed, and many dots take little time', () => {
  const long = `https://a${'.'.repeat(1_000_000)}b/`;
  const began = Date.now();
  expect(refuseAddress(long, [])).toBe('must have at most 2048 characters');
  expect(refuseAddress(`https://example.com/${'🦊'.repeat(2028)}`, [])).toBeNull();
  expect(hostOf({ hostname: `a${'.'.repeat(300_000)}b...` })).toHaveLength(300_002);
  expect(Date.now() - began).toBeLessThan(1000);
});

test('the caller can allow fewer protocols', () => {
  expect(refuseAddress('http://example.com/', [], ['https:'])).toBe('must be an absolute https URL');
  expect(refuseAddress('https://example.com/', [], ['https:'])).toBeNull();
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:82b::200e'])(
  'the address %s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each(['', 'example.com', '127.0.0.1', '10.1.2.3', '169.254.169.254', '::', '::1', '::7f00:1', '::ffff:8.8.8.8'])(
  'the address %p is not public',
  (address) => expect(isPublicAddress(address)).toBe(false),
);

test.each(['100:0:0:1::1', '1::1', 'fe80::1%eth0', '64:ff9b::808:808', '2002:808:808::1', '5f00::1'])(
  'the IPv6 address %p is not public',
  (address) => expect(isPublicAddress(address)).toBe(false),
);
