/** Builds the workflow bundle before the first worker starts; with `--fresh`, even if it exists. */
import { buildBundle, bundleWorkflows } from '../workers/bundle.ts';

/** Temporal's own code takes 1.6 MB with its source map. Every workflow evaluates the whole bundle. */
const maxBytes = 1_800_000;

const bundle = process.argv.includes('--fresh') ? await buildBundle() : await bundleWorkflows();
console.log(`workflow bundle: ${Math.round(bundle.code.length / 1024)} KB`);
if (bundle.code.length > maxBytes) {
  console.log(
    `More than ${Math.round(maxBytes / 1024)} KB: a workflow imports a library by value, for example through a schema.`,
  );
  process.exitCode = 1;
}
