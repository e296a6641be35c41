/** Prints the errors of a part's log on the console, at a limited rate. */
import type { Terminal } from './terminal.ts';

const windowSeconds = 10;
/** Maximum errors of a part that are printed within one window. The log has all of them. */
const maxShown = 5;
/** Pino's number for the level `error`. */
const pinoError = 50;

export function showErrors(name: string, logFile: string, terminal: Terminal): (line: string) => void {
  const isError = name === 'postgres' ? isPostgresError : name === 'temporal' ? isTemporalError : isServiceError;
  let began = 0;
  let shown = 0;
  return (line) => {
    if (!isError(line)) return;
    if (performance.now() - began > windowSeconds * 1000) {
      began = performance.now();
      shown = 0;
    }
    shown += 1;
    if (shown <= maxShown) terminal.line(`  ${name}: ${textOf(line)}`);
    if (shown === maxShown) terminal.line(`  ${name}: see ${logFile} for more`);
  };
}

function isPostgresError(line: string): boolean {
  return / (PANIC|FATAL): /.test(line) && !/terminating|the database system is|does not exist/.test(line);
}

function isTemporalError(line: string): boolean {
  return line.includes('level=ERROR') || line.includes('level=FATAL');
}

// Lines that are not JSON come from tools or from a crash.
function isServiceError(line: string): boolean {
  if (!line.startsWith('{')) return /Error\b|FATAL|panicked/.test(line);
  return Number(/"level":(\d+)/.exec(line)?.[1] ?? 0) >= pinoError;
}

function textOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ').slice(0, 300);
  } catch {
    return line.slice(0, 300);
  }
}
