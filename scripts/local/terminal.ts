/** Prints the progress of a start: a line per finished step and, on a terminal, the steps under way. */
export type Progress = (what: string) => void;

export interface Terminal {
  /** Shows the step while it runs, then the line that `done` returns for its result. */
  step<T>(name: string, run: (progress: Progress) => Promise<T>, done?: (result: T) => string): Promise<T>;
  line(text: string): void;
  /** Prints no line for steps that end from now on, because the stop ends them. */
  mute(): void;
  close(): void;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const reminderSeconds = 15;

export function createTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const live = stream.isTTY === true && process.env['TERM'] !== 'dumb';
  const steps = new Map<object, { name: string; what: string; started: number; reminded: number }>();
  let frame = 0;
  let muted = false;

  const clear = live ? '\r\x1b[K' : '';
  const line = (text: string) => void stream.write(`${clear}${text}\n`);
  const draw = () => {
    if (steps.size === 0) return;
    frame = (frame + 1) % frames.length;
    const now = [...steps.values()].map(
      ({ name, what, started }) => `${name}${what && `: ${what}`} ${secondsSince(started)}`,
    );
    const text = `${frames[frame]} ${now.join(' · ')}`;
    stream.write(`${clear}${text.slice(0, (stream.columns || 80) - 1)}`);
  };
  const remind = () => {
    for (const step of steps.values()) {
      if (performance.now() - step.reminded < reminderSeconds * 1000) continue;
      step.reminded = performance.now();
      line(`  ${step.name}${step.what && `: ${step.what}`}  ${secondsSince(step.started)}`);
    }
  };
  const timer = live ? setInterval(draw, 100) : setInterval(remind, 1000);
  timer.unref();
  // A closed pipe, as in `npm start | head`, does not end the service.
  stream.on('error', () => undefined);

  return {
    line,
    mute: () => void (muted = true),
    close: () => {
      clearInterval(timer);
      if (live) stream.write(clear);
    },
    step: async (name, run, done = () => name) => {
      const started = performance.now();
      const step = { name, what: '', started, reminded: started };
      steps.set(step, step);
      try {
        const result = await run((what) => (step.what = what));
        steps.delete(step);
        if (!muted) line(`✓ ${done(result)}  ${secondsSince(started)}`);
        return result;
      } catch (error) {
        steps.delete(step);
        if (!muted) line(`✗ ${name}  ${secondsSince(started)}`);
        // The failure ends the other steps, too.
        muted = true;
        throw error;
      }
    },
  };
}

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
