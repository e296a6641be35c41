/** Builds the workflow bundle ahead of the first worker; with `--fresh` even if one is there. */
import { buildBundle, bundleWorkflows } from '../workers/bundle.ts';

const bundle = process.argv.includes('--fresh') ? await buildBundle() : await bundleWorkflows();
console.log(`workflow bundle: ${Math.round(bundle.code.length / 1024)} KB`);
