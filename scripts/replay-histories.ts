/**
 * `node scripts/replay-histories.ts <root> <folder>`: replays the histories of a folder with the workflow code and the SDK of
 * a release, whose root folder is given. Prints the names of the histories that it cannot continue, and why.
 */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type * as Sdk from '@temporalio/worker';
import { fromText } from './histories/json.ts';

const [root = '', folder = ''] = process.argv.slice(2).map((path) => resolve(path));
const { Runtime, Worker } = createRequire(join(root, 'package.json'))('@temporalio/worker') as typeof Sdk;
const { bundleWorkflows } = (await import(join(root, 'workers/bundle.ts'))) as {
  bundleWorkflows(): Promise<{ code: string }>;
};

const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
Runtime.install({ logger: silent });
const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
const histories = await Promise.all(
  names.map(async (workflowId) => ({
    workflowId,
    history: fromText(await readFile(join(folder, workflowId), 'utf8')),
  })),
);
let replayed = 0;
for await (const { workflowId, error } of Worker.runReplayHistories(
  { workflowBundle: await bundleWorkflows() },
  histories,
)) {
  if (!error) replayed += 1;
  else console.error(`✗ ${workflowId}: ${error.message}`);
}
console.log(`${replayed} of ${names.length} histories replayed`);
process.exitCode = replayed === names.length && replayed > 0 ? 0 : 1;
