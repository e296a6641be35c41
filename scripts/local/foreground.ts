/** Runs the service in the foreground: brings everything up, keeps it running until Ctrl-C, and stops it. */
import type { Context } from './backends.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { removeDemoFile } from './demo.ts';
import { createParts } from './parts.ts';
import { createRegister, endLeftovers } from './register.ts';
import { whenRunnerIsGone } from './runner-gone.ts';
import { readStartSettings, type StartSettings } from './settings.ts';
import { createTerminal, type Terminal } from './terminal.ts';

interface Start {
  settings: StartSettings;
  /** Adds the parts, and returns when all of them run. */
  bringUp: (context: Context) => Promise<void>;
  /** The names of the parts; each group depends on the next one, so they are stopped one after another. */
  stopOrder: readonly (readonly string[])[];
}

// Milliseconds. One Ctrl-C arrives up to three times: from the terminal, from npm and from run.mjs.
const sameSignal = 1000;

/** Ends this process after the stop. @param env the environment with the settings */
export async function runInForeground(env: NodeJS.ProcessEnv, start: Omit<Start, 'settings'>): Promise<never> {
  const terminal = createTerminal();
  try {
    const settings = readStartSettings(env);
    const data = openDataFolder(settings.data);
    try {
      await run({ ...start, settings }, data, terminal);
    } finally {
      data.release();
    }
  } catch (error) {
    terminal.line(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
  terminal.close();
  return process.exit();
}

async function run({ settings, bringUp, stopOrder }: Start, data: DataFolder, terminal: Terminal): Promise<void> {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  const register = createRegister(data);
  const parts = createParts(register, terminal, stopOrder);
  listen(stopping, terminal, () => void parts.stopAll(true));

  removeDemoFile(data);
  const left = await endLeftovers(data);
  if (left.length > 0) terminal.line(`✓ Ended processes that an earlier start left running: ${left.join(', ')}`);
  try {
    await Promise.race([bringUp({ settings, data, parts, terminal, signal: stopping.signal }), stopped]);
    await stopped;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    stopping.abort();
    parts.onChange(() => undefined);
    removeDemoFile(data);
    await parts.stopAll(false);
    register.clear();
  }
  terminal.line('✓ Stopped');
}

function listen(stopping: AbortController, terminal: Terminal, hurry: () => void): void {
  let first = 0;
  const onSignal = () => {
    if (first === 0) {
      first = performance.now();
      terminal.line('\nStopping …');
      terminal.mute();
      stopping.abort();
    } else if (performance.now() - first > sameSignal) {
      terminal.line('Killing all processes …');
      hurry();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  whenRunnerIsGone(onSignal);
  // Otherwise, a failure outside the steps would leave processes running.
  process.on('unhandledRejection', (error) => {
    terminal.line(`Unexpected: ${error instanceof Error ? error.stack : String(error)}`);
    onSignal();
    process.exitCode = 1;
  });
}
