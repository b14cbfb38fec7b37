/** Builds the parts of messages that both versions of the event API have. Pure. */
import type { PipelinePhase } from '../../hooks/model.ts';
import type { PipelineEvent } from '../pipeline-event.ts';
import type { ApiFacts } from './api-facts.ts';

type Phase = Extract<PipelineEvent, { type: 'PhaseEvent' }>;

/** One message of the stream, as JSON. */
export type ApiMessage = Readonly<Record<string, unknown>>;

/** The generic error code of each phase: the reason is in the message. */
export const UNKNOWN_OF: Readonly<Record<PipelinePhase, string>> = {
  build: 'BUILD_UNKNOWN',
  test: 'TEST_UNKNOWN',
  deploy: 'DEPLOY_UNKNOWN',
  render: 'UNKNOWN_ERROR',
  sync: 'UNKNOWN_ERROR',
  ready: 'UNKNOWN_ERROR',
  portForward: 'UNKNOWN_ERROR',
  verify: 'UNKNOWN_ERROR',
  cleanup: 'UNKNOWN_ERROR',
};

export interface ActionableError {
  readonly errCode: string;
  readonly message: string;
  readonly suggestions: readonly never[];
}

/** null: the phase has not failed. */
export function errorOf({ phase, status, message = '' }: Phase): ActionableError | null {
  if (status !== 'Failed') return null;
  return { errCode: UNKNOWN_OF[phase], message, suggestions: [] };
}

export interface ForwardedPort {
  readonly localPort: number;
  readonly [field: string]: unknown;
}

/** The open port in an event, in the form of the API. `iteration`: from 0. null: the event reports no open port. */
export function forwardedPort({ forwarded }: Phase, iteration: number): ForwardedPort | null {
  if (forwarded === undefined) return null;
  const { localPort, address, kind, name, namespace, port } = forwarded;
  const isNumber = typeof port === 'number';
  return {
    id: `${kind}-${name}`,
    task_id: `PortForward-${iteration}`,
    localPort,
    podName: kind === 'pod' ? name : '',
    containerName: '',
    namespace,
    portName: '',
    resourceType: kind,
    resourceName: name,
    address,
    targetPort: {
      type: isNumber ? 0 : 1,
      intVal: isNumber ? port : 0,
      strVal: isNumber ? '' : port,
    },
  };
}

/** The time of an event in RFC 3339. */
export function timestamp({ atMs }: Pick<PipelineEvent, 'atMs'>): string {
  return new Date(atMs).toISOString();
}

/** The file count of a sync event. */
export function syncedFiles({ subject = '', fileCount = 0 }: Phase): {
  readonly fileCount: number;
  readonly image: string;
} {
  return { fileCount, image: subject };
}

/** The first line of a session. */
export function entryOf({ program }: ApiFacts): string {
  return `Starting ${program}`;
}

/** The last message of a session. */
export function terminated({
  exitCode,
  message = '',
}: Extract<PipelineEvent, { type: 'Ended' }>): ApiMessage {
  if (exitCode === 0) return { status: 'Complete', err: null };
  return { status: 'Failed', err: { errCode: 'UNKNOWN_ERROR', message, suggestions: [] } };
}
