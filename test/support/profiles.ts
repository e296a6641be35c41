/** The services that test files share. A file that needs other settings, or stops processes, starts its own stack. */
import type { StackOptions } from './stack.ts';
import { instantWorker } from './timed.ts';

type ProfileOptions = Pick<StackOptions, 'apis' | 'workers' | 'workerEntry' | 'env'>;

export const profiles = {
  /** Makes artworks with the embedded engines. */
  embedded: { apis: 1, workers: 1, env: { ATELIER_WEBHOOK_SCHEDULE: '0s,1s,5s' } },
  /** Makes artworks whose pictures take no time, with default settings. */
  quick: { apis: 2, workers: 1, workerEntry: instantWorker },
  /** Accepts artworks and makes none. It rejects addresses of this machine, as in production. */
  accepting: {
    apis: 2,
    workers: 0,
    env: {
      ATELIER_ALLOWED_HOSTS: '',
      ATELIER_ANSWER_TIMEOUT: '50ms',
      ATELIER_PUBLIC_URL: 'https://api.example.com/',
    },
  },
} satisfies Record<string, ProfileOptions>;

export type Profile = keyof typeof profiles;
