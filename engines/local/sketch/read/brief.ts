/** What a picture is to show, after the words have been read: the only thing the painter knows of a prompt. */
import type { Colour } from '../colour.ts';
import type { Lamp, Mood, Time, Weather } from './light.ts';
import type { Scene } from './scenes.ts';
import type { Thing } from './things.ts';

export interface Subject {
  readonly thing: Thing;
  readonly count: number;
  /** Asked for by a colour word before it. */
  readonly tint: Colour | null;
  /** `tiny` 0.6 … `giant` 1.5 */
  readonly scale: number;
}

/** The words alone, before anything is made up for what they leave open. */
export interface Reading {
  readonly scenes: readonly Scene[];
  readonly time: Time | null;
  /** All that were named, and not only suggested by a lamp. */
  readonly hours: ReadonlySet<Time>;
  readonly weather: ReadonlySet<Weather>;
  readonly lamps: ReadonlySet<Lamp>;
  readonly moods: ReadonlySet<Mood>;
  readonly colours: readonly { readonly name: string; readonly colour: Colour }[];
  readonly subjects: readonly Subject[];
}

export interface Brief extends Omit<Reading, 'time' | 'hours' | 'colours'> {
  readonly time: Time;
  /** Lamps that the hour would bring with it and that are not to be seen. */
  readonly unlit: ReadonlySet<Lamp>;
  /** Dark to light; null leaves nature's own colours. */
  readonly palette: readonly Colour[] | null;
  /** How much of the palette goes over the scene. */
  readonly paletteStrength: number;
}
