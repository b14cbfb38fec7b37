/**
 * Serves the event API of skaffold over HTTP, next to our own stream:
 *   GET /v1/state, /v2/state     the current state
 *   GET /v1/events, /v2/events   {"result": message}, one per line, from the first kept one
 * A message has every field, even an empty one.
 */
import type { HttpServiceAnswer, HttpServiceRequest } from '../../../../platform/http-server.ts';
import type { CancelSignal } from '../../../../platform/platform.ts';
import type { EventStream } from '../event-stream.ts';
import type { PipelineEvent } from '../pipeline-event.ts';
import { ApiEvents } from './api-events.ts';
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
import { ApiState } from './api-state.ts';
import { encodeMessage } from './encode.ts';
import { MESSAGES } from './messages.ts';

type Stream = Pick<EventStream, 'subscribe' | 'listen'>;

export const API_PATHS: readonly string[] = ['/v1/state', '/v2/state', '/v1/events', '/v2/events'];

export class EventApi {
  readonly #stream: Stream;
  readonly #facts: ApiFacts;
  readonly #state: ApiState;

  /** Create it before the stream's first event, since it listens to all events. */
  constructor(stream: Stream, facts: ApiFacts) {
    this.#stream = stream;
    this.#facts = facts;
    this.#state = new ApiState(facts);
    stream.listen(this.#state.see);
  }

  state(version: 1 | 2): object {
    return version === 1 ? this.#state.v1() : this.#state.v2();
  }

  async *events(version: 1 | 2, signal: CancelSignal): AsyncGenerator<ApiMessage, void> {
    const events = new ApiEvents(this.#facts);
    for await (const item of this.#stream.subscribe(0, signal)) {
      if (item.kind === 'missed') continue;
      const one = version === 1 ? eventV1(item.event, this.#facts) : null;
      if (one !== null) yield one;
      if (version === 2) yield* events.v2(item.event);
    }
  }

  /** Answers a request; null: the path is not part of this API. */
  answer({ path, signal }: Pick<HttpServiceRequest, 'path' | 'signal'>): HttpServiceAnswer | null {
    if (!API_PATHS.includes(path)) return null;
    const version = path.startsWith('/v1/') ? 1 : 2;
    const body = path.endsWith('/state')
      ? JSON.stringify(this.state(version))
      : jsonLines(this.events(version, signal));
    return { status: 200, headers: JSON_TYPE, body };
  }
}

const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-store' };

async function* jsonLines(messages: AsyncIterable<ApiMessage>): AsyncGenerator<string, void> {
  for await (const result of messages) yield `${JSON.stringify({ result })}\n`;
}

/** Calls one method. Each item that it yields is one encoded message. */
export type GrpcMethod = (signal: CancelSignal) => AsyncIterable<Uint8Array>;

/** The methods of the event API over gRPC, by path. For any other method the server answers UNIMPLEMENTED (12). */
export function apiMethods(
  api: Pick<EventApi, 'state' | 'events'>,
): ReadonlyMap<string, GrpcMethod> {
  const state = (version: 1 | 2): GrpcMethod =>
    async function* answer() {
      yield encodeMessage(MESSAGES[version], 'State', api.state(version));
    };
  const events = (version: 1 | 2): GrpcMethod =>
    async function* answer(signal) {
      const name = version === 1 ? 'LogEntry' : 'Event';
      for await (const one of api.events(version, signal)) {
        yield encodeMessage(MESSAGES[version], name, one);
      }
    };
  return new Map([
    ['/proto.SkaffoldService/GetState', state(1)],
    ['/proto.SkaffoldService/Events', events(1)],
    ['/proto.SkaffoldService/EventLog', events(1)],
    ['/proto.v2.SkaffoldV2Service/GetState', state(2)],
    ['/proto.v2.SkaffoldV2Service/Events', events(2)],
  ]);
}

type Phase = Extract<PipelineEvent, { type: 'PhaseEvent' }>;

interface Entry {
  readonly event: ApiMessage;
  readonly entry: string;
}

/**
 * Converts an event into an entry of version 1 of the event API, which has neither log lines nor tasks.
 * null: version 1 has no entry for this event. Pure.
 */
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
  const port = forwardedPort(event, 0);
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

/** Version 1 calls a completed sync "Succeeded", not "Complete". */
function syncEntry(event: Phase, failure: ApiMessage): Entry {
  const { status, how } = WORDS[event.status];
  const files = syncedFiles(event);
  const isDone = status === 'Complete';
  const body = { ...files, status: isDone ? 'Succeeded' : status, ...failure };
  const entry = `File sync ${isDone ? 'succeeded' : how} for ${files.fileCount} files for ${files.image}`;
  return { event: { fileSyncEvent: body }, entry };
}
