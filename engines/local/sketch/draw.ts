/** Draws one picture, from parameters to encoded bytes. Runs in a worker thread. */
import type { TextToImage } from '../../contract/index.ts';
import { encode } from '../raster.ts';
import { createCanvas } from './canvas.ts';
import { saturate } from './filters/tone.ts';
import { grade } from './grade.ts';
import { lookOf } from './looks/index.ts';
import { paintPlace } from './paint/landscape.ts';
import { setStage } from './paint/stage.ts';
import { paintFog, paintLightning, paintRain, paintSnowfall } from './paint/weather.ts';
import { Random, hashText } from './random.ts';
import { rasterOf } from './raster.ts';
import { resolveBrief } from './read/resolve.ts';
import { words } from './read/words.ts';
import { paintSubjects } from './subjects/arrange.ts';
import { cutOut } from './subjects/cutout.ts';
import { seamlessOf } from './tile/index.ts';

/** Number of pixels above which a picture is painted at half size and then enlarged. */
const fullSize = 1_700_000;

export async function draw(family: string, params: TextToImage): Promise<Uint8Array> {
  const divisor = params.width * params.height > fullSize ? 2 : 1;
  const canvas = createCanvas(params.width / divisor, params.height / divisor);
  const random = new Random(hashText(words(params.prompt).join(' ') || params.prompt, params.seed));
  const brief = resolveBrief(params.prompt, params.negativePrompt, params.seed);
  const tile = params.transparentBackground ? null : seamlessOf(params.style, params.seamless);
  const finish = () => lookOf(family, params.style)(canvas, { random: random.stream('look'), brief });
  if (params.transparentBackground) {
    await cutOut(canvas, brief, random, finish);
  } else if (tile) {
    await tile(canvas, brief, random);
  } else {
    const stage = setStage(canvas, brief, random);
    paintPlace(stage);
    grade(canvas, brief);
    if (brief.weather.has('lightning')) paintLightning(stage);
    await paintSubjects(stage);
    if (brief.weather.has('fog')) paintFog(stage, 0.75);
    if (brief.weather.has('snow')) paintSnowfall(stage);
    if (brief.weather.has('rain')) paintRain(stage);
    finish();
    // A look may add colour, which a monochrome prompt overrides.
    if (brief.moods.has('mono')) saturate(canvas, 0.06);
  }
  return encode(await rasterOf(canvas, params, tile !== null), params.outputFormat);
}
