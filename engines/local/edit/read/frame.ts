/** Rules for the frame: crop, zoom, extend, rotate, straighten, flip, resize. */
import type { Edit, Sides } from '../edits.ts';
import { rule, type Context, type Rule } from './rule.ts';
import type { Amount } from './words.ts';

const weighted = (sides: Sides, share: number): Sides => ({
  left: sides.left * share,
  right: sides.right * share,
  top: sides.top * share,
  bottom: sides.bottom * share,
});
const everySide: Sides = { left: 1, right: 1, top: 1, bottom: 1 };
const opposite = ({ left, right, top, bottom }: Sides): Sides => ({
  left: right,
  right: left,
  top: bottom,
  bottom: top,
});
const isOneSide = (sides: Sides): boolean => Object.values(sides).filter((weight) => weight > 0).length === 1;
const isKept = (percent: number | null): percent is number => percent !== null && percent >= 5 && percent < 100;

const off = (sides: Sides): Edit[] => [{ kind: 'crop', off: sides }];
const zoomed = (zoom: number): Edit[] | null => (zoom > 1 ? [{ kind: 'crop', zoom }] : null);

/** "Zoom to 200 %" is a result, "zoom in by 20 %" a change. */
function zoom({ amount: { percent, said, level } }: Context): Edit[] | null {
  return zoomed(percent === null ? 1 + 0.4 * level : percent / 100 + (said === 'to' ? 0 : 1));
}

/** "Crop to 80 %" is what remains, "crop by 20 %" what goes. */
function tighter({ percent, said, level }: Amount): Edit[] | null {
  if (percent === null) return zoomed(1 + 0.3 * level);
  const remains = said === 'to' ? percent : 100 - percent;
  return isKept(remains) ? zoomed(100 / remains) : null;
}

/** @param degrees null for a quarter turn */
function rotated(degrees: number | null, turn: 1 | -1, { amount: { level } }: Context): Edit[] | null {
  const angle = turn * (degrees ?? (level < 1 ? 10 * level : 90));
  return angle === 0 || Math.abs(angle) > 360 ? null : [{ kind: 'rotate', degrees: angle }];
}

/** "By 30 %" alone can be what remains or what goes. */
function resized({ percent, said }: Amount, smaller: boolean): Edit[] | null {
  if (percent === null || (said === 'by' && !smaller && percent !== 50)) return null;
  const factor = smaller && said !== 'to' ? 1 - percent / 100 : percent / 100;
  return factor > 0.02 && factor < 1 ? [{ kind: 'resize', factor }] : null;
}

const extended = (sides: Sides, { amount: { percent, level, said } }: Context): Edit[] | null =>
  said === 'to' ? null : [{ kind: 'extend', by: weighted(sides, percent ?? 20 * level) }];

const crop = 'crop|trim|cut|reframe';
const extend = 'extend|expand|outpaint|uncrop|widen';

export const frameRules: readonly Rule[] = [
  rule(`${crop}|make|turn|resize|convert it? to|into|in? RATIO`, ({ ratio = '' }) => [{ kind: 'crop', ratio }]),
  rule(`${crop} it? to SIDE`, ({ sides = everySide }, { amount: { percent, said } }) =>
    isKept(percent) && said !== 'by' && isOneSide(sides) ? off(weighted(opposite(sides), 100 - percent)) : null,
  ),
  rule(`${crop} it? of SIDE`, ({ sides = everySide }, { amount: { percent, said } }) =>
    isKept(percent) && said === 'to' ? off(weighted(sides, 100 - percent)) : null,
  ),
  rule(`${crop} it? off|from|away? SIDE off?`, ({ sides = everySide }, { amount: { percent, level, said } }) =>
    said === 'to' ? null : off(weighted(sides, percent ?? 20 * level)),
  ),
  rule('crop|trim|reframe it? down|in? tight|tighter|close|closer|tightly|in?', (_, { amount }) => tighter(amount)),
  rule('zoom it? in|closer?', (_, context) => zoom(context)),
  rule(`${crop}|zoom it? in|into|tight|close|closer? to|on|onto|around? NOUN`, ({ noun = '' }) => [
    { kind: 'crop', to: noun },
  ]),
  rule(`${extend} it|canvas|frame? to|into|by? RATIO`, ({ ratio = '' }) => [{ kind: 'extend', ratio }]),
  rule('fill|make|turn it|frame|canvas? out? to|into? RATIO by? extending|expanding|outpainting? it|SIDE?', (found) =>
    found.ratio === undefined ? null : [{ kind: 'extend', ratio: found.ratio }],
  ),
  rule(`${extend} it|canvas|frame? on|at|to? SIDE`, ({ sides = everySide }, context) => extended(sides, context)),
  rule('add more? space|room|canvas on|at|to? SIDE?', ({ sides = everySide }, context) => extended(sides, context)),
  rule(`${extend} it|canvas|frame?`, (_, context) => extended(everySide, context)),
  rule('enlarge canvas|frame', (_, context) => extended(everySide, context)),
  rule('zoom it? out', (_, context) => extended(everySide, context)),
  rule('rotate|turn|spin|tilt it? NUMBER degrees|deg|degree? to? TURN?', ({ number = 0, turn = 1 }, context) =>
    rotated(number, turn, context),
  ),
  rule('rotate|turn|spin|tilt it? by NUMBER degrees|deg|degree TURN?', ({ number = 0, turn = 1 }, context) =>
    rotated(number, turn, context),
  ),
  rule('turn|flip|put|make|rotate? it? upside-down', () => [{ kind: 'rotate', degrees: 180 }]),
  rule('rotate|turn|spin|tilt it? TURN', ({ turn = 1 }, context) => rotated(null, turn, context)),
  rule('rotate it?', (_, context) => rotated(null, 1, context)),
  rule('straighten|level|fix crooked|tilted? horizon|lines', () => [{ kind: 'straighten' }]),
  rule('straighten|level it?', () => [{ kind: 'straighten' }]),
  rule('make|get it|horizon straight|level', () => [{ kind: 'straighten' }]),
  rule('flip|mirror it? AXIS?', ({ axis = 'horizontal' }) => [{ kind: 'flip', axis }]),
  rule('make|resize|scale|shrink|reduce? it? to? half-size', () => [{ kind: 'resize', factor: 0.5 }]),
  rule('halve it|size?', () => [{ kind: 'resize', factor: 0.5 }]),
  rule('resize|scale it?', (_, { amount }) => resized(amount, false)),
  rule('resize|scale it? down', (_, { amount }) => resized(amount, true)),
  rule('shrink|downscale it? down?', (_, { amount }) => resized(amount, true)),
];
