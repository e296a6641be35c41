/** What a request costs: its price before the work, its charge after. Whole credits, by the operator's price list. */
import { mostPixels, mostPixelsOut } from './image.ts';
import type { Call, PlannableTask, Plan } from './plan.ts';
import type { Size } from './request.ts';
import { mostTokens } from './writing.ts';

/** Credits; all of them are added up. */
export interface Tariff {
  base: number;
  perImage: number;
  /** Of each image: its megapixels, rounded to the nearest whole number, at least 1. */
  perMegapixel: number;
  /** Of question and answer together, begun thousands. */
  perThousandTokens: number;
}

/** An operation in the price list. What is left out costs nothing. */
export interface Price extends Partial<Tariff> {
  /** What they name takes the place of what stands above them; of several that fit, the last one counts. */
  overrides?: (Partial<Tariff> & {
    /** Values of fields of the completed request, all of which it must have. */
    when: Record<string, unknown>;
  })[];
}

/** By the name of the operation. One that is not in it costs nothing. */
export type PriceList = Readonly<Record<string, Price>>;

export interface Quote {
  /** The most that it can cost. */
  price: number;
  /** What its images and tokens cost; kept, because prices may change before it ends. Null where all is free. */
  tariff: Tariff | null;
}

export const free: Quote = { price: 0, tariff: null };

/** What was made, or can be at most. */
export interface Amount {
  images: readonly Size[];
  tokens: number;
}

export interface Priced {
  operation: string;
  input: Readonly<Record<string, unknown>>;
  plan: Plan;
  /** Of the upright images that come in, by field; those of URLs are not known yet. */
  sizes: Readonly<Record<string, Size>>;
}

export function quote(prices: PriceList, request: Priced): Quote {
  const price = Object.hasOwn(prices, request.operation) ? prices[request.operation] : undefined;
  if (!price) return free;
  const tariff = tariffOf(price, request.input);
  const most = cost(tariff, { images: expectedImages(request), tokens: expectedTokens(request) });
  return most === 0 ? free : { price: most, tariff };
}

/** What is kept of a reservation when the work has succeeded. */
export function charge({ price, tariff }: Quote, made: Amount): number {
  return tariff ? Math.min(price, cost(tariff, made)) : price;
}

function tariffOf({ overrides = [], ...own }: Price, input: Priced['input']): Tariff {
  const fitting = overrides.filter(({ when }) => Object.entries(when).every(([name, value]) => input[name] === value));
  const all = Object.assign({ base: 0, perImage: 0, perMegapixel: 0, perThousandTokens: 0 }, own, ...fitting) as Tariff;
  const { base, perImage, perMegapixel, perThousandTokens } = all;
  return { base, perImage, perMegapixel, perThousandTokens };
}

function cost({ base, perImage, perMegapixel, perThousandTokens }: Tariff, { images, tokens }: Amount): number {
  const megapixels = images.reduce((sum, size) => sum + Math.max(Math.round((size.width * size.height) / 1e6), 1), 0);
  return base + perImage * images.length + perMegapixel * megapixels + perThousandTokens * Math.ceil(tokens / 1000);
}

/** Calls that make no image. */
const wordy: readonly PlannableTask[] = ['write', 'measure-style'];

/** One for each call whose image the artwork will show; what is not known yet is taken for as large as it may be. */
function expectedImages({ plan, sizes }: Priced): Size[] {
  const calls = plan.stages.flatMap((stage) => stage.calls);
  const sources = calls.flatMap((call) => {
    if (call.task === 'prepare-image') return [sizes[call.id] ?? { width: mostPixels, height: 1 }];
    return drawnSize(call) ?? [];
  });
  const largest = Math.max(0, ...sources.map(({ width, height }) => width * height));
  const results = calls.filter(({ task, role }) => role !== 'input' && !wordy.includes(task));
  return results.map((call) => {
    const scale = 'scale' in call.params ? call.params.scale : 1;
    return drawnSize(call) ?? { width: Math.min(largest * scale ** 2, mostPixelsOut), height: 1 };
  });
}

function drawnSize({ task, params }: Call): Size | null {
  return task === 'text-to-image' ? { width: params.width, height: params.height } : null;
}

/** What an engine says around the words of a request, at most. */
const tokensAround = 1000;

/** No token is shorter than a byte. */
function expectedTokens({ input }: Priced): number {
  const asked = new TextEncoder().encode(JSON.stringify(input)).byteLength;
  return asked + tokensAround + (typeof input['maxTokens'] === 'number' ? input['maxTokens'] : mostTokens);
}
