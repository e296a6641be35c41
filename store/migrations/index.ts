/** All migrations, oldest first. The explicit list does not depend on file names, which a bundle would lose. */
import { FirstTables } from './0001-first-tables.ts';
import { UploadedFiles } from './0002-uploaded-files.ts';
import { StylesAndAnswers } from './0003-styles-and-answers.ts';
import { Providers } from './0004-providers.ts';
import { LimitsUsageAudit } from './0005-limits-usage-audit.ts';
import { Credits } from './0006-credits.ts';
import { Redeliveries } from './0007-redeliveries.ts';
import { Feed, feedIndexes } from './0008-feed.ts';
import { Census, censusIndexes } from './0009-census.ts';
import { SubmissionLeases } from './0010-submission-leases.ts';
import { PollPermits } from './0011-poll-permits.ts';
import { DueDeliveries } from './0012-due-deliveries.ts';
import { RequestIds } from './0013-request-ids.ts';
import { UsageBatches } from './0014-usage-batches.ts';
import { ObsoleteJobs } from './0015-obsolete-jobs.ts';
import { Growth, growthIndexes } from './0016-growth.ts';
import { Environments } from './0017-environments.ts';
import { environmentIndexes, environmentSlices, ExistingEnvironments } from './0018-existing-environments.ts';
import { KeyOptions } from './0019-key-options.ts';
import { FailingDestinations } from './0020-failing-destinations.ts';
import { limitIndexes, OrganizationLimits } from './0021-organization-limits.ts';
import { AuditLog } from './0022-audit-log.ts';
import { AuditSeals, auditSealIndexes } from './0023-audit-seals.ts';
import { SigningKeys } from './0024-signing-keys.ts';
import { Erasure, erasureIndexes } from './0025-erasure.ts';
import type { MigrationStep } from './migration-step.ts';

export const migrations: readonly MigrationStep[] = [
  { name: '0001-first-tables', class: FirstTables },
  { name: '0002-uploaded-files', class: UploadedFiles },
  { name: '0003-styles-and-answers', class: StylesAndAnswers },
  { name: '0004-providers', class: Providers },
  { name: '0005-limits-usage-audit', class: LimitsUsageAudit },
  { name: '0006-credits', class: Credits },
  { name: '0007-redeliveries', class: Redeliveries },
  { name: '0008-feed', class: Feed, indexes: feedIndexes },
  { name: '0009-census', class: Census, indexes: censusIndexes },
  { name: '0010-submission-leases', class: SubmissionLeases },
  { name: '0011-poll-permits', class: PollPermits },
  { name: '0012-due-deliveries', class: DueDeliveries },
  { name: '0013-request-ids', class: RequestIds },
  { name: '0014-usage-batches', class: UsageBatches },
  { name: '0015-obsolete-jobs', class: ObsoleteJobs },
  { name: '0016-growth', class: Growth, indexes: growthIndexes },
  { name: '0017-environments', class: Environments },
  {
    name: '0018-existing-environments',
    class: ExistingEnvironments,
    indexes: environmentIndexes,
    slices: environmentSlices,
  },
  { name: '0019-key-options', class: KeyOptions },
  { name: '0020-failing-destinations', class: FailingDestinations },
  { name: '0021-organization-limits', class: OrganizationLimits, indexes: limitIndexes },
  { name: '0022-audit-log', class: AuditLog },
  { name: '0023-audit-seals', class: AuditSeals, indexes: auditSealIndexes },
  { name: '0024-signing-keys', class: SigningKeys },
  { name: '0025-erasure', class: Erasure, indexes: erasureIndexes },
];
