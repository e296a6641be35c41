/** Installs and runs Schemathesis, which generates requests from an OpenAPI document. */
import { spawn } from 'node:child_process';
import { pipPackage } from '../../scripts/local/pip-package.ts';

const version = '4.32.5';

/** Seconds for one response; some requests wait for an artwork. */
const responseTimeout = 75;

export interface FuzzOptions {
  /** URL of the OpenAPI document. */
  url: string;
  key: string;
  seed: number;
  /** Generated requests per operation, in addition to those that cover its schema. */
  examples: number;
  /** Timeout in seconds. */
  atMost: number;
  /** Working directory of the process. */
  folder: string;
}

/** Returns the exit code, which is 0 when no failure was found, and the output. */
export async function fuzz(options: FuzzOptions): Promise<{ code: number | null; output: string }> {
  const folder = await pipPackage('schemathesis', version);
  // Without `positive_data_acceptance`, because schemas cannot express every rule, such as that of an address on the internet.
  const checks = [
    'not_a_server_error',
    'status_code_conformance',
    'content_type_conformance',
    'response_headers_conformance',
    'response_schema_conformance',
    'unsupported_method',
    'ignored_auth',
    'negative_data_rejection',
    'missing_required_header',
    'use_after_free',
    'ensure_resource_availability',
  ];
  const args = [
    ...['-c', 'from schemathesis.cli import schemathesis; schemathesis()'],
    ...['run', options.url, '--header', `Authorization: Bearer ${options.key}`],
    ...['--checks', checks.join(','), '--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--seed', String(options.seed), '--max-examples', String(options.examples)],
    ...['--max-time', String(options.atMost), '--request-timeout', String(responseTimeout)],
    ...['--continue-on-failure', '--no-shrink', '--no-color'],
  ];
  const child = spawn('python3', args, {
    cwd: options.folder,
    env: { ...process.env, PYTHONPATH: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
