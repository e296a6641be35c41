/** Uploads, lists, reads and deletes images that later requests name by id. */
import type { Use } from '../../schemas/object-access.ts';
import type { UploadedFileView } from '../../schemas/uploaded-file.ts';
import { readPictureFile, refusePicture } from '../../images/header.ts';
import { invalidRequest, Problem } from '../../services/problem.ts';
import { terminateWorkflow } from '../../services/signal-workflow.ts';
import { startUploadWorkflow } from '../../services/upload-workflow.ts';
import type { ApiKey, UploadedFile } from '../../store/entities.ts';
import { deleteUpload, findUpload, listUploads, saveUpload } from '../../store/uploads.ts';
import type { Dependencies } from '../dependencies.ts';
import { confirmKey } from '../http/authenticate.ts';
import { authorOf, type Handler } from '../http/handler.ts';
import { pageOf, toPage } from '../http/page.ts';
import { type ReceivedFile, withFileBody } from '../http/read-file-body.ts';
import { withUploadLimits } from '../http/upload-limits.ts';

export function uploadFile(deps: Dependencies): Handler<'uploadFile'> {
  return async ({ request, response, key }) => {
    const since = performance.now();
    const view = await withUploadLimits(deps, key, (admit) =>
      withFileBody(request, admit, async (file) => {
        await confirmKey(deps, request, response, since);
        return accept(deps, key, file);
      }),
    );
    response.status(201).json(view);
  };
}

export function listFiles(deps: Dependencies): Handler<'listFiles'> {
  return async ({ request, response, key }) => {
    const { limit, cursor } = pageOf(request);
    const rows = await listUploads(deps.db, key, { limit: limit + 1, before: cursor }, new Date(deps.now()));
    response.json(toPage(rows, limit, view));
  };
}

export function readFile(deps: Dependencies): Handler<'readFile'> {
  return async ({ response, key, params }) => {
    response.json(view(await findFile(deps, key, params.id, 'read')));
  };
}

/** The workflow of the file continues, and finds nothing to purge. */
export function deleteFile(deps: Dependencies): Handler<'deleteFile'> {
  return async (call) => {
    const file = await findFile(deps, call.key, call.params.id, 'change');
    await deleteUpload(deps.db, deps.files, file, new Date(deps.now()), authorOf(call));
    call.response.status(204).end();
  };
}

/** @throws Problem `not_found` when there is no such file, it has expired, or the key may not use it */
async function findFile({ db, now }: Dependencies, key: ApiKey, id: string, use: Use): Promise<UploadedFile> {
  const file = await findUpload(db, key, id, use, new Date(now()));
  if (file) return file;
  const named = use === 'read' ? 'such file' : 'file with this id that this key can delete';
  throw new Problem('not_found', { message: `There is no ${named}, or it has expired.` });
}

async function accept(deps: Dependencies, key: ApiKey, file: ReceivedFile): Promise<UploadedFileView> {
  const picture = await readPictureFile(file.path);
  if (!picture) throw new Problem('unsupported_media_type', { message: 'Send a PNG, JPEG or WebP image.' });
  const refusal = refusePicture(picture, file.size);
  if (refusal) {
    throw invalidRequest({ path: '', rule: 'image', message: refusal });
  }
  const now = deps.now();
  const id = deps.newId('file', now);
  const { contentType, width, height } = picture;
  const described = { id, contentType, width, height, bytes: file.size };
  const expiresAt = new Date(now + deps.config.retention);

  // The workflow that purges the file starts first, so that no crash can leave a file that is never purged.
  await startUploadWorkflow(deps, { id, org: key.org }, deps.config.retention);
  const createdAt = new Date(now);
  const upload = { ...described, org: key.org, key: key.id, createdAt, expiresAt };
  if (!(await saveUpload(deps.db, deps.files, upload, file))) {
    await terminateWorkflow(deps, id, 'the organization was erased');
    throw new Problem('invalid_api_key');
  }
  return view({ ...described, expiresAt });
}

type Described = Pick<UploadedFile, keyof UploadedFileView>;

const view = ({ id, contentType, width, height, bytes, expiresAt }: Described) => ({
  ...{ id, contentType, width, height, bytes },
  expiresAt: expiresAt.toISOString(),
});
