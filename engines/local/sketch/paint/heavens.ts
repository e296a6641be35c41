/** Everything above the horizon, in order. */
import { paintAurora, paintClouds, paintLamp, paintRainbow, paintSky, paintStars } from './sky.ts';
import type { Stage } from './stage.ts';

function coverOf({ brief, light, random }: Stage): number {
  if (brief.time === 'storm' || brief.time === 'overcast') return 1.05;
  if (brief.weather.has('clouds') || brief.scenes.includes('sky')) return 0.85;
  if (brief.weather.has('clear')) return 0;
  const r = random.stream('heavens');
  return light.dark ? r.between(0.1, 0.4) : r.between(0.3, 0.7);
}

export function paintHeavens(stage: Stage): void {
  const { brief } = stage;
  paintSky(stage);
  if (stage.light.dark && !brief.weather.has('rain') && !brief.unlit.has('stars'))
    paintStars(stage, brief.lamps.has('stars') ? 1.5 : brief.time === 'dusk' ? 0.25 : 0.8);
  else if (brief.lamps.has('shooting')) paintStars(stage, 0.2);
  if (brief.time === 'aurora') paintAurora(stage);
  paintLamp(stage);
  const cover = coverOf(stage);
  if (cover > 0) paintClouds(stage, cover);
  if (brief.weather.has('rainbow')) paintRainbow(stage);
}
