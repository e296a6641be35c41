/** Runs a script or an installed tool on a Node that can run TypeScript, after installing missing packages. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
// An operator's command runs beside the service, so it must not touch the packages that the service uses.
const installs = process.argv[2] !== '--no-install';
const [target, ...args] = process.argv.slice(installs ? 2 : 3);
let child = null;
let interrupted = null;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = signal;
    child?.kill(signal);
  });
}
endWithNpm();

if (target === undefined) {
  console.error('usage: node scripts/run.mjs [--no-install] <script or installed tool> [arguments]');
  process.exit(2);
}
try {
  if (installs) await install(root, { log: (line) => console.error(line), onChild: (npm) => (child = npm) });
  else if (!existsSync(bin)) throw new Error('The packages are not installed. Run npm ci --omit=dev first.');
} catch (error) {
  if (interrupted === null) console.error(error.message);
  else console.error('Installing was interrupted.');
  process.exitCode = 1;
}
if (interrupted !== null) process.exit(128 + constants.signals[interrupted]);
if (process.exitCode === undefined) run();

function run() {
  const isScript = /\.[cm]?[jt]s$/.test(target);
  const command = isScript ? ownNode() : existsSync(join(bin, target)) ? join(bin, target) : target;
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    ATELIER_RUNNER_PID: String(process.pid),
    // The processes start a third faster when Node finds its compiled code of their modules.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node-compile'),
  };
  child = spawn(command, isScript ? [...nodeOptions(), target, ...args] : args, { stdio: 'inherit', env });
  child.on('error', (error) => {
    console.error(`Cannot run ${target}: ${error.message}`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function nodeOptions() {
  const options = ['--disable-warning=ExperimentalWarning'];
  // Node warns about a missing file.
  if (existsSync('.env')) options.push('--env-file=.env');
  return options;
}

// A development install contains a Node, a production install does not.
function ownNode() {
  const own = join(root, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(own)) return own;
  if (process.features.typescript) return process.execPath;
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  console.error(`This is Node ${process.versions.node}, and Atelier needs ${engines.node}: install a supported Node.`);
  process.exit(1);
}

// npm forwards SIGINT and SIGTERM. If npm is killed, or a shell in between does not forward them, the parent changes.
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    interrupted = 'SIGTERM';
    child?.kill('SIGTERM');
  }, 1000);
  watch.unref();
}
