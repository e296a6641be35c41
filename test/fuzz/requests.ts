/** Makes requests as Express passes them to handlers, without a connection. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request } from 'express';

export const app = express();
app.set('query parser', 'simple');
app.set('case sensitive routing', true);

interface Parts {
  method?: string;
  url?: string;
  /** Names in lower case. */
  headers?: Record<string, string>;
  body?: Buffer;
}

export function requestOf({ method = 'GET', url = '/', headers = {}, body }: Parts): Request {
  const message = new IncomingMessage(new Socket());
  const length = body ? { 'content-length': String(body.length) } : {};
  Object.assign(message, { method, url, headers: { ...length, ...headers } });
  message.push(body ?? null);
  if (body) message.push(null);
  // Otherwise, the client seems to have disconnected.
  message.complete = true;
  const request = Object.setPrototypeOf(message, app.request) as Request;
  request.app = app;
  request.res = Object.setPrototypeOf(new ServerResponse(message), app.response) as Express.Response & Request['res'];
  return request;
}
