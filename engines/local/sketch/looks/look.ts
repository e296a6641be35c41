/** A look: a way to repaint the finished picture in one hand. */
import type { Canvas } from '../canvas.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';

export interface Hand {
  readonly random: Random;
  readonly brief: Brief;
}

export type Look = (canvas: Canvas, hand: Hand) => void;
