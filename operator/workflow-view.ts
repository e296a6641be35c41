/** Reads the state and the history of a workflow from Temporal, for people. */
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

/** Milliseconds for Temporal, and for a worker that returns the details. */
const timeout = 5000;

type Description = WorkflowExecutionDescription['raw'];
type Timestamp = { seconds?: unknown; nanos?: number | null } | null | undefined;

export interface WorkflowView {
  id: string;
  type: string;
  status: string;
  taskQueue: string;
  startedAt: string;
  closedAt: string | null;
  events: number;
  bytes: number | null;
  /** Activities that have not ended. */
  activities: string[];
  /** The workflow task that a worker has not completed. After failures, it has an attempt above 1. */
  workflowTask: string | null;
  /** The progress that the Temporal UI shows; empty if no worker responds. */
  details: string[];
}

/** @throws WorkflowNotFoundError */
export async function describeWorkflow(temporal: Client, id: string): Promise<WorkflowView> {
  const handle = temporal.workflow.getHandle(id);
  const found = await temporal.connection.withDeadline(Date.now() + timeout, () => handle.describe());
  const { type, status, taskQueue, startTime, closeTime, historyLength, historySize, raw } = found;
  return {
    ...{ id, type, status: status.name, taskQueue },
    ...{ startedAt: startTime.toISOString(), closedAt: closeTime?.toISOString() ?? null },
    ...{ events: historyLength, bytes: historySize ?? null },
    activities: (raw.pendingActivities ?? []).map(describeActivity),
    workflowTask: describeTask(raw.pendingWorkflowTask),
    details: await readDetails(temporal, id),
  };
}

function describeActivity(activity: NonNullable<Description['pendingActivities']>[number]): string {
  const { activityType, attempt, lastFailure, scheduledTime, lastWorkerIdentity, activityOptions } = activity;
  const parts = [`${activityType?.name ?? 'activity'}, attempt ${attempt ?? 1}`];
  if (activityOptions?.taskQueue?.name) parts.push(`queue ${activityOptions.taskQueue.name}`);
  if (lastWorkerIdentity) parts.push(`worker ${lastWorkerIdentity}`);
  if (lastFailure?.message) parts.push(`last failure: ${lastFailure.message}`);
  const next = iso(scheduledTime);
  if (next !== null && Date.parse(next) > Date.now()) parts.push(`next at ${next}`);
  return parts.join(', ');
}

function describeTask(task: Description['pendingWorkflowTask']): string | null {
  if (!task) return null;
  return `attempt ${task.attempt ?? 1}, scheduled at ${iso(task.scheduledTime) ?? 'an unknown time'}`;
}

async function readDetails(temporal: Client, id: string): Promise<string[]> {
  const handle = temporal.workflow.getHandle(id);
  const query = () => handle.query<{ currentDetails?: string }, []>('__temporal_workflow_metadata');
  const metadata = await temporal.connection.withDeadline(Date.now() + timeout, query).catch(() => null);
  return (metadata?.currentDetails ?? '').split('\n').filter((line) => line !== '');
}

export interface EventView {
  event: number;
  at: string | null;
  type: string;
  /** The name of the activity, timer or signal, and a failure's message. */
  about: string | null;
}

/** @throws WorkflowNotFoundError */
export async function listEvents(temporal: Client, id: string): Promise<EventView[]> {
  const handle = temporal.workflow.getHandle(id);
  const { events } = await temporal.connection.withDeadline(Date.now() + timeout, () => handle.fetchHistory());
  return (events ?? []).map((event) => {
    const attributes = attributesOf(event);
    const about = [
      attributes.activityType?.name ?? attributes.signalName ?? localActivity(attributes),
      decode<string>(event.userMetadata?.summary?.data),
      attributes.failure?.message,
    ];
    return {
      event: Number(event.eventId),
      at: iso(event.eventTime),
      type: nameOf(event),
      about: about.filter((text) => text).join(' ') || null,
    };
  });
}

interface Attributes {
  activityType?: { name?: string };
  signalName?: string;
  /** Of a marker: its name, and the data of a local activity. */
  markerName?: string;
  details?: Record<string, { payloads?: { data?: Uint8Array | null }[] }>;
  failure?: { message?: string };
}

const localActivity = ({ markerName, details }: Attributes): string | undefined =>
  decode<{ activity_type?: string }>(details?.['data']?.payloads?.[0]?.data)?.activity_type ?? markerName;

const decode = <T>(data: Uint8Array | null | undefined): T | undefined =>
  data ? (JSON.parse(Buffer.from(data).toString()) as T) : undefined;

type Event = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>[number];

/** Each event has one field with the attributes of its type, such as `timerStartedEventAttributes`. */
const suffix = 'EventAttributes';

function attributesName(event: Event): string | undefined {
  return Object.keys(event).find((name) => name.endsWith(suffix) && event[name as keyof Event] != null);
}

const attributesOf = (event: Event): Attributes =>
  (event[attributesName(event) as keyof Event] ?? {}) as unknown as Attributes;

const nameOf = (event: Event): string => (attributesName(event) ?? 'unknown').replace(suffix, '');

function iso(time: Timestamp): string | null {
  if (!time) return null;
  return new Date(Number(time.seconds ?? 0) * 1000 + (time.nanos ?? 0) / 1e6).toISOString();
}
