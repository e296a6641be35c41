/** Reads the JSON body of an authenticated request, whose key must still be valid when it has arrived. */
import type { Request, Response } from 'express';
import { pauseDeadline } from '../../runtime/deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { confirmKey } from './authenticate.ts';
import { type BodyOptions, readJsonBody } from './read-json-body.ts';

/** @throws as `readJsonBody` and `confirmKey` */
export async function readConfirmedBody(
  deps: Dependencies,
  request: Request,
  response: Response,
  options: BodyOptions,
): Promise<unknown> {
  const since = performance.now();
  const body = await pauseDeadline(() => readJsonBody(request, options));
  await confirmKey(deps, request, response, since);
  return body;
}
