/** The ports that the compose files open on a machine, and plain HTTP at the load balancer. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface ComposeFile {
  services: Record<string, { ports?: string[] }>;
}

test.each([
  ['docker-compose.yml', ['balancer', 'temporal-ui']],
  ['docker-compose.service.yml', ['balancer']],
])('%s opens a port for the API, and for the Temporal UI on loopback only', (file, names) => {
  const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as ComposeFile;
  const open = Object.entries(services).filter(([, { ports = [] }]) => ports.length > 0);
  expect(open.map(([name]) => name)).toEqual(names);
  for (const port of services['temporal-ui']?.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('the load balancer redirects no request from HTTP to HTTPS, because the request has revealed its key', () => {
  expect(readFileSync('deploy/caddy/load-balancer.Caddyfile', 'utf8')).toMatch(/^\tauto_https disable_redirects$/m);
});
