/** All workflow types: the entry point of the workflow bundle. */
export { artwork } from './artwork.ts';
export { purgeFile } from './purge-file.ts';
/** Histories contain the type `answer`. */
export { synchronousRequest as answer } from './synchronous-request.ts';
