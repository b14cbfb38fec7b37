import type { PipelinePhase } from '../hooks/model.ts';
import type { Masker } from '../../../model/secrets.ts';
import type { LifecycleEvent } from '../../../model/event.ts';

export type CallbackStatus = 'InProgress' | 'Completed' | 'Failed' | 'Skipped';

/** PIPE-V1, PIPE-V2: the type of a hook, such as "pre-build" or "post-sync" (PIPE-C12). */
export type CallbackType = `${'pre' | 'post' | 'error' | 'finally'}-${PipelinePhase}`;

/** A local address and its destination. */
export interface ForwardedAddress {
  readonly address: string;
  readonly localPort: number;
  /** The kind of the object, such as "service" or "pod". */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly port: number | string;
}

/**
 * Lines that were printed together. They equal `count` events of type `Output`, which are created only for readers that
 * need single events.
 */
export interface OutputLines {
  readonly type: 'OutputLines';
  readonly source: string;
  readonly stream: 'stdout' | 'stderr';
  /** At least one line; a line feed separates lines. */
  readonly text: string;
  /** Number of lines in `text`. */
  readonly count: number;
}

/** The time and the run of an event. */
export interface EventStamp {
  readonly atMs: number;
  readonly runId: string;
}

/** The last event of a session. */
export interface SessionEnd {
  readonly type: 'Ended';
  readonly exitCode: number;
  /** The exit code of the failed hook or program; absent: none failed. */
  readonly ownExitCode?: number;
  readonly message?: string;
}

/** The events of a pipeline. The terminal, NDJSON, SSE and the journal all get this one stream. */
export type PipelineEvent = EventStamp &
  (
    | {
        readonly type: 'HostCallbackEvent' | 'ContainerCallbackEvent';
        readonly callback: CallbackType;
        readonly address: string;
        readonly status: CallbackStatus;
        /** The message of a failure, or the reason why the hook was skipped. */
        readonly message?: string;
        readonly exitCode?: number;
        readonly durationMs?: number;
        /** The container of a container hook, as "namespace/pod/container". */
        readonly container?: string;
      }
    | {
        readonly type: 'PhaseEvent';
        readonly phase: PipelinePhase;
        readonly status: 'InProgress' | 'Succeeded' | 'Failed' | 'Skipped';
        /** The name of the image, module, verification or forwarded resource. */
        readonly subject?: string;
        readonly message?: string;
        readonly durationMs?: number;
        /** The number of changed files of a sync. */
        readonly fileCount?: number;
        /** The open port of a port-forward. */
        readonly forwarded?: ForwardedAddress;
      }
    /** PIPE-V3, PIPE-C11: the number of hooks of each type that skaffold.yaml defines. */
    | { readonly type: 'HookCounts'; readonly counts: Readonly<Record<string, number>> }
    | {
        readonly type: 'Output';
        readonly source: string;
        readonly stream: 'stdout' | 'stderr';
        readonly line: string;
      }
    /**
     * The local ports of `portForward` that were just closed, because the session reloads or ends, or a hook failed.
     */
    | { readonly type: 'PortsClosed'; readonly localPorts: readonly number[] }
    | { readonly type: 'Iteration'; readonly number: number; readonly changed: readonly string[] }
    | { readonly type: 'Warning'; readonly code: string; readonly message: string }
    | SessionEnd
  );

/** Masks those texts of an event that may quote the output of a program. */
export function maskEvent<E extends object>(event: E, masker: Pick<Masker, 'text'>): E {
  const { line, message } = event as { readonly line?: unknown; readonly message?: unknown };
  return {
    ...event,
    ...(typeof line === 'string' ? { line: masker.text(line) } : {}),
    ...(typeof message === 'string' ? { message: masker.text(message) } : {}),
  };
}

export type PipelineLifecycleEvent = LifecycleEvent<'pipeline', PipelineEvent>;

/**
 * Wraps a session's event in the envelope of all lifecycles. The end of a hook becomes the end of its last attempt.
 * Pure.
 */
export function pipelineEnvelope(detail: PipelineEvent): PipelineLifecycleEvent {
  const { runId: run, atMs } = detail;
  const event = { lifecycle: 'pipeline', run, atMs, attempt: null, detail } as const;
  if (detail.type !== 'HostCallbackEvent' && detail.type !== 'ContainerCallbackEvent') {
    return { ...event, target: {}, point: null };
  }
  const { address, container, callback: point, status, durationMs } = detail;
  const target = { hook: address, ...(container === undefined ? {} : { container }) };
  const hasEnded = durationMs !== undefined && (status === 'Completed' || status === 'Failed');
  if (!hasEnded) return { ...event, target, point };
  const outcome = status === 'Completed' ? 'Succeeded' : 'Failed';
  return { ...event, target, point, end: { outcome, durationMs } };
}
