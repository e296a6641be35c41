/** Runs docker-compose.service.yml on two machines, as docs/deploy/two-machines.md describes it: under load, machines die and are upgraded. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claimPort } from '../local/ports.ts';
import { type Elsewhere, startElsewhere } from './elsewhere.ts';
import { cutMachine, killMachine, type Machine, prepareMachine, startLoadBalancer } from './machines.ts';
import { expectCounted, type TwoMachines } from './site-checks.ts';
import {
  createRoles,
  expectImage,
  expectNothingShared,
  migrate,
  rollBack,
  runCommands,
  takeAcross,
  upgrade,
  withoutEmbedded,
} from './site-steps.ts';
import { createAccount } from './steps.ts';
import { type Phase, underLoad } from './under-load.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const up = ['up', '--detach', '--wait'];
const images = ['atelier:drill-1', 'atelier:drill-2'];

export async function drillTwoMachines(options: TwoMachines): Promise<void> {
  const { docker, folder, address, say } = options;
  await mkdir(join(folder, 'elsewhere'));
  const elsewhere = await startElsewhere(join(folder, 'elsewhere'), address);
  const port = await claimPort(0, address);
  const url = `http://${address}:${port.port}`;
  const closing: (() => unknown)[] = [() => elsewhere.stop(), () => port.release()];
  try {
    say('PostgreSQL, Temporal and the S3 store run elsewhere, with TLS');
    await docker
      .docker('image', 'inspect', 'atelier')
      .catch(() => docker.docker('build', '--quiet', '--tag', 'atelier', root));
    for (const image of images) await docker.docker('tag', 'atelier', image);
    const env = {
      ATELIER_IMAGE: images[0] ?? '',
      ATELIER_PUBLIC_URL: url,
      ATELIER_SECRET: 'a secret for two machines, 32 characters',
      ATELIER_ALLOWED_HOSTS: 'host.docker.internal',
      ATELIER_RATE_OTHERS: '1000000',
      WORKER_REPLICAS: '1',
    };
    const site = { docker, folder, address, elsewhere, env };
    const machines: Machine[] = [];
    for (const [name, prefix] of [
      ['machine-1', 81],
      ['machine-2', 83],
    ] as const) {
      const machine = await prepareMachine(site, { name, prefix });
      closing.push(
        () => machine.port.release(),
        () => machine.compose('down', '--volumes', '--timeout', '5').catch(console.error),
      );
      machines.push(machine);
    }
    try {
      closing.push(await startLoadBalancer(docker, url, machines));
      await drill(options, elsewhere, machines, url);
    } catch (error) {
      for (const { compose } of machines)
        console.error(await compose('logs', '--no-color', '--tail', '15').catch(String));
      throw error;
    }
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function drill(options: TwoMachines, elsewhere: Elsewhere, machines: readonly Machine[], url: string) {
  const { docker, say } = options;
  const [first, second] = machines as [Machine, Machine];
  await createRoles(options, elsewhere);
  say('the roles of the database exist');
  await migrate(first, elsewhere);
  say('migrated');
  for (const machine of machines) {
    await machine.compose(...up);
    say(`${machine.name} is up`);
  }
  await expectNothingShared(options, machines);
  say('the machines share no container, network or volume, and do not reach each other');
  const account = await createAccount(first.compose, url);
  const site = { ...options, elsewhere, machines, account };
  const ids = await takeAcross(site);
  await runCommands(second, ids[0] ?? '');
  say('the commands of the page run on both machines');

  const [older = '', newer = ''] = images;
  const phases: readonly Phase[] = [
    ['SIGKILL of all of machine-1', () => killMachine(first), () => first.compose('start')],
    // Networks that were cut off do not come back by themselves.
    ['machine-2 loses power', () => cutMachine(docker, second), () => second.compose(...up, '--force-recreate')],
    ['an upgrade', () => upgrade(site, newer).then(() => expectImage(site, newer))],
    ['a rollback', () => rollBack(site, older).then(() => expectImage(site, older))],
    ['no embedded engines on machine-1', () => withoutEmbedded(first)],
    ['machine-1 is removed', () => first.compose('down')],
  ];
  for (const phase of phases) ids.push(...(await underLoad(site, ...phase)));
  await expectCounted(elsewhere, ids);
  say(`${ids.length} artworks: none lost, none made twice`);
}
