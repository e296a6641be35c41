/** The table of parsers is complete: a module that parses text or bytes has a row, or a reason for having none. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Calls that turn text or bytes into values. ESLint checks the time of every regular expression, so these need no row. */
const parsing = new RegExp(
  [
    String.raw`\b(?:JSON\.parse|URL\.(?:parse|canParse)|new URL(?!\('\.)|Date\.parse|decodeURIComponent|atob)\(`,
    // Not of a number or a row of the database.
    String.raw`\bnew Date\((?!\)|[\d']|(?:deps\.)?now|row|\w+\.getTime|Date\.UTC|Number\()`,
    String.raw`\bBuffer\.from\([^()]*, '(?:base64|base64url|hex)'\)`,
    String.raw`\b(?:parseDocument|busboy|new MIMEType|parseFloat|parseInt|new RegExp|loadClientConfigProfile)\(`,
    String.raw`\b(?:createDecipheriv|createPrivateKey|createPublicKey|new X509Certificate)\(`,
    String.raw`\bipaddr\.\w[\w.]*\(`,
    String.raw`\.(?:readU?Int\w+|get(?:Ui|I)nt\w+)\(`,
  ].join('|'),
);

/** Modules that parse only what this service wrote itself, or what a row covers through another module. */
const exempt: Readonly<Record<string, string>> = {
  'schemas/operations/style-dna/generate-style-options.ts': 'JSON that engines/language/json.ts has checked',
  'engines/language/edits.ts': 'JSON that engines/language/json.ts has checked',
  'engines/language/openai-compatible.ts': 'the address that engines/upstream/connection.ts has checked',
  'runtime/config.ts': 'settings of the operator; test/config.test.ts has their mistakes',
  'store/destinations.ts': 'the webhookUrl of an accepted request',
  'activities/deliver.ts': 'the webhookUrl of an accepted request',
  'activities/finish.ts': 'JSON of our own engines, and JSON that engines/language/json.ts has checked',
  'store/files/bucket.ts': 'an address that the SDK of the object storage has made',
  'api/routes/keys.ts': 'a time whose form services/validate.ts has checked',
  'api/routes/key-expiry.ts': 'a time whose form services/validate.ts has checked',
  'operator/audit.ts': 'a time in an argument of the operator',
  'operator/keys.ts': 'a time in an argument of the operator',
  'schemas/credit-periods.ts': 'a time in milliseconds',
  'services/abandon-request.ts': 'a time in milliseconds',
  'services/create-artwork.ts': 'a time in milliseconds',
  'services/usage-counter.ts': 'a time in milliseconds',
  'activities/begin.ts': 'a time in milliseconds',
  'activities/provider-call.ts': 'a time in milliseconds',
  'activities/signature.ts': 'secrets and keys that this service has made',
  'api/openapi/components.ts': 'our own schemas',
  'operator/workflow-view.ts': 'payloads of our own workflows',
};

const product = [
  'schemas',
  'images',
  'runtime',
  'store',
  'engines',
  'services',
  'activities',
  'workers',
  'api',
  'operator',
];

const tables = globSync('test/fuzz/parsers/*.ts', { cwd: root });

test('every module that parses has a row in the table, or a reason for having none', () => {
  const tested = rowsOf(tables);
  const files = product.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: root }));
  const parsers = files
    .filter((file) => !/^engines\/local\/|^api\/playground\//.test(file))
    .filter((file) => parsing.test(readFileSync(root + file, 'utf8')));
  expect(parsers.filter((file) => !tested.has(file) && !Object.hasOwn(exempt, file))).toEqual([]);
  const needless = Object.keys(exempt).filter((file) => tested.has(file) || !parsers.includes(file));
  expect(needless).toEqual([]);
});

test.each(tables)('%s imports the modules that its rows name', (table) => {
  const imported = importedBy(table);
  const missing = [...rowsOf([table])].filter((module) => !imported.has(module));
  expect(missing).toEqual([]);
});

/** Reads the modules in the text of the tables, because loading the tables takes seconds. */
function rowsOf(files: readonly string[]): Set<string> {
  const text = files.map((file) => readFileSync(root + file, 'utf8')).join('\n');
  return new Set([...text.matchAll(/'([\w-]+\/[\w/-]+\.ts)'/g)].map(([, module = '']) => module));
}

/** Returns the modules that a file imports, also through others. */
function importedBy(file: string, found = new Set<string>()): Set<string> {
  const text = readFileSync(root + file, 'utf8');
  for (const [, path = ''] of text.matchAll(/(?:from |import\(|new URL\()'(\.[^']+\.ts)'/g)) {
    const module = join(dirname(file), path);
    if (found.has(module)) continue;
    found.add(module);
    importedBy(module, found);
  }
  return found;
}
