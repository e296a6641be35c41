/**
 * Converts histories to and from the JSON of Temporal's own tools. The SDK's functions (`historyToJSON`) fail when npm has
 * installed protobufjs more than once; these use the copy that the types belong to.
 */
import { createRequire } from 'node:module';
import type { temporal } from '@temporalio/proto';

export type History = temporal.api.history.v1.IHistory;

interface ProtoJson {
  toJson(type: unknown, message: object): unknown;
  fromJson(type: unknown, json: unknown, options?: { ignoreUnknownFields?: boolean }): object;
}

interface Proto {
  temporal: typeof temporal;
  lookupType(name: string): unknown;
}

const require = createRequire(import.meta.url);
const proto = require('@temporalio/proto') as Proto;
const { toJson, fromJson } = createRequire(require.resolve('@temporalio/proto'))(
  'protobufjs/ext/protojson',
) as ProtoJson;
const type = proto.lookupType('temporal.api.history.v1.History');

export function toText(history: History): string {
  const message = proto.temporal.api.history.v1.History.fromObject(history);
  return `${JSON.stringify(toJson(type, message), null, 1)}\n`;
}

export function fromText(text: string): History {
  return fromJson(type, JSON.parse(text), { ignoreUnknownFields: true });
}
