/** Rules for the frame: crop, zoom, extend, rotate, straighten, flip, resize. */
import type { Edit, Sides } from '../edits.ts';
import { rules, type Context, type Found, type Rule } from './rule.ts';

const everySide: Sides = { left: 1, right: 1, top: 1, bottom: 1 };

/** Returns the percent of the picture's size on each side. */
function room({ sides = everySide }: Found, { amount: { percent, level } }: Context): Sides {
  const share = percent ?? 20 * level;
  const { left, right, top, bottom } = sides;
  return { left: left * share, right: right * share, top: top * share, bottom: bottom * share };
}

const zoomed = (zoom: number): Edit[] | null => (zoom > 1 ? [{ kind: 'crop', zoom }] : null);
const resized = (percent: number): Edit[] | null =>
  percent > 2 && percent < 100 ? [{ kind: 'resize', factor: percent / 100 }] : null;

/** A turn without a number is a quarter turn. */
const rotated = ({ number = 90, turn = 1 }: Found): Edit[] | null =>
  number === 0 || Math.abs(number) > 360 ? null : [{ kind: 'rotate', degrees: number * turn }];

const crop = 'crop|trim|cut|reframe';
const extend = 'extend|expand|outpaint|uncrop|widen it|canvas|frame?';
const ratio = 'wide? RATIO format|ratio|aspect|orientation|version? ratio?';
const rotate = 'rotate|turn|spin|tilt it?';

/** Rules for clauses that state no amount. */
export const frameRules: readonly Rule[] = [
  ...rules(
    (found) => [{ kind: 'crop', ratio: found.ratio ?? '' }],
    `${crop}|make|turn|resize|convert it? to|into|in? ${ratio}`,
  ),
  ...rules(
    ({ noun = '' }) => [{ kind: 'crop', to: noun }],
    `${crop}|zoom it? in|tight|close|closer? to|on|onto|around NOUN`,
  ),
  ...rules((found) => [{ kind: 'extend', ratio: found.ratio ?? '' }], `${extend} to|into|by? ${ratio}`),
  ...rules(rotated, `${rotate} by? NUMBER degrees|deg|degree? to? TURN?`, `${rotate} TURN`, 'rotate it?'),
  ...rules(() => [{ kind: 'rotate', degrees: 180 }], 'turn|flip|put|make|rotate? it? upside-down'),
  ...rules(
    () => [{ kind: 'straighten' }],
    'straighten|level|fix crooked|tilted? horizon|lines',
    'straighten|level it?',
    'make|get it|horizon straight|level',
  ),
  ...rules(({ axis = 'horizontal' }) => [{ kind: 'flip', axis }], 'flip|mirror it? AXIS?'),
  ...rules(() => resized(50), 'make|resize|scale|shrink|reduce? it? to? half-size', 'halve it|size?'),
  ...rules(({ percent = 0 }) => resized(percent), 'resize|scale|shrink|downscale|reduce it|size? down? to PERCENT'),
];

export const measuredFrameRules: readonly Rule[] = [
  ...rules((found, context) => [{ kind: 'crop', off: room(found, context) }], `${crop} it? off|from? SIDE off?`),
  ...rules(
    (_, { amount: { percent, level } }) => (percent === null ? zoomed(1 + 0.3 * level) : null),
    'crop|trim|reframe it? in? tight|tighter|close|closer|tightly?',
  ),
  ...rules(
    (_, { amount: { percent, level } }) => zoomed(1 + (percent === null ? 0.4 * level : percent / 100)),
    'zoom it? in|closer?',
  ),
  ...rules(
    (found, context) => [{ kind: 'extend', by: room(found, context) }],
    `${extend} on|at|to? SIDE?`,
    'add|more space|room|canvas on|at|to? SIDE?',
    'enlarge canvas|frame',
    'zoom it? out',
  ),
  ...rules(
    (_, { amount: { percent } }) => (percent === null ? null : resized(100 - percent)),
    'resize|scale it? down',
    'shrink|downscale it?',
  ),
];
