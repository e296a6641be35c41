/** The faults that a run injects: into processes, the database, the files, the providers and the receiver. */
import pg from 'pg';
import { startTimeOf } from '../../runtime/process-identity.mjs';
import { workerNames, workers } from '../../scripts/cluster/processes.ts';
import { breakImages } from '../support/break-images.ts';
import { eventually } from '../support/eventually.ts';
import { freeze } from '../support/freeze.ts';
import { providerKinds } from './providers.ts';
import { type System, withSql } from './system.ts';
import { troubles } from './unreliable-upstream.ts';
import { receiverTroubles } from './unreliable-receiver.ts';

/** Ends a fault. */
type End = () => void | Promise<void>;

export interface Fault {
  name: string;
  /** The affected part of the system. Faults of the same target never overlap. */
  target: string;
  /** The longest time that it lasts, in milliseconds; 0 for a fault that is over at once. */
  longest: number;
  begin(): End | Promise<End>;
}

const nothing: End = () => undefined;

/** Milliseconds within which a process that has ended runs again. */
const longestRestart = 60_000;

/** Milliseconds. Longer than heartbeats and timeouts of steps, shorter than the timeout of clients. */
const longestFreeze = 10_000;

export function faultsOf(system: System): Fault[] {
  return [...ofProcesses(system), ...ofTheDatabase(system), ...ofFiles(system), ...ofProvidersAndReceiver(system)];
}

/** The workers that call providers. */
const providerWorkers = new Set([
  'worker',
  ...workerNames.filter((_name, index) => workers[index]?.includes('providers')),
]);

/** Returns whether a process finishes its work after SIGTERM, as during a deploy. */
const isApiOrWorker = (name: string) => /^(api|worker)/.test(name);

function ofProcesses(system: System): Fault[] {
  return Object.keys(system.service.pids()).flatMap((name) => {
    const end = (signal: NodeJS.Signals) => async () => {
      process.kill(await pidOf(system, name), signal);
      if (signal === 'SIGKILL' && providerWorkers.has(name)) system.workerDeaths.push(Date.now());
      return nothing;
    };
    const killed: Fault = { name: `kill ${name}`, target: name, longest: 0, begin: end('SIGKILL') };
    const stopped: Fault = { name: `stop ${name}`, target: name, longest: 0, begin: end('SIGTERM') };
    const frozen: Fault = {
      ...{ name: `freeze ${name}`, target: name, longest: longestFreeze },
      begin: async () => freeze(await pidOf(system, name)),
    };
    return isApiOrWorker(name) ? [killed, frozen, stopped] : [killed, frozen];
  });
}

/** Waits for a process that is being restarted. */
function pidOf({ service }: System, name: string): Promise<number> {
  const find = () => {
    const pid = service.pid(name);
    if (startTimeOf(pid) === null) throw new Error(`The process ${name} does not run`);
    return pid;
  };
  return eventually(find, longestRestart);
}

function ofTheDatabase(system: System): Fault[] {
  const { databaseUrl } = system.service;
  return [
    {
      ...{ name: 'disconnect from postgres', target: 'postgres', longest: 0 },
      async begin() {
        const others = 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()';
        await withSql(system, (sql) => sql.query(`${others} and backend_type = 'client backend'`));
        return nothing;
      },
    },
    {
      ...{ name: 'lock the artworks', target: 'postgres', longest: 5000 },
      async begin() {
        const sql = new pg.Client(databaseUrl);
        sql.on('error', () => undefined);
        await sql.connect();
        await sql.query('begin; lock table artwork in access exclusive mode');
        return () => sql.end();
      },
    },
  ];
}

/** A cluster stores its files in S3, which is one of its processes. */
function ofFiles({ form, service }: System): Fault[] {
  const begin = () => breakImages(service);
  return form === 'start' ? [{ name: 'break the image folder', target: 'files', longest: 8000, begin }] : [];
}

function ofProvidersAndReceiver({ providers, receiver }: System): Fault[] {
  const ofProviders = providerKinds.flatMap((kind) =>
    troubles.map((trouble) => ({
      ...{ name: `${kind} provider: ${trouble}`, target: kind, longest: 4000 },
      begin() {
        providers.upstreams[kind].misbehave(trouble);
        return () => providers.upstreams[kind].misbehave(null);
      },
    })),
  );
  const ofTheReceiver = receiverTroubles.map((trouble) => ({
    ...{ name: `receiver: ${trouble}`, target: 'receiver', longest: 4000 },
    begin() {
      receiver.misbehave(trouble);
      return () => receiver.misbehave(null);
    },
  }));
  return [...ofProviders, ...ofTheReceiver];
}
