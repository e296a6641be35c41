/** All workflow types: the entry point of the workflow bundle. */
export { answer } from './answer.ts';
export { artwork } from './artwork.ts';
export { purgeFile } from './purge-file.ts';
