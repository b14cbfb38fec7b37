import type { PipelinePhase } from '../hooks/model.ts';

export type CallbackStatus = 'InProgress' | 'Completed' | 'Failed' | 'Skipped';

/** PIPE-V1, PIPE-V2: "pre-build", "post-sync", … (PIPE-C12). */
export type CallbackType = `${'pre' | 'post' | 'error' | 'finally'}-${PipelinePhase}`;

/** A local address and what it leads to. */
export interface ForwardedAddress {
  readonly address: string;
  readonly localPort: number;
  /** "service", "pod", … */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly port: number | string;
}

/** Lines that were printed together: as many events of the type `Output`, made only for those who read them one by one. */
export interface OutputLines {
  readonly type: 'OutputLines';
  readonly source: string;
  readonly stream: 'stdout' | 'stderr';
  /** At least one line, with a line feed between two. */
  readonly text: string;
  /** Lines in `text`. */
  readonly count: number;
}

/** When and in which run an event happened. */
export interface EventStamp {
  readonly atMs: number;
  readonly runId: string;
}

/** The last event of a session. */
export interface SessionEnd {
  readonly type: 'Ended';
  /** Of the process. */
  readonly exitCode: number;
  /** Of the hook or the program that failed; absent: none did. */
  readonly ownExitCode?: number;
  readonly message?: string;
}

/** What a pipeline tells: terminal, NDJSON, SSE and journal are fed from this one stream. */
export type PipelineEvent = EventStamp &
  (
    | {
        readonly type: 'HostCallbackEvent' | 'ContainerCallbackEvent';
        readonly callback: CallbackType;
        readonly address: string;
        readonly status: CallbackStatus;
        /** Of a failure; of what was skipped, why. */
        readonly message?: string;
        readonly exitCode?: number;
        readonly durationMs?: number;
        /** "namespace/pod/container" of container hooks. */
        readonly container?: string;
      }
    | {
        readonly type: 'PhaseEvent';
        readonly phase: PipelinePhase;
        readonly status: 'InProgress' | 'Succeeded' | 'Failed' | 'Skipped';
        /** The artifact, the module, the release. */
        readonly subject?: string;
        readonly message?: string;
        readonly durationMs?: number;
        /** Of sync: how many files have changed. */
        readonly fileCount?: number;
        /** Of portForward: what is open. */
        readonly forwarded?: ForwardedAddress;
      }
    /** PIPE-V3, PIPE-C11: hooks that are defined, by phase. */
    | { readonly type: 'HookCounts'; readonly counts: Readonly<Record<string, number>> }
    | {
        readonly type: 'Output';
        readonly source: string;
        readonly stream: 'stdout' | 'stderr';
        readonly line: string;
      }
    | { readonly type: 'Iteration'; readonly number: number; readonly changed: readonly string[] }
    | { readonly type: 'Warning'; readonly code: string; readonly message: string }
    | SessionEnd
  );
