/** Writes docs/security/licences.md: the licences of production packages. */
import { allowedLicences, licenceExceptions } from '../supply-chain/allowed-licences.ts';
import { licenceOf } from '../supply-chain/licences.ts';
import { lockedPackages, productionPackages } from '../supply-chain/lock-file.ts';

/** @param folder that of the lock file */
export function licencePage(folder: string): string {
  const licenceByName = new Map(
    productionPackages(lockedPackages(folder)).map((one) => [one.name, licenceOf(one, licenceExceptions)]),
  );
  const names = [...licenceByName.keys()].sort();
  const groups = Object.entries(Object.groupBy(names, (name) => licenceByName.get(name) ?? ''));
  const bySize = groups.sort(([a, these = []], [b, those = []]) => those.length - these.length || a.localeCompare(b));
  const exceptions = licenceExceptions.map(
    ({ packages, version, licence, reason }) =>
      `| \`${packages}\`${version === undefined ? '' : ` ${version}`} | ${licence} | ${reason} |`,
  );
  return `# Licences

Production installs consist of these packages, for all platforms together. \`npm run generate\` writes this page from
\`package-lock.json\`; \`npm run check\` fails for a licence that is neither on the list nor an exception. The licence
texts are in the packages, also in the images. [NOTICE](../../NOTICE) lists the model weights, drawings and fonts.

Allowed are ${allowedLicences.join(', ')}.

One of several alternatives (\`OR\`) must be allowed, and all licences that apply together (\`AND\`).

## Exceptions

${['| package | licence | reason |', '| --- | --- | --- |', ...exceptions].join('\n')}

## Packages

${bySize.map(([licence, members = []]) => `### ${licence} (${members.length})\n\n${members.join(', ')}`).join('\n\n')}
`;
}
