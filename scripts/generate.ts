/** Writes what is made from the code: `openapi.json` and the tables of the README. `--check` only compares. */
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { openApi } from '../api/openapi.ts';
import { allEndpoints, findOperations } from '../api/registry.ts';
import { version } from '../api/version.ts';
import { settings } from '../config.ts';

const root = new URL('../', import.meta.url);

async function formatted(text: string, file: string): Promise<string> {
  const config = await resolveConfig(new URL(file, root));
  return format(text, { ...config, filepath: file });
}

async function openApiFile(): Promise<string> {
  return formatted(JSON.stringify(openApi(allEndpoints(await findOperations()), version)), 'openapi.json');
}

/** Puts a table between `<!-- name -->` and `<!-- /name -->`. */
function between(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`README.md has no place for ${name}`);
  return `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`;
}

async function readme(): Promise<string> {
  const text = await readFile(new URL('README.md', root), 'utf8');
  const rows = Object.entries(settings.properties).map(([name, schema]) => {
    const { default: value, description } = schema as unknown as { default: unknown; description: string };
    return `| \`${name}\` | ${value === '' ? '' : `\`${String(value)}\``} | ${description} |`;
  });
  const table = ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return formatted(between(text, 'settings', table), 'README.md');
}

const files = { 'openapi.json': openApiFile, 'README.md': readme };
for (const [file, make] of Object.entries(files)) {
  const made = await make();
  const present = await readFile(new URL(file, root), 'utf8').catch(() => '');
  if (made === present) continue;
  if (process.argv.includes('--check')) {
    console.log(`${file} is not what the code makes: run "npm run generate"`);
    process.exitCode = 1;
  } else {
    await writeFile(new URL(file, root), made);
    console.log(`wrote ${file}`);
  }
}
