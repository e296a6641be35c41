/** Changes a photograph's light, season and palette, and removes details, before a style paints it. */
import { blur } from '../pixels/blur.ts';
import { smoothstep } from '../pixels/range.ts';
import type { Canvas } from '../sketch/canvas.ts';
import { kuwahara } from '../sketch/filters/kuwahara.ts';
import { wobble } from '../sketch/filters/wobble.ts';
import { grade } from '../sketch/grade.ts';
import { lightOf } from '../sketch/paint/light.ts';
import type { Stage } from '../sketch/paint/stage.ts';
import { paintFog, paintLightning, paintRain, paintSnowfall } from '../sketch/paint/weather.ts';
import type { Random } from '../sketch/random.ts';
import { glow, model, relight, shoulder } from './light.ts';
import { seasoned, snowed, tone } from './recolour.ts';
import { findSky, paintSkyOver, type Sky } from './sky.ts';
import type { Wish } from './wish.ts';

export async function repaint(canvas: Canvas, wish: Wish, strength: number, random: Random): Promise<void> {
  const { brief, time, season } = wish;
  const wanted = smoothstep(0, 0.6, strength);
  const sky = findSky(canvas);
  const stage = stageOf(canvas, wish, sky, random);
  tone(canvas, random.stream('tone'), strength * (brief.palette ? 0.5 : 1));
  if (season) seasoned(canvas, season, wanted);
  if (brief.weather.has('snow')) snowed(canvas, stage.horizon, wanted);
  grade(canvas, { ...brief, paletteStrength: brief.paletteStrength * wanted });
  if (time) relight(canvas, stage.light, wanted);
  model(canvas, random.stream('sun'), strength);
  if (sky) await paintSkyOver(stage, sky, wish, wanted * 0.95);
  if (stage.lamp.visible) glow(stage, 0.42 * wanted);
  shoulder(canvas);
  simplify(canvas, strength, random.stream('outlines').fork());
  if (brief.weather.has('lightning')) paintLightning(stage);
  if (brief.weather.has('fog')) paintFog(stage, 0.7 * wanted);
  if (brief.weather.has('snow')) paintSnowfall(stage);
  if (brief.weather.has('rain')) paintRain(stage);
}

const low = new Set(['sunset', 'dawn', 'golden', 'dusk']);
const moonlit = new Set(['night', 'aurora', 'neon']);

/** Returns the stage of a photograph: the horizon, lamp and light that the illustrator's painters need. */
function stageOf(canvas: Canvas, { brief, time }: Wish, sky: Sky | null, random: Random): Stage {
  const { width, height } = canvas;
  const r = random.stream('stage');
  const side = r.chance(0.5) ? 1 : -1;
  const horizon = sky?.horizon ?? height * 0.45;
  const covered = brief.weather.has('rain') || brief.time === 'storm' || brief.time === 'overcast';
  const moon = moonlit.has(brief.time) && (brief.lamps.has('moon') || brief.lamps.has('crescent'));
  const sun = !moonlit.has(brief.time) && (brief.lamps.has('sun') || (time !== null && low.has(time)));
  const lamp = {
    x: width * (0.5 + side * r.between(0.14, 0.34)),
    y: horizon * (low.has(brief.time) ? r.between(0.6, 0.8) : r.between(0.2, 0.4)),
    radius: Math.min(width, height) * r.between(0.04, 0.055),
    visible: !covered && (moon || sun),
  };
  const light = lightOf(brief.time, brief.weather.has('fog'));
  return { canvas, brief, light, random, horizon, waterTop: null, groundTop: horizon, ground: 'none', lamp, side };
}

/**
 * Removes details: outlines shift, patches merge, large masses stay.
 * @param strength 0 keeps everything, 1 keeps only masses
 */
function simplify(canvas: Canvas, strength: number, seed: number): void {
  const { width, height, unit } = canvas;
  const wander = 92 * Math.max(0, strength - 0.2) ** 1.6 * unit;
  if (wander > 1) wobble(canvas, seed, wander, 0.0055);
  const radius = (0.8 + 8.5 * strength ** 2) * unit;
  if (radius >= 0.75) kuwahara(canvas, radius);
  if (strength <= 0.5) return;
  // The filter leaves square corners, which a blur and a second filter round off.
  canvas.rgb = blur(canvas.rgb, width, height, 3, Math.max(1, radius * 0.42));
  kuwahara(canvas, radius * 0.6);
}
