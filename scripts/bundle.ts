/** Builds the workflow bundle ahead of the first worker; with `--fresh` even if one is there. */
import { buildBundle, bundleWorkflows } from '../workers/bundle.ts';

/** Temporal's own part is 1.6 MB with its source map. Every workflow evaluates all of it. */
const most = 1_800_000;

const bundle = process.argv.includes('--fresh') ? await buildBundle() : await bundleWorkflows();
console.log(`workflow bundle: ${Math.round(bundle.code.length / 1024)} KB`);
if (bundle.code.length > most) {
  console.log(
    `More than ${Math.round(most / 1024)} KB: a workflow imports a library by value, for example through a schema.`,
  );
  process.exitCode = 1;
}
