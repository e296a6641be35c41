/** Uploads images that later requests name by id. */
import type { UploadedFileView } from '../../schemas/uploaded-file.ts';
import { readPictureFile, refusePicture } from '../../images/header.ts';
import { Problem } from '../../services/problem.ts';
import { startUploadWorkflow } from '../../services/upload-workflow.ts';
import type { ApiKey } from '../../store/entities.ts';
import { saveUpload } from '../../store/uploads.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler } from '../http/handler.ts';
import { type ReceivedFile, withFileBody } from '../http/read-file-body.ts';

export function uploadFile(deps: Dependencies): Handler<'uploadFile'> {
  return async ({ request, response, key }) => {
    const view = await withFileBody(request, (file) => accept(deps, key, file));
    response.status(201).json(view);
  };
}

async function accept(deps: Dependencies, key: ApiKey, file: ReceivedFile): Promise<UploadedFileView> {
  const picture = await readPictureFile(file.path);
  if (!picture) throw new Problem('unsupported_media_type', { message: 'Send a PNG, JPEG or WebP image.' });
  const refusal = refusePicture(picture, file.size);
  if (refusal) {
    throw new Problem('validation_failed', { fields: [{ path: '', rule: 'image', message: refusal }] });
  }
  const now = deps.now();
  const id = deps.newId('file', now);
  const { contentType, width, height } = picture;
  const described = { id, contentType, width, height, bytes: file.size };
  const expiresAt = new Date(now + deps.config.retention);

  // The workflow that purges the file starts first, so that no crash can leave a file that is never purged.
  await startUploadWorkflow(deps, { id, org: key.org }, deps.config.retention);
  const createdAt = new Date(now);
  await saveUpload(deps.db, deps.files, { ...described, org: key.org, key: key.id, createdAt, expiresAt }, file);
  return { ...described, expiresAt: expiresAt.toISOString() };
}
