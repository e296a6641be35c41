/** The worker process, with the engines of the engines file or the embedded engines. */
import { classifier } from '../activities/content-checks.ts';
import { embedded, isEmbeddedInstalled } from '../engines/embedded.ts';
import { readEngines } from '../engines/read.ts';
import { readKey } from '../runtime/config.ts';
import { StartupError } from '../runtime/startup-error.ts';
import { runWorker } from './run.ts';

await runWorker(async ({ enginesFile, language, unjudged, workerRoles }) => {
  const runsEmbedded = workerRoles.has('embedded');
  if (runsEmbedded && enginesFile === null && !isEmbeddedInstalled()) {
    throw new StartupError(
      'The embedded engines are not installed: name a file that binds all models to providers in ATELIER_ENGINES, ' +
        'or install them with npm ci --omit=dev.',
    );
  }
  const local = embedded(language);
  const live = enginesFile === null ? local : await readEngines(enginesFile, local, readKey);
  // Workers check the images of the engines that they run.
  const runsEngines = runsEmbedded || workerRoles.has('providers');
  if (runsEngines && !live.models[classifier] && !unjudged) {
    throw new StartupError(
      'No classifier would check images for nsfw: false, because the embedded engines are not installed: ' +
        'install them with npm ci --omit=dev, or set ATELIER_UNJUDGED=allow.',
    );
  }
  return { live, test: embedded() };
});
