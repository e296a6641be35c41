/**
 * Writes the SBOM of the production packages, as npm lists them, in CycloneDX's format.
 *
 *   node scripts/image/sbom.mjs <file>               all packages of the lock file, which are for several platforms
 *   node scripts/image/sbom.mjs <file> --installed   only those in node_modules
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [file, option] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node scripts/image/sbom.mjs <file> [--installed]');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'atelier-sbom-'));
try {
  const packages = writeProject(folder, option === '--installed');
  const bom = sbomOf(folder);
  addUnneeded(bom, packages);
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`Wrote ${file} with ${bom.components.length} packages`);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Writes the manifests of the project without packages for development. `npm sbom --omit=dev` on the project itself
 * also leaves out every production package on which one for development depends, such as `pg`. Returns the packages.
 */
function writeProject(target, onlyInstalled) {
  const manifest = read('package.json');
  const lock = read('package-lock.json');
  const present = onlyInstalled ? read('node_modules/.package-lock.json').packages : lock.packages;
  const workspaces = manifest.workspaces.filter((workspace) => workspace in present);
  for (const workspace of workspaces) {
    cpSync(join(workspace, 'package.json'), join(target, workspace, 'package.json'), { recursive: true });
  }
  const reduced = (project) => ({ ...project, workspaces, devDependencies: {} });
  const kept = Object.entries(lock.packages).filter(([path, { dev }]) => path in present && path !== '' && !dev);
  lock.packages = { '': reduced(lock.packages['']), ...Object.fromEntries(kept) };
  writeFileSync(join(target, 'package.json'), JSON.stringify(reduced(manifest)));
  writeFileSync(join(target, 'package-lock.json'), JSON.stringify(lock));
  return kept;
}

/** Returns npm's SBOM of the project in the folder, without date and random number: the same packages give the same SBOM. */
function sbomOf(project) {
  const args = [
    'sbom',
    '--package-lock-only',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--loglevel=error',
  ];
  const output = execFileSync('npm', args, { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { serialNumber: _random, ...bom } = JSON.parse(output);
  delete bom.metadata.timestamp;
  for (const component of [bom.metadata.component, ...bom.components]) component.name = nameIn(component['bom-ref']);
  return bom;
}

/** Adds the packages that npm has installed although no other needs them. `npm sbom` leaves them out. */
function addUnneeded({ components }, packages) {
  const listed = new Set(components.map((component) => component['bom-ref']));
  for (const [path, { name = path.split('node_modules/').at(-1), version, integrity, license, link }] of packages) {
    const reference = `${name}@${version}`;
    if (link || listed.has(reference)) continue;
    listed.add(reference);
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
    components.push({
      ...{ 'bom-ref': reference, type: 'library', name, version, purl, hashes: [{ alg: 'SHA-512', content }] },
      ...(license && { licenses: [{ expression: license.replace(/^\((.*)\)$/, '$1') }] }),
    });
  }
}

/** npm calls a package by its folder, which has another name for an alias and for a package of this project. */
function nameIn(reference) {
  return reference.slice(0, reference.lastIndexOf('@'));
}

function read(name) {
  return JSON.parse(readFileSync(name, 'utf8'));
}
