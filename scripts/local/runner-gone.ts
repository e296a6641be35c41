/** Detects that scripts/run.mjs, which started this process, has died without a signal. */
export function whenRunnerIsGone(act: () => void): void {
  const runner = Number(process.env['ATELIER_RUNNER_PID']);
  delete process.env['ATELIER_RUNNER_PID'];
  if (process.ppid !== runner) return;
  const watch = setInterval(() => {
    if (process.ppid === runner) return;
    clearInterval(watch);
    act();
  }, 500);
  watch.unref();
}
