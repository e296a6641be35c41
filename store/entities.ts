/** The tables. A test checks that the migrations create them; triggers and functions exist in the migrations only. */
import { Organization, ApiKey, PreviousKey } from './entities/organization.ts';
import { AuditEntry, AuditSeal } from './entities/audit.ts';
import { Artwork, Image, Delivery, DueDelivery } from './entities/artwork.ts';
import { CallResult, CallMessage, FailedAttempt } from './entities/call.ts';
import { FailingDestination } from './entities/destination.ts';
import { Job, ObsoleteJob, EngineState, ConfiguredEngine, RunningCall, PollPermit } from './entities/provider.ts';
import { Style, UploadedFile } from './entities/input.ts';
import { Usage, UsageBatch, RateLimit, LedgerEntry } from './entities/account.ts';
import { WebhookSigningKey } from './entities/signing-key.ts';
import { LedgerMark, LedgerTotal, LedgerUnsettled } from './entities/ledger.ts';

export * from './entities/account.ts';
export * from './entities/artwork.ts';
export * from './entities/audit.ts';
export * from './entities/call.ts';
export * from './entities/destination.ts';
export * from './entities/input.ts';
export * from './entities/ledger.ts';
export * from './entities/organization.ts';
export * from './entities/provider.ts';
export * from './entities/signing-key.ts';

export const entities = [
  Organization,
  ApiKey,
  PreviousKey,
  WebhookSigningKey,
  Artwork,
  CallResult,
  CallMessage,
  FailedAttempt,
  Job,
  ObsoleteJob,
  EngineState,
  ConfiguredEngine,
  RunningCall,
  PollPermit,
  Image,
  Delivery,
  DueDelivery,
  FailingDestination,
  Style,
  UploadedFile,
  Usage,
  UsageBatch,
  AuditEntry,
  AuditSeal,
  RateLimit,
  LedgerEntry,
  LedgerMark,
  LedgerTotal,
  LedgerUnsettled,
];
