/** Prices a request by the operator's price list: the quote before the work, and the charge after it. In whole credits. */
import { maxImagePixels, mostPixelsOut } from './image.ts';
import type { Call, PlannableTask, Plan } from './plan.ts';
import type { Size } from './request.ts';
import { maxOutputTokens } from './writing.ts';

/** The components of a price in credits, which are added up. */
export interface Tariff {
  base: number;
  perImage: number;
  /** Credits per megapixel of each image, rounded to the nearest whole megapixel, at least 1. */
  perMegapixel: number;
  /** Credits per thousand tokens of input and output together, rounded up. */
  perThousandTokens: number;
}

/** The price of an operation. An absent component costs nothing. */
export interface Price extends Partial<Tariff> {
  /** Components that replace the components above if the condition matches. The last matching override wins. */
  overrides?: (Partial<Tariff> & {
    /** The condition: values of fields, all of which the completed request must have. */
    when: Record<string, unknown>;
  })[];
}

/** Prices by the name of the operation. An absent operation costs nothing. */
export type PriceList = Readonly<Record<string, Price>>;

export interface Quote {
  /** The most that the request can cost, in credits. */
  price: number;
  /** The tariff of the request, stored because prices may change before the request ends. Null if the request is free. */
  tariff: Tariff | null;
}

export const free: Quote = { price: 0, tariff: null };

/** The images and tokens of a result. */
export interface Amount {
  images: readonly Size[];
  tokens: number;
}

/** The facts of a completed request on which its price depends. */
export interface Priced {
  operation: string;
  input: Readonly<Record<string, unknown>>;
  plan: Plan;
  /** Sizes of the upright input images, by field. Sizes of images behind URLs are not known yet. */
  sizes: Readonly<Record<string, Size>>;
}

/** Returns the highest possible price of a request. */
export function quote(prices: PriceList, request: Priced): Quote {
  const price = Object.hasOwn(prices, request.operation) ? prices[request.operation] : undefined;
  if (!price) return free;
  const tariff = tariffOf(price, request.input);
  const credits = cost(tariff, { images: expectedImages(request), tokens: expectedTokens(request) });
  return credits === 0 ? free : { price: credits, tariff };
}

/** Returns the credits to charge for a result: at most the reserved price. */
export function charge({ price, tariff }: Quote, made: Amount): number {
  return tariff ? Math.min(price, cost(tariff, made)) : price;
}

function tariffOf({ overrides = [], ...own }: Price, input: Priced['input']): Tariff {
  const matching = overrides.filter(({ when }) => Object.entries(when).every(([name, value]) => input[name] === value));
  const all = Object.assign(
    { base: 0, perImage: 0, perMegapixel: 0, perThousandTokens: 0 },
    own,
    ...matching,
  ) as Tariff;
  const { base, perImage, perMegapixel, perThousandTokens } = all;
  return { base, perImage, perMegapixel, perThousandTokens };
}

function cost({ base, perImage, perMegapixel, perThousandTokens }: Tariff, { images, tokens }: Amount): number {
  const megapixels = images.reduce((sum, size) => sum + Math.max(Math.round((size.width * size.height) / 1e6), 1), 0);
  return base + perImage * images.length + perMegapixel * megapixels + perThousandTokens * Math.ceil(tokens / 1000);
}

/** Tasks that make no image. */
const textTasks: readonly PlannableTask[] = ['write', 'measure-style'];

/**
 * Returns a size for each call whose image the artwork will show. If the size is not known yet, it is the largest possible
 * number of pixels in one row, because prices depend on the number of pixels only.
 */
function expectedImages({ plan, sizes }: Priced): Size[] {
  const calls = plan.stages.flatMap((stage) => stage.calls);
  const sources = calls.flatMap((call) => {
    if (call.task === 'prepare-image') return [sizes[call.id] ?? { width: maxImagePixels, height: 1 }];
    return drawnSize(call) ?? [];
  });
  const largest = Math.max(0, ...sources.map(({ width, height }) => width * height));
  const results = calls.filter(({ task, role }) => role !== 'input' && !textTasks.includes(task));
  return results.map((call) => {
    const scale = 'scale' in call.params ? call.params.scale : 1;
    return drawnSize(call) ?? { width: Math.min(largest * scale ** 2, mostPixelsOut), height: 1 };
  });
}

function drawnSize({ task, params }: Call): Size | null {
  return task === 'text-to-image' ? { width: params.width, height: params.height } : null;
}

/** Maximum tokens that an engine adds to the text of a request. */
const promptOverhead = 1000;

/** Returns the most tokens that a request can use. A token has at least one byte. */
function expectedTokens({ input }: Priced): number {
  const inputTokens = new TextEncoder().encode(JSON.stringify(input)).byteLength;
  return inputTokens + promptOverhead + (typeof input['maxTokens'] === 'number' ? input['maxTokens'] : maxOutputTokens);
}
