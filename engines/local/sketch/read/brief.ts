/** The content of a picture: everything that the painters need from a prompt. */
import type { Colour } from '../colour.ts';
import type { Lamp, Mood, Scene, Thing, Time, Weather } from './vocabulary.ts';

export interface Subject {
  readonly thing: Thing;
  readonly count: number;
  /** Colour that the prompt gives to the thing. */
  readonly tint: Colour | null;
  /** Size factor, from 0.6 for "tiny" to 1.5 for "giant". */
  readonly scale: number;
}

/** Everything that the words name, before defaults complete it. */
export interface Reading {
  readonly scenes: readonly Scene[];
  readonly time: Time | null;
  /** Times that the words name; a lamp such as "moon" only suggests a time. */
  readonly hours: ReadonlySet<Time>;
  readonly weather: ReadonlySet<Weather>;
  readonly lamps: ReadonlySet<Lamp>;
  readonly moods: ReadonlySet<Mood>;
  readonly colours: readonly { readonly name: string; readonly colour: Colour }[];
  readonly subjects: readonly Subject[];
}

/** A complete description of the picture. */
export interface Brief extends Omit<Reading, 'time' | 'hours' | 'colours'> {
  readonly time: Time;
  /** Lamps that the prompt excludes. */
  readonly unlit: ReadonlySet<Lamp>;
  /** Colours from dark to light; null for natural colours. */
  readonly palette: readonly Colour[] | null;
  /** Opacity of the palette over the natural colours, 0–1. */
  readonly paletteStrength: number;
}
