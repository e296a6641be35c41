/**
 * The health check of the container images: exits with 0 when the process in this container responds. It does not check
 * what the process depends on: an outage of PostgreSQL or Temporal is no reason to replace containers.
 */
const url = `http://127.0.0.1:${process.env.ATELIER_METRICS_PORT}/health/live`;
const response = await fetch(url).catch(() => null);
process.exitCode = response?.ok ? 0 : 1;
