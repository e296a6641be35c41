/** The HTTP surface: what every request passes, then the endpoints, then 404 and errors. */
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { endpoints } from '../schemas/endpoints.ts';
import type { Dependencies } from './dependencies.ts';
import { mountDocs } from './openapi/docs.ts';
import { Problem } from '../services/problem.ts';
import { notFound, onError } from './http/errors.ts';
import { allEndpoints } from '../services/operations.ts';
import { mountPlayground } from './playground/mount.ts';
import { logRequests } from './http/log-requests.ts';
import { measureRequests } from './http/measure.ts';
import { mount, refuseMethod, type Route } from './http/router.ts';
import { listArtworks } from './routes/artwork-list.ts';
import { listDeliveries, readArtwork } from './routes/artworks.ts';
import { streamEvents } from './routes/events.ts';
import { uploadFile } from './routes/files.ts';
import { cancelArtwork, deleteArtwork, redeliverArtwork, updateArtwork } from './routes/life.ts';
import { readImage } from './routes/images.ts';
import { describeService, health, live, retired } from './routes/metadata.ts';
import { createKey, listKeys, readKey, revokeKey, updateKey } from './routes/keys.ts';
import { operationRoutes } from './routes/operations.ts';
import { readOrganization, rotateSecret } from './routes/organizations.ts';
import { deleteStyle, listStyles, readStyle } from './routes/styles.ts';
import { readTimeline } from './routes/timeline.ts';
import { readUsage } from './routes/usage.ts';
import { listAudit } from './routes/audit.ts';
import { createValidator } from '../services/validate.ts';
import { literal, unversioned } from './http/paths.ts';

/** Behind TLS or on plain HTTP: the documentation loads its files from where it was loaded itself, and nothing else. */
const contentSecurityPolicy = {
  directives: { styleSrc: ["'self'", "'unsafe-inline'"], fontSrc: ["'self'", 'data:'], upgradeInsecureRequests: null },
};

export function createApp(deps: Dependencies): Express {
  const app = express();
  app.set('case sensitive routing', true);
  app.set('query parser', 'simple');
  app.set('trust proxy', deps.config.trustedProxies);
  app.disable('etag');
  app.use(logRequests(deps));
  app.use(measureRequests(deps));
  app.use(hangUpWhenStopping(deps));
  app.use(wantHost);
  app.use(helmet({ contentSecurityPolicy }));
  app.use('/v1', retired(deps));

  const publicEndpoints = allEndpoints(deps.operations);
  const system = {
    '/': describeService(deps, publicEndpoints),
    '/health': health(deps),
    '/health/ready': health(deps),
    '/health/live': live,
  };
  for (const [path, handler] of Object.entries(system)) {
    app
      .route(path)
      .get(handler)
      .all(refuseMethod(['GET']));
  }
  mountDocs(app, publicEndpoints);
  mountPlayground(app);

  app.use(unversioned, literal);
  const validator = createValidator(deps.config.allowedHosts);
  const routes: Route[] = [
    ...deps.operations.flatMap((operation) => operationRoutes(deps, operation)),
    { endpoint: endpoints.listArtworks, handler: listArtworks(deps) },
    { endpoint: endpoints.readArtwork, handler: readArtwork(deps) },
    { endpoint: endpoints.cancelArtwork, handler: cancelArtwork(deps) },
    { endpoint: endpoints.deleteArtwork, handler: deleteArtwork(deps) },
    { endpoint: endpoints.updateArtwork, handler: updateArtwork(deps) },
    { endpoint: endpoints.redeliverArtwork, handler: redeliverArtwork(deps) },
    { endpoint: endpoints.streamEvents, handler: streamEvents(deps) },
    { endpoint: endpoints.readTimeline, handler: readTimeline(deps) },
    { endpoint: endpoints.listDeliveries, handler: listDeliveries(deps) },
    { endpoint: endpoints.readImage, handler: readImage(deps) },
    { endpoint: endpoints.listStyles, handler: listStyles(deps) },
    { endpoint: endpoints.readStyle, handler: readStyle(deps) },
    { endpoint: endpoints.deleteStyle, handler: deleteStyle(deps) },
    { endpoint: endpoints.uploadFile, handler: uploadFile(deps) },
    { endpoint: endpoints.readOrganization, handler: readOrganization(deps) },
    { endpoint: endpoints.createKey, handler: createKey(deps) },
    { endpoint: endpoints.listKeys, handler: listKeys(deps) },
    { endpoint: endpoints.readKey, handler: readKey(deps) },
    { endpoint: endpoints.updateKey, handler: updateKey(deps) },
    { endpoint: endpoints.revokeKey, handler: revokeKey(deps) },
    { endpoint: endpoints.rotateSecret, handler: rotateSecret(deps) },
    { endpoint: endpoints.listAudit, handler: listAudit(deps) },
    { endpoint: endpoints.readUsage, handler: readUsage(deps) },
  ];
  mount(app, routes, { deps, validator });
  app.use(notFound);
  app.use(onError);
  return app;
}

/** HTTP/1.1 wants it. Node would refuse the request itself, with an empty answer. */
const wantHost: RequestHandler = ({ headers, httpVersion }, _response, next) => {
  const failure = { path: '/Host', rule: 'header', message: 'is required' };
  const isMissing = headers.host === undefined && httpVersion === '1.1';
  next(isMissing ? new Problem('validation_failed', { fields: [failure] }) : undefined);
};

/** A client that keeps its connection would otherwise be served until the drain's time is over. */
const hangUpWhenStopping =
  ({ stopping }: Dependencies): RequestHandler =>
  (_request, response, next) => {
    if (stopping.aborted) response.set('Connection', 'close');
    next();
  };
