/** One of our events as an entry of version 1 of the event API, which has neither log lines nor tasks. Pure. */
import type { PipelineEvent } from '../pipeline-event.ts';
import { type ApiFacts, metadataV1 } from './api-facts.ts';
import {
  type ApiMessage,
  entryOf,
  errorOf,
  type ForwardedPort,
  forwardedPort,
  syncedFiles,
  terminated,
  timestamp,
} from './api-parts.ts';

type Phase = Extract<PipelineEvent, { type: 'PhaseEvent' }>;

interface Entry {
  readonly event: ApiMessage;
  readonly entry: string;
}

/** null: it has nothing of this event. */
export function eventV1(event: PipelineEvent, facts: ApiFacts): ApiMessage | null {
  const found = entryV1(event, facts);
  return found === null ? null : { timestamp: timestamp(event), ...found };
}

function entryV1(event: PipelineEvent, facts: ApiFacts): Entry | null {
  if (event.type === 'HookCounts') {
    const metaEvent = { entry: entryOf(facts), metadata: metadataV1(facts) };
    return { event: { metaEvent }, entry: '' };
  }
  if (event.type === 'Ended') return { event: { terminationEvent: terminated(event) }, entry: '' };
  if (event.type !== 'PhaseEvent') return null;
  const port = forwardedPort(event);
  return port === null ? phaseEntry(event, facts) : portEntry(port);
}

function portEntry({ id: _id, task_id: _task, ...port }: ForwardedPort): Entry {
  const entry = `Forwarding container  to local port ${port.localPort}`;
  return { event: { portEvent: { ...port, remotePort: 0 } }, entry };
}

const WORDS = {
  InProgress: { status: 'In Progress', how: 'started' },
  Skipped: { status: 'Complete', how: 'completed' },
  Succeeded: { status: 'Complete', how: 'completed' },
  Failed: { status: 'Failed', how: 'failed' },
} as const;

function phaseEntry(event: Phase, { hostPlatform }: ApiFacts): Entry | null {
  const { phase, subject = '' } = event;
  const { status, how } = WORDS[event.status];
  const actionableErr = errorOf(event);
  const failure = failureOf(actionableErr);
  if (phase === 'build') {
    const body = { artifact: subject, status, ...failure, hostPlatform, targetPlatforms: '' };
    return { event: { buildEvent: body }, entry: `Build ${how} for artifact ${subject}` };
  }
  if (phase === 'deploy') {
    return { event: { deployEvent: { status, ...failure } }, entry: `Deploy ${how}` };
  }
  if (phase === 'test') {
    return { event: { TestEvent: { status, actionableErr } }, entry: `Test ${how}` };
  }
  return phase === 'sync' ? syncEntry(event, failure) : null;
}

function failureOf(actionableErr: ReturnType<typeof errorOf>): ApiMessage {
  const { message: err = '', errCode = 'OK' } = actionableErr ?? {};
  return { err, errCode, actionableErr };
}

/** It calls what is done "Succeeded", and not "Complete". */
function syncEntry(event: Phase, failure: ApiMessage): Entry {
  const { status, how } = WORDS[event.status];
  const files = syncedFiles(event);
  const isDone = status === 'Complete';
  const body = { ...files, status: isDone ? 'Succeeded' : status, ...failure };
  const entry = `File sync ${isDone ? 'succeeded' : how} for ${files.fileCount} files for ${files.image}`;
  return { event: { fileSyncEvent: body }, entry };
}
