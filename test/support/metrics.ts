/** Reads metrics as Prometheus does. */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** @throws Error for a line that violates the text format */
export async function readMetrics(port: number): Promise<Sample[]> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (response.status !== 200) throw new Error(`The metrics respond with ${response.status}`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels, value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || !/^([+-]?Inf|NaN|[-+.\de]+)$/i.test(value ?? ''))
      throw new Error(`Not a sample: ${line}`);
    const pairs = [...(labels ?? '').matchAll(/([a-z_]\w*)="((?:[^"\\]|\\.)*)"/g)];
    return {
      name,
      labels: Object.fromEntries(pairs.map(([, key, text]): [string, string] => [key ?? '', text ?? ''])),
      value: Number(value),
    };
  });
}

/** Returns the sum of the samples with these labels; null without samples. */
export function sumOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number | null {
  const found = samples.filter(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  );
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
}
