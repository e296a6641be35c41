/** Reads a percentage of a quality: "by 50 %" is a change, "to 50 %" a target. */
import type { Amount } from './amount.ts';
import type { QualityName } from './qualities.ts';

/** Of these a picture has 100 %. */
const relative = new Set<QualityName>(['exposure', 'contrast', 'saturation']);
/** Of these a picture has none until it is asked for. */
const effects = new Set<QualityName>(
  'vignette noise blur sepia vintage pixels drama mood cinema dream'.split(' ') as QualityName[],
);

export interface Change {
  quality: QualityName;
  sign: 1 | -1;
  /** The instruction says itself whether it is more or less: "brighter", "reduce". */
  directed: boolean;
}

/** The same as a change of the picture; null where the percentage has no meaning, or another one than its verb. */
export function measured(change: Change, amount: Amount): { sign: 1 | -1; amount: Amount } | null {
  const { quality, sign, directed } = change;
  const { percent, said } = amount;
  if (percent === null || said === 'by') return { sign, amount };
  if (said === null) return directed || !relative.has(quality) ? { sign, amount } : null;
  if (effects.has(quality)) return sign > 0 ? { sign, amount } : null;
  const by = percent - 100;
  if (!relative.has(quality) || by === 0 || (directed && Math.sign(by) !== sign)) return null;
  return { sign: by > 0 ? 1 : -1, amount: { ...amount, percent: Math.abs(by), said: 'by' } };
}
