/** `operator files …`: checks the store of image files, and moves files from a folder to object storage. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Config } from '../runtime/config.ts';
import { tryLock } from '../runtime/lock.mjs';
import { checkFiles } from '../store/check-files.ts';
import { type CopyCounts, copyFiles } from '../store/copy-files.ts';
import { deleteCopied } from '../store/delete-copied.ts';
import { fileTimeouts } from '../runtime/timeouts.ts';
import { openFiles } from '../store/files.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { recordOwn } from './record-own.ts';

/** Copied files between two lines of progress. */
const progressInterval = 1000;

export function fileCommands(context: Context & { config: Config }): Command {
  const { db, config } = context;
  const files = new Command('files').description('check where image files are stored; move them to object storage');
  files
    .command('check')
    .description('write, read and remove a test file where ATELIER_FILES says')
    .action(async () => {
      const began = performance.now();
      await checkFiles(await openFiles(config.files, { timeout: fileTimeouts.operator }), fetch);
      print(context, { works: true, durationMs: Math.round(performance.now() - began) });
    });
  files
    .command('move')
    .description('copy image files from a folder to the object storage in ATELIER_FILES; can be repeated')
    .option('--from <folder>', 'the folder; default: the folder "images" in ATELIER_DATA')
    .option('--delete', 'copy nothing; delete from the folder the files that the object storage has')
    .action(async ({ from, delete: deletes = false }: { from?: string; delete?: boolean }) => {
      if (config.files.kind === 'folder') {
        throw new Error('ATELIER_FILES names no object storage. Set it to an address such as s3://bucket.');
      }
      const folder = from === undefined ? config.imagesFolder : resolve(from);
      if (!existsSync(folder)) throw new Error(`The folder ${folder} does not exist. Set ATELIER_DATA or --from.`);
      const lock = tryLock(`${folder}.moving`);
      if (!lock.held) throw new Error(`The process ${lock.pid} is moving ${folder}. Wait until it ends.`);
      try {
        const files = await openFiles(config.files, { timeout: fileTimeouts.operator });
        await recordOwn(context, { action: 'files.moved', target: 'images', changes: { deletes } });
        const onCopy = ({ copied }: CopyCounts) => {
          if (!context.isJson() && copied % progressInterval === 0) context.writeLine(`${copied} files copied`);
        };
        const counts = await (deletes ? deleteCopied(db, folder, files) : copyFiles({ db, folder, files, onCopy }));
        print(context, { from: folder, ...counts });
      } finally {
        lock.release();
      }
    });
  return files;
}
