/** `npm run check`: runs every check that does not need the running service, and shows all failures. */
import { spawn } from 'node:child_process';

const checks: Record<string, string[]> = {
  format: ['prettier', '--check', '--log-level', 'warn', '.'],
  types: ['tsc'],
  "the playground's types": ['tsc', '--project', 'api/playground', '--noEmit'],
  lint: ['eslint', '.'],
  words: ['cspell', 'lint', '--no-progress', '--no-summary', '.'],
  'lock file': ['node', 'scripts/check-lock.ts'],
  'install scripts and licences': ['node', 'scripts/check-supply-chain.ts'],
  'import rules': ['depcruise', '.'],
  'dead code': ['knip', '--no-config-hints'],
  'workflow bundle': ['node', 'scripts/bundle.ts', '--fresh'],
  'Helm chart': ['node', 'scripts/check-chart.ts'],
  'generated files': ['node', 'scripts/generate.ts', '--check'],
};

/** Checks that run in parallel. */
const atOnce = 2;

interface Result {
  passed: boolean;
  output: string;
}

function run([command = '', ...args]: string[]): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ passed: false, output: error.message }));
    child.once('close', (code) => resolve({ passed: code === 0, output }));
  });
}

const waiting = Object.entries(checks);
let failed = 0;
async function next(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const [name, command] = check;
    const began = performance.now();
    const { passed, output } = await run(command);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${passed ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (!passed) {
      failed += 1;
      console.log(output.trim());
    }
  }
}
await Promise.all(Array.from({ length: atOnce }, next));
console.log(`Checks: ${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
