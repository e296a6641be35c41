/** Makes an operation that turns images into one image: they are taken in, then one call of a model uses them. */
import type Type from 'typebox';
import type { Domain } from './access.ts';
import * as fields from './fields.ts';
import type { OutputFormat, Role } from './image.ts';
import { defineOperation, type Listing, type Operation } from './operation.ts';
import { takeIn } from './plan.ts';
import { requestBody, type RuleFailure, type Size } from './request.ts';
import { refuseFormat } from './sizes.ts';
import type { Task, Tasks } from './tasks.ts';

/** What every such request has. */
export interface ImageRequest {
  nsfw: boolean;
  outputFormat: OutputFormat;
}

type Described = Pick<Operation, 'name' | 'summary' | 'description' | 'example'>;

interface Options<Request extends ImageRequest, T extends Task> extends Described {
  domain?: Domain;
  /** Fields of the request, beside those that every creation takes; those that name images among them. */
  properties: Record<string, Type.TSchema>;
  rules?: object[];
  listings?: Listing[];
  check?(request: Request, sizes: Readonly<Record<string, Size>>): RuleFailure[];
  complete?(request: Request, random: () => number): Request;
  /** The image that the result has the size of, where that is not `image` and nothing else is checked. */
  sizedBy?: string;
  /** The fields that name images. */
  images: (keyof Request & string)[];
  task: T;
  /** The catalogue's name, where it is not the operation's. */
  model?: string;
  role?: Role;
  /** For the operator's eyes: `×4`. */
  detail?(request: Request): string;
  /** The parameters of the task, but for what every task takes; an image of a field is `{ $imageOf: field }`. */
  params(request: Request): { [K in Exclude<keyof Tasks[T], keyof ImageRequest>]: unknown };
}

export function imageOperation<Request extends ImageRequest, T extends Task>(options: Options<Request, T>): Operation {
  const { name, summary, description, example, images, task, role, model = name } = options;
  return defineOperation<Request, Request>({
    name,
    domain: options.domain ?? 'artworks-internal',
    summary,
    description,
    example,
    request: requestBody({ ...options.properties, ...fields.creationFields }, options.rules),
    listings: options.listings ?? [],
    check: options.check ?? ((request, sizes) => refuseFormat(sizes[options.sizedBy ?? 'image'], request.outputFormat)),
    complete: options.complete ?? ((request) => request),
    plan(request) {
      const { nsfw, outputFormat } = request;
      const sources = Object.fromEntries(images.map((field) => [field, request[field] as string | undefined]));
      const params = { ...options.params(request), nsfw, outputFormat };
      const detail = options.detail?.(request);
      const line = detail ? `${name} · ${detail}` : name;
      const call = { id: 'result', task, model, summary: line, params, ...(role && { role }) };
      return { prompt: null, stages: [takeIn(sources, nsfw), { name: 'make', calls: [call] }] };
    },
  });
}

/** Stands for an input image in the parameters of a later call. */
export const imageOf = (field: string) => ({ $imageOf: field });
