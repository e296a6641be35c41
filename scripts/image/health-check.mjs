/** The health check of the container images: exits with 0 when the API or worker in this container is ready. */
const url = `http://127.0.0.1:${process.env.ATELIER_METRICS_PORT}/health/ready`;
const response = await fetch(url).catch(() => null);
process.exitCode = response?.ok ? 0 : 1;
