/** Generates docker-compose.service.yml from docker-compose.yml: the same services on each of several machines, without the backends. */
import { Alias, isMap, isScalar, type Pair, parseDocument, Scalar, type YAMLMap } from 'yaml';
import { settings } from '../../runtime/config.ts';

const head = ` One of several machines: the API, the workers and a balancer. PostgreSQL, Temporal and object storage run elsewhere.
 docs/deploy/two-machines.md explains how to run it. \`npm run generate\` writes this file from docker-compose.yml.
   export COMPOSE_FILE=docker-compose.service.yml   # or a line in .env
   docker compose run --rm migrate                  # once per release, on one machine
   docker compose up --detach --wait                # on each machine`;

/** The services that keep their place. */
const kept = ['balancer', 'api', 'worker', 'providers', 'embedded', 'migrate', 'tools'];

/** Settings without a default. The name of such a variable reaches the containers only if it is set. */
const optional = Object.keys(settings.properties).filter((name) =>
  /^(ATELIER_DATABASE_DIRECT_URL|PGSSL|TEMPORAL_(?!ADDRESS|NAMESPACE))/.test(name),
);
const optionalOf = (prefix: RegExp) =>
  optional
    .filter((name) => prefix.test(name))
    .map((name) => `${name}:`)
    .join('\n');

const database = `# The role atelier_service, which reads and writes rows and cannot change tables.
DATABASE_URL: \${DATABASE_URL:?set it to the URL of PostgreSQL for the role atelier_service}
# Variables without a value, here and below, reach the containers only if .env or the shell sets them. Files are paths in
# the container, where ./settings is mounted at /settings.
${optionalOf(/^(ATELIER|PG)/)}
`;

const temporal = `TEMPORAL_ADDRESS: \${TEMPORAL_ADDRESS:?set it to the address of Temporal such as temporal.example.com:7233}
TEMPORAL_NAMESPACE: \${TEMPORAL_NAMESPACE:-default}
${optionalOf(/^TEMPORAL/)}
`;

const store = `# Required, because the machines share no folder.
ATELIER_FILES: \${ATELIER_FILES:?set it to the object storage such as s3://acme-atelier/production}
ATELIER_S3_PATH_STYLE: \${ATELIER_S3_PATH_STYLE:-false}
ATELIER_LINKS: \${ATELIER_LINKS:-redirect}
# The authority of an object storage of your own, a PEM file in ./settings.
NODE_EXTRA_CA_CERTS: \${EXTRA_CA_CERTS-}
AWS_REGION: \${AWS_REGION:-us-east-1}
# Without keys, the AWS SDK uses the role of the machine.
AWS_ACCESS_KEY_ID:
AWS_SECRET_ACCESS_KEY:
AWS_SESSION_TOKEN:
AWS_ENDPOINT_URL_S3:
AWS_REQUEST_CHECKSUM_CALCULATION:
AWS_RESPONSE_CHECKSUM_VALIDATION:
`;

const migration = `# The owner of the tables, and PostgreSQL itself, not a pooler. Only the migration needs it.
DATABASE_URL: \${ATELIER_OWNER_URL-}
ATELIER_DATABASE_DIRECT_URL: ''
`;

/** The usual number of containers. */
const replicas = { api: 2, worker: 2, providers: 1, embedded: 1 };

/** @param text the content of docker-compose.yml */
export function serviceCompose(text: string): string {
  const file = parseDocument(text, { merge: true });
  const at = (...path: string[]) => {
    const found = file.getIn(path);
    if (!isMap(found)) throw new Error(`docker-compose.yml has no ${path.join('.')}`);
    return found;
  };
  const list = (...items: string[]) => file.createNode(items, { flow: true });
  const keepOnly = (part: string, names: readonly string[]) => {
    for (const name of namesIn(at(part))) if (!names.includes(name)) file.deleteIn([part, name]);
  };

  const all = file.contents;
  if (!isMap(all)) throw new Error('docker-compose.yml is not a map');
  setComment(all, 'name', head);
  file.delete('x-postgres');
  keepOnly('services', kept);
  keepOnly('networks', ['public', 'edge', 'storage', 'outside']);
  keepOnly('configs', ['caddyfile']);
  keepOnly('volumes', ['data']);

  const common = at('x-service');
  common.delete('build');
  common.delete('depends_on');
  common.set('image', '${ATELIER_IMAGE:?name the image and its version such as registry.example.com/atelier:2.6.2}');
  const environment = at('x-service', 'environment');
  environment.commentBefore = null;
  replace(environment, /^(DATABASE_URL|TEMPORAL_\w+)$/, database + temporal);
  replace(environment, /^(ATELIER_(FILES|S3_PATH_STYLE|LINKS)|AWS_\w+)$/, store);

  for (const [name, usual] of Object.entries(replicas)) {
    const deploy = at('services', name, 'deploy');
    deploy.delete('replicas');
    deploy.items.unshift(file.createPair('replicas', `\${${name.toUpperCase()}_REPLICAS:-${usual}}`));
  }
  setComment(
    at('services'),
    'embedded',
    ' Runs the embedded engines, and calls the language model of ATELIER_LANGUAGE_URL.',
  );
  at('services', 'embedded').set('extra_hosts', new Alias('this-machine'));
  setComment(at('services', 'balancer'), 'ports', ' PORT=10.0.0.11:3000 listens on this address only.');

  const migrate = at('services', 'migrate');
  migrate.delete('depends_on');
  migrate.set('restart', quoted('no'));
  migrate.set('profiles', list('migrate'));
  replace(at('services', 'migrate', 'environment'), /^DATABASE_URL$/, migration);

  replace(at('x-temporal-tools', 'environment'), /./, temporal);
  at('x-temporal-tools').set('volumes', list('./settings:/settings:ro'));
  at('services', 'tools').set('networks', list('storage'));

  setComment(all, 'networks', ' All of them but `edge` lead out of this machine.');
  at('networks').set('storage', null);
  setComment(at('networks'), 'storage', ' To PostgreSQL, object storage and Temporal.');
  return file.toString({ lineWidth: 0, nullStr: '' });
}

function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = 'QUOTE_SINGLE';
  return scalar;
}

const keyOf = ({ key }: Pair) => String(isScalar(key) ? key.value : key);
const namesIn = (map: YAMLMap) => map.items.map(keyOf);

/** Puts the entries of `text` at the place of the first entry whose name matches, and removes all that match. */
function replace(map: YAMLMap, names: RegExp, text: string): void {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) throw new Error('The replacement is not a map');
  if (contents.commentBefore) setComment(contents, namesIn(contents)[0] ?? '', contents.commentBefore);
  const first = map.items.findIndex((entry) => names.test(keyOf(entry)));
  const others = (from: number, to?: number) => map.items.slice(from, to).filter((entry) => !names.test(keyOf(entry)));
  map.items = [...others(0, first), ...contents.items, ...others(first)];
}

/** Sets the comment above an entry. */
function setComment(map: YAMLMap, name: string, comment: string): void {
  const key = map.items.find((entry) => keyOf(entry) === name)?.key;
  if (isScalar(key)) key.commentBefore = comment;
}
