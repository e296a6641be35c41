/** Changes a photograph's light, season and palette, and removes details, before a style paints it. */
import type { Canvas } from '../sketch/canvas.ts';
import { smoothstep } from '../pixels/range.ts';
import { grade } from '../sketch/grade.ts';
import { paintFog, paintLightning, paintRain, paintSnowfall } from '../sketch/paint/weather.ts';
import type { Random } from '../sketch/random.ts';
import { paintSkyOver } from './heavens.ts';
import { glow, model, relight, shoulder } from './light.ts';
import { seasoned, snowed, tone } from './recolour.ts';
import { simplify } from './simplify.ts';
import { findSky } from './sky.ts';
import { stageOf } from './stage.ts';
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
  lightUp(canvas, random, strength);
  if (sky) await paintSkyOver(stage, sky, wish, wanted * 0.95);
  if (stage.lamp.visible) glow(stage, 0.42 * wanted);
  shoulder(canvas);
  simplify(canvas, strength, random.stream('outlines').fork());
  if (brief.weather.has('lightning')) paintLightning(stage);
  if (brief.weather.has('fog')) paintFog(stage, 0.7 * wanted);
  if (brief.weather.has('snow')) paintSnowfall(stage);
  if (brief.weather.has('rain')) paintRain(stage);
}

function lightUp(canvas: Canvas, random: Random, strength: number): void {
  const r = random.stream('sun');
  // Light mostly comes from above.
  model(canvas, r.between(-Math.PI * 0.98, -Math.PI * 0.02), r.between(-0.12, 0.3), strength);
}
