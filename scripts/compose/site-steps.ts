/** The steps of docs/deploy/two-machines.md, and what they should lead to. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { call, create, ended } from '../../test/support/client.ts';
import { follow } from '../../test/support/follow.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Machine } from './machines.ts';
import { expectEnded, request, type Site, type TwoMachines } from './site-checks.ts';
import { expectEqual, operate, reaches } from './steps.ts';

/** Creates the roles with psql in a container, because this machine may have none. */
export async function createRoles({ docker, folder, address }: TwoMachines, elsewhere: Elsewhere): Promise<void> {
  const { rolePasswords, superuserUrl, names } = elsewhere;
  const scripts = fileURLToPath(new URL('../../deploy/postgres', import.meta.url));
  const variables = { ...rolePasswords, PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/settings/authority.pem' };
  await docker.docker(
    ...['run', '--rm', '--user', '1000', '--entrypoint', 'psql'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...names.flatMap((name) => ['--add-host', `${name}:${address}`]),
    ...['--volume', `${join(folder, 'machine-1/settings')}:/settings:ro`, '--volume', `${scripts}:/scripts:ro`],
    ...['postgres:18', superuserUrl, '--file', '/scripts/atelier-roles.sql'],
  );
}

/** The owner of the tables is known to this command only. */
export async function migrate(machine: Machine, { ownerUrl }: Elsewhere): Promise<void> {
  await machine.set({ ATELIER_OWNER_URL: ownerUrl });
  await machine.compose('run', '--rm', 'migrate');
  await machine.set({ ATELIER_OWNER_URL: '' });
}

export async function expectNothingShared({ docker }: TwoMachines, machines: readonly Machine[]): Promise<void> {
  const [first, second] = machines as [Machine, Machine];
  for (const kind of ['container', 'network', 'volume']) {
    const of = async ({ name }: Machine) => {
      const filter = `label=com.docker.compose.project=${name}`;
      return (await docker.docker(kind, 'ls', '--quiet', '--filter', filter)).trim().split('\n');
    };
    const [mine, theirs] = [await of(first), await of(second)];
    expectEqual(`there are ${kind}s of the machines:`, mine.length > 0 && theirs.length > 0, true);
    expectEqual(`${kind}s of both machines:`, mine.filter((id) => theirs.includes(id)).length, 0);
  }
  const [api = ''] = (await second.compose('ps', '--quiet', 'api')).trim().split('\n');
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  for (const host of (await docker.docker('inspect', api, '--format', format)).trim().split(' ')) {
    const output = await first.compose('exec', '-T', 'worker', 'node', '-e', reaches(host, 3000));
    expectEqual(`an API of machine-2 from a worker of machine-1 is`, output.trim(), 'not reached');
  }
}

/** Creates artworks through one machine, and reads, follows, cancels and deletes them through the other. */
export async function takeAcross(site: Site): Promise<string[]> {
  const { machines, account, receiver, say } = site;
  const [first, second] = machines as [Machine, Machine];
  const here = { ...account, baseUrl: first.baseUrl };
  const { webhookUrl, upscaling, selena } = request(receiver);
  const { id } = await create(here, upscaling, 'upscaling');
  const following = await follow(`${second.baseUrl}/v2/artworks/${id}/events`, account.adminKey);
  expectEqual('the stream of events', await following.closed, 'ended');
  expectEqual('the last event', following.events.at(-1)?.data['status'], 'SUCCEEDED');
  await expectEnded(site, [id]);
  say('an artwork with an image through machine-1, followed and read through machine-2');

  const long = { ...selena, width: 1024, height: 1024, numImages: 4 };
  const canceled = await create(here, long);
  const cancel = `${second.baseUrl}/v2/artworks/${canceled.id}/cancel`;
  expectEqual('cancel', (await call(cancel, { method: 'POST', key: account.adminKey })).status, 202);
  expectEqual('the canceled artwork is', (await ended(here, canceled.id)).status, 'CANCELED');
  expectEqual('its event is', (await receiver.until(canceled.id))[0]?.event.type, 'artwork.canceled');
  const deleted = await create(here, { prompt: 'a boat', webhookUrl });
  const target = `/v2/artworks/${deleted.id}`;
  const key = account.adminKey;
  expectEqual('delete', (await call(second.baseUrl + target, { method: 'DELETE', key })).status, 204);
  expectEqual('the deleted artwork', (await call(first.baseUrl + target, { key })).status, 404);
  say('canceled and deleted through machine-2');
  return [id, canceled.id];
}

/** Runs the operator's commands and Temporal's command line, as the page describes them. */
export async function runCommands({ compose }: Machine, id: string): Promise<void> {
  await operate(compose, 'files', 'check');
  await operate(compose, 'engines', 'list');
  await operate(compose, 'artworks', 'show', id);
  const temporal = (...args: string[]) => compose('run', '--rm', '-T', 'tools', 'temporal', ...args);
  const listed = await temporal('workflow', 'list', '--query', `WorkflowId='${id}'`);
  expectEqual('the list of workflows contains the artwork:', listed.includes(id), true);
  await temporal('workflow', 'describe', '--workflow-id', id);
  const metrics = `fetch('http://worker:9464/metrics').then((response) => console.log(response.status))`;
  for (const service of ['api', 'providers', 'embedded']) {
    const output = await compose('exec', '-T', service, 'node', '-e', metrics);
    expectEqual(`the metrics of a worker from ${service}`, output.trim(), '200');
  }
}

export async function upgrade({ machines, elsewhere }: Site, image: string): Promise<void> {
  for (const machine of machines) await machine.set({ ATELIER_IMAGE: image });
  await migrate(machines[0] as Machine, elsewhere);
  for (const { compose } of machines) await compose('up', '--detach', '--wait', 'worker', 'providers', 'embedded');
  for (const { compose } of machines) await compose('up', '--detach', '--wait');
}

export async function rollBack({ machines }: Site, image: string): Promise<void> {
  for (const machine of machines) await machine.set({ ATELIER_IMAGE: image });
  for (const { compose } of machines) await compose('up', '--detach', '--wait', 'api');
  for (const { compose } of machines) await compose('up', '--detach', '--wait');
}

export async function expectImage({ machines, docker }: Site, image: string): Promise<void> {
  for (const { compose } of machines) {
    for (const service of ['api', 'worker', 'providers', 'embedded']) {
      for (const container of (await compose('ps', '--quiet', service)).trim().split('\n')) {
        const used = (await docker.docker('inspect', container, '--format', '{{.Config.Image}}')).trim();
        expectEqual(`${service} runs`, used, image);
      }
    }
  }
}

export async function withoutEmbedded(machine: Machine): Promise<void> {
  await machine.set({ EMBEDDED_REPLICAS: '0' });
  await machine.compose('up', '--detach', '--wait');
  expectEqual('containers of embedded engines', (await machine.compose('ps', '--quiet', 'embedded')).trim(), '');
}
