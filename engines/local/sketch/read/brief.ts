/** The content of a picture: all that the painter knows of a prompt. */
import type { Colour } from '../colour.ts';
import type { Lamp, Mood, Scene, Thing, Time, Weather } from './vocabulary.ts';

export interface Subject {
  readonly thing: Thing;
  readonly count: number;
  /** Colour word before the thing. */
  readonly tint: Colour | null;
  /** `tiny` 0.6 … `giant` 1.5 */
  readonly scale: number;
}

/** What the words say, before choices complete it. */
export interface Reading {
  readonly scenes: readonly Scene[];
  readonly time: Time | null;
  /** Times that the words name, not those that only a lamp suggests. */
  readonly hours: ReadonlySet<Time>;
  readonly weather: ReadonlySet<Weather>;
  readonly lamps: ReadonlySet<Lamp>;
  readonly moods: ReadonlySet<Mood>;
  readonly colours: readonly { readonly name: string; readonly colour: Colour }[];
  readonly subjects: readonly Subject[];
}

export interface Brief extends Omit<Reading, 'time' | 'hours' | 'colours'> {
  readonly time: Time;
  /** Lamps of the hour that must not be visible. */
  readonly unlit: ReadonlySet<Lamp>;
  /** Dark to light; null for natural colours. */
  readonly palette: readonly Colour[] | null;
  /** Share of the palette in the scene. */
  readonly paletteStrength: number;
}
