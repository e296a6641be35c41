/** Generates `docs/security/access.md`: the outcome of every route for every kind of key and every kind of object. */
import { environments, type Environment, scopes } from '../../schemas/access.ts';
import { isList, outcomeOf, type Situation } from '../../schemas/access-matrix.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';

const head = `# Access

Each table shows the response of every route to every kind of key. ✓ means that the key may use the object. 403 and 404
are the status of the response. “left out” means that a list does not contain the object, and – that the route uses no
object that a key has created.

- **Scope.** A key below the required scope gets 403.
- **Domain.** A key without a required domain gets 403. An artwork also needs the domain under which it was created;
  otherwise it does not exist for the key.
- **Environment.** Artworks, files, styles and usage have the environment of the key that created them, and do not exist
  for keys of the other environment. An \`admin\` key of either environment reads and revokes the keys of both.
- **Owner.** Artworks and files belong to the key that created them. Styles belong to the organization. A key that may
  read an object but not change it gets 404 when it tries.
- **API keys** have no owner. No key changes or revokes an \`admin\` key (403). A key creates and changes only keys whose
  domains it has.
- **Another organization.** Nothing of it exists for the key.
- A \`styleDnaId\` or \`file_…\` in a body that the key may not read gets 400 with the rule \`exists\`.
- An \`Idempotency-Key\` is scoped to the API key.
- A signed image link needs no key and works until the artwork expires or is deleted.

\`npm run generate\` writes this page from the endpoints in \`schemas/endpoints/\` and the rules in
\`schemas/object-access.ts\`. \`test/api/objects.test.ts\` sends these requests to a running service.
[0036](../decisions/0036-environments-and-access.md) gives the reasons.
`;

const owned: Situation = {
  scope: 'admin',
  environment: 'live',
  hasDomain: true,
  owner: 'this key',
  objectEnvironment: 'live',
};

/** The columns about objects of the key's own organization and environment: by scope and owner. */
const byOwner = scopes.flatMap((scope) =>
  (['this key', 'another key'] as const).map((owner) => ({
    title: `${scope}: ${owner === 'this key' ? 'its own' : "another key's"}`,
    situation: { ...owned, scope, owner },
  })),
);

const acrossEnvironments = environments.map((environment) => {
  const [objectEnvironment] = environments.filter((other) => other !== environment) as [Environment];
  return {
    title: `${environment} key, ${objectEnvironment} object`,
    situation: { ...owned, environment, objectEnvironment, owner: 'another key' as const },
  };
});

const columns = [
  ...byOwner,
  { title: 'without the domain', situation: { ...owned, hasDomain: false } },
  ...acrossEnvironments,
  { title: 'another organization', situation: { ...owned, owner: 'another organization' as const } },
];

/** Returns the page. */
export function accessPage(endpoints: readonly Endpoint[]): string {
  const groups = Map.groupBy(endpoints, ({ tag }) => tag);
  const tables = [...groups].map(([tag, group]) => `## ${tag}\n\n${table(group)}`);
  return `${head}\n${tables.join('\n\n')}\n`;
}

function table(endpoints: readonly Endpoint[]): string {
  const titles = ['route', 'domain', ...columns.map(({ title }) => title)];
  const rows = endpoints.map((endpoint) => {
    const { method, path, access } = endpoint;
    const domain = access === 'public' ? 'no key needed' : (access.domains?.join(' or ') ?? domainOf(endpoint));
    return [`\`${method} ${path}\``, domain, ...columns.map(({ situation }) => cellOf(endpoint, situation))];
  });
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function domainOf(endpoint: Endpoint): string {
  if (endpoint.uses?.kind !== 'artwork') return 'any';
  return isList(endpoint) ? "the artworks'" : "the artwork's";
}

function cellOf(endpoint: Endpoint, situation: Situation): string {
  const outcome = outcomeOf(endpoint, situation);
  if (outcome !== 'allowed') return String(outcome);
  const isOwn = situation.owner === 'this key' && situation.environment === situation.objectEnvironment;
  // API keys have no owner.
  const hasObject = endpoint.uses?.kind === 'key' ? !isOwn || !situation.hasDomain : endpoint.uses || isOwn;
  return hasObject ? '✓' : '–';
}
