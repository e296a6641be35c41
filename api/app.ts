/** Assembles the HTTP application: middleware for every request, then the endpoints, then 404 and errors. */
import express, { type Express, type RequestHandler } from 'express';
import { readiness } from '../runtime/dependency-checks.ts';
import type { Dependencies } from './dependencies.ts';
import { mountDocs } from './openapi/docs.ts';
import { invalidRequest } from '../services/problem.ts';
import { endUnreadResponses } from './http/end-unread-responses.ts';
import { errorHandler, notFound } from './http/errors.ts';
import { allEndpoints } from '../services/operations.ts';
import { mountPlayground } from './playground/mount.ts';
import { closeFloods, limitPipelining } from './http/limit-pipelining.ts';
import { logRequests } from './http/log-requests.ts';
import { measureRequests } from './http/measure.ts';
import { noStore } from './http/no-store.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { Handlers } from './http/handler.ts';
import { endpointRoutes, mount, refuseMethod } from './http/router.ts';
import { listArtworks } from './routes/artwork-list.ts';
import { listDeliveries, readArtwork } from './routes/artworks.ts';
import { streamEvents } from './routes/events.ts';
import { deleteFile, listFiles, readFile, uploadFile } from './routes/files.ts';
import { cancelArtwork, deleteArtwork, redeliverArtwork, updateArtwork } from './routes/artwork-actions.ts';
import { readImage } from './routes/images.ts';
import { describeService, health, live, retired } from './routes/metadata.ts';
import { createKey, listKeys, readKey, revokeKey, rollKey, updateKey } from './routes/keys.ts';
import { operationRoutes } from './routes/operations.ts';
import { readOrganization, rotateSecret } from './routes/organizations.ts';
import { deleteWebhookSigningKey, readWebhookSigningKey, rotateWebhookSigningKey } from './routes/signing-key.ts';
import { deleteStyle, listStyles, readStyle } from './routes/styles.ts';
import { readTimeline } from './routes/timeline.ts';
import { listWebhookDestinations, resumeWebhookDestination } from './routes/webhook-destinations.ts';
import { readUsage } from './routes/usage.ts';
import { readLimits } from './routes/usage-limits.ts';
import { listAudit } from './routes/audit.ts';
import { createValidator } from '../services/validate.ts';
import { addVersionPrefix, escapeInvalidEncoding } from './http/paths.ts';

export function createApp(deps: Dependencies): Express {
  const app = express();
  app.set('case sensitive routing', true);
  app.set('query parser', 'simple');
  app.set('trust proxy', deps.config.trustedProxies);
  app.disable('etag');
  // First, because a flood would fill the log.
  app.use(closeFloods);
  app.use(logRequests(deps));
  app.use(measureRequests(deps));
  app.use(closeWhenStopping(deps));
  app.use(securityHeaders);
  app.use(endUnreadResponses());
  app.use(limitPipelining);
  app.use(requireHost);
  app.use('/v1', retired(deps));

  const publicEndpoints = allEndpoints(deps.operations);
  const system = {
    '/': describeService(deps, publicEndpoints),
    '/health': health(deps),
    ...Object.fromEntries(Object.entries(readiness).map(([path, required]) => [path, health(deps, required)])),
    '/health/live': live,
  };
  for (const [path, handler] of Object.entries(system)) {
    app
      .route(path)
      .get(handler)
      .all(refuseMethod(['GET']));
  }
  mountDocs(app, publicEndpoints);
  mountPlayground(app, deps.config.links === 'redirect' ? deps.files.origin : null);

  app.use(addVersionPrefix, escapeInvalidEncoding, noStore);
  const validator = createValidator(deps.config);
  const handlers: Handlers = {
    listArtworks: listArtworks(deps),
    readArtwork: readArtwork(deps),
    cancelArtwork: cancelArtwork(deps),
    deleteArtwork: deleteArtwork(deps),
    updateArtwork: updateArtwork(deps),
    redeliverArtwork: redeliverArtwork(deps),
    streamEvents: streamEvents(deps),
    readTimeline: readTimeline(deps),
    listDeliveries: listDeliveries(deps),
    readImage: readImage(deps),
    listStyles: listStyles(deps),
    readStyle: readStyle(deps),
    deleteStyle: deleteStyle(deps),
    uploadFile: uploadFile(deps),
    listFiles: listFiles(deps),
    readFile: readFile(deps),
    deleteFile: deleteFile(deps),
    readOrganization: readOrganization(deps),
    createKey: createKey(deps),
    listKeys: listKeys(deps),
    readKey: readKey(deps),
    updateKey: updateKey(deps),
    rollKey: rollKey(deps),
    revokeKey: revokeKey(deps),
    rotateSecret: rotateSecret(deps),
    rotateWebhookSigningKey: rotateWebhookSigningKey(deps),
    readWebhookSigningKey: readWebhookSigningKey(deps),
    deleteWebhookSigningKey: deleteWebhookSigningKey(deps),
    listWebhookDestinations: listWebhookDestinations(deps),
    resumeWebhookDestination: resumeWebhookDestination(deps),
    listAudit: listAudit(deps),
    readUsage: readUsage(deps),
    readLimits: readLimits(deps),
  };
  mount(app, [
    ...deps.operations.flatMap((operation) => operationRoutes(deps, validator, operation)),
    ...endpointRoutes(deps, validator, handlers),
  ]);
  app.use(notFound);
  app.use(errorHandler(deps));
  return app;
}

/** Rejects HTTP/1.1 requests without a Host header. Node itself would respond without a body. */
const requireHost: RequestHandler = ({ headers, httpVersion }, _response, next) => {
  const failure = { path: '/Host', rule: 'header', message: 'is required' };
  const isMissing = headers.host === undefined && httpVersion === '1.1';
  next(isMissing ? invalidRequest(failure) : undefined);
};

/** Closes the connection after each response while the process stops. An open connection would delay the stop. */
const closeWhenStopping =
  ({ stopping }: Dependencies): RequestHandler =>
  (_request, response, next) => {
    if (stopping.aborted) response.set('Connection', 'close');
    next();
  };
