/** `node scripts/count-actions.ts <history.json>…`: prints the actions that Temporal Cloud bills for recorded histories. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { countActions } from './histories/actions.ts';
import { fromText } from './histories/json.ts';

for (const file of process.argv.slice(2)) {
  const counts = countActions(fromText(readFileSync(file, 'utf8')));
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  console.log(`${basename(file, '.json')}: ${all} (${kinds.join(', ')})`);
}
