/** `npm start`: starts the service with its backends on this machine, keeps it running, and stops it. */
import { bringUp } from './local/bring-up.ts';
import { openDataFolder, type DataFolder } from './local/data-folder.ts';
import { removeDemoFile } from './local/demo.ts';
import { createParts } from './local/parts.ts';
import { createRegister, endLeftovers } from './local/register.ts';
import { whenRunnerIsGone } from './local/runner-gone.ts';
import { readStartSettings, type StartSettings } from './local/settings.ts';
import { createTerminal, type Terminal } from './local/terminal.ts';

// Milliseconds. One Ctrl-C arrives up to three times: from the terminal, from npm and from run.mjs.
const sameSignal = 1000;

const terminal = createTerminal();
try {
  const settings = readStartSettings(process.env);
  const data = openDataFolder(settings.data);
  try {
    await run(settings, data, terminal);
  } finally {
    data.release();
  }
} catch (error) {
  terminal.line(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
terminal.close();
process.exit();

async function run(settings: StartSettings, data: DataFolder, terminal: Terminal): Promise<void> {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  const register = createRegister(data);
  const parts = createParts(register, terminal);
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
