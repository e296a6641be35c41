/** Builds Caddy, the balancer of the compose files, with Go, once for all tests. */
import { buildGoProgram } from './go-program.ts';
import { cachedProgram } from './programs.ts';

const caddyVersion = 'v2.11.9';

/** Returns the path of Caddy. The first call on a machine takes minutes. */
export function caddyProgram(progress?: (what: string) => void): Promise<string> {
  return buildGoProgram({
    label: 'Caddy',
    source: `github.com/caddyserver/caddy/v2/cmd/caddy@${caddyVersion}`,
    file: cachedProgram('caddy', caddyVersion, process.env),
    ...(progress && { progress }),
  });
}
