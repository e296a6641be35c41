/** Everything that an engine needs to know about the rest of the service. */
export type { Engine, EngineCall, EngineContext, EngineImage, EngineResult, ObsoleteJob } from './engine.ts';
export { EngineError } from './error.ts';
export { noFace, nothingFound } from './messages.ts';
export type { Remote, RemoteJob, SubmittedJob } from './remote.ts';
export * from './tasks.ts';
