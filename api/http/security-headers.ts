/** Headers of every response that limit what a browser does with it. */
import helmet from 'helmet';

/** Lets the documentation load files from its own origin only, over HTTPS or plain HTTP. No page may frame a response. */
const directives = {
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  fontSrc: ["'self'", 'data:'],
  upgradeInsecureRequests: null,
};

export const securityHeaders = helmet({ contentSecurityPolicy: { directives } });

/** The same for responses that do not pass through Express and contain nothing to load. */
export const plainSecurityHeaders = [
  "Content-Security-Policy: default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'Strict-Transport-Security: max-age=31536000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'Referrer-Policy: no-referrer',
];
