/** Installs the packages when node_modules differs from package-lock.json. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { lockWhenFree } from '../runtime/lock.mjs';

/** Returns whether npm's own record in node_modules, which npm writes last, has every package at the wanted version. */
export function isInstalled(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null || present === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    // Optional packages may be for other platforms.
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** Installs missing packages, or waits for another process that does. Throws with npm's output. */
export async function install(root, { log, onChild }) {
  if (isInstalled(root)) return;
  let hasLogged = false;
  const release = await lockWhenFree(join(root, '.atelier-install.lock'), (pid) => {
    if (!hasLogged) log(`Another start (pid ${pid}) is installing packages; waiting for it …`);
    hasLogged = true;
  });
  try {
    if (isInstalled(root)) return;
    const started = Date.now();
    log('Installing packages …');
    const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
    const reminder = setInterval(() => log(`  still installing, ${seconds()}`), 30_000);
    try {
      await npm(
        root,
        ['ci', '--include=dev', '--ignore-scripts', '--loglevel=error', '--no-fund', '--no-audit'],
        onChild,
      );
      await runInstallScripts(root, onChild);
    } finally {
      clearInterval(reminder);
    }
    log(`✓ Packages installed  ${seconds()}`);
  } finally {
    release();
  }
}

/**
 * Runs the install scripts that package.json allows; npm 10 and 11 by themselves would run all of them. npm's record is
 * missing meanwhile, so that an interrupted install is repeated.
 */
async function runInstallScripts(root, onChild) {
  const record = join(root, 'node_modules', '.package-lock.json');
  const content = readFileSync(record);
  rmSync(record);
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const isHere = (name) => existsSync(join(root, 'node_modules', name, 'package.json'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] === true && isHere(name));
  if (allowed.length > 0) await npm(root, ['rebuild', ...allowed, '--loglevel=error'], onChild);
  writeFileSync(record, content);
}

function npm(root, args, onChild) {
  // npm ci empties node_modules first, so it must not run on the Node in that folder.
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.startsWith(join(root, 'node_modules')));
  const cli = process.env.npm_execpath;
  return new Promise((resolve, reject) => {
    const child = spawn(cli ? nodeIn(path) : 'npm', cli ? [cli, ...args] : args, {
      cwd: root,
      env: { ...process.env, PATH: path.join(delimiter) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onChild(child);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${output.trimEnd()}\nnpm ${args[0]} failed (${signal ?? `exit code ${code}`})`));
    });
  });
}

function nodeIn(path) {
  return path.map((folder) => join(folder, 'node')).find((file) => existsSync(file)) ?? process.execPath;
}

function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : null;
}
