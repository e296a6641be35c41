/** Checks the Helm chart: renders it with each file of values in its `ci/`, and checks the objects against their schemas. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { checkCustomResource, isCustom } from './chart/custom-resources.ts';
import { chart, type KubernetesObject, renderChart } from './chart/render.ts';
import { run } from './image/run.ts';
import { helm } from './local/helm.ts';
import { pipPackage } from './local/pip-package.ts';

/** The oldest version that the chart supports, and the newest with schemas. */
const kubernetesVersions = ['1.31.0', '1.37.0'];
const validatorVersion = '1.37.0';

const validator = await pipPackage('kubernetes-validate', validatorVersion);
const folder = join(chart, 'ci');
const failures: string[] = [];
let checked = 0;
for (const file of (await readdir(folder)).sort()) {
  const values = ['--values', join(folder, file)];
  const complain = (error: unknown) => void failures.push(`${file}: ${(error as Error).message}`);
  await helm('lint', '--strict', chart, ...values).catch(complain);
  for (const version of kubernetesVersions) {
    const objects = await renderChart(version, ...values).catch(complain);
    await check(objects ?? [], version).catch(complain);
  }
}
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;
else console.log(`${checked} objects are valid`);

/** @throws Error with all mistakes */
async function check(objects: KubernetesObject[], version: string): Promise<void> {
  const mistakes = await Promise.all(objects.filter(isCustom).map(checkCustomResource));
  mistakes.push(
    await checkKubernetesObjects(
      objects.filter((object) => !isCustom(object)),
      version,
    ),
  );
  const found = mistakes.filter(Boolean);
  if (found.length > 0) throw new Error(found.join('\n'));
  checked += objects.length;
}

/** Returns what is wrong with objects whose kinds Kubernetes defines; an empty string if nothing is. */
async function checkKubernetesObjects(objects: KubernetesObject[], version: string): Promise<string> {
  const aside = await mkdtemp(join(tmpdir(), 'atelier-chart-'));
  try {
    const file = join(aside, 'objects.yaml');
    await writeFile(file, objects.map((object) => stringify(object)).join('---\n'));
    const program = join(validator, 'bin', 'kubernetes-validate');
    const python = `PYTHONPATH=${validator}`;
    await run('env', [python, 'python3', program, '--strict', '--quiet', '-k', version, file]);
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await rm(aside, { recursive: true });
  }
}
