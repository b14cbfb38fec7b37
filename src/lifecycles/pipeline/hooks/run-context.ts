/** What hooks of one session are run with. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Ledger } from '../../../engine/ledger.ts';
import type { ExecPort } from '../../../handlers/exec.ts';
import type { CancelSignal, Files, Platform } from '../../../platform/platform.ts';
import type { EventBody } from '../events/event-stream.ts';
import type { SessionValues } from '../values/session-values.ts';
import type { Contract } from './contract.ts';
import type { DecideFacts } from './decide.ts';
import type { HookHistory } from './history.ts';
import type { HookLocks } from './locks.ts';
import type { PipelineHook } from './model.ts';
import type { ContainerTarget } from './select-containers.ts';
import type { RunRecords } from './run-records.ts';

export interface HookRunContext {
  readonly platform: Pick<Platform, 'clock' | 'timers' | 'processes' | 'files'>;
  readonly ledger: Ledger;
  /** A new id for each run of a hook: what `pipeline rerun` takes. */
  readonly nextRunId: () => string;
  /** What `rerun` goes by: `runs` in the state folder. */
  readonly records: RunRecords;
  readonly cluster: ClusterPort | null;
  readonly callerEnv: Readonly<Record<string, string>>;
  readonly workDir: string;
  /** A folder of ours: what hooks write for us lies below it while they run. */
  readonly scratchFolder: string;
  /** For what lies there, and need not outlive a crash. */
  readonly scratch: Files;
  readonly values: SessionValues;
  readonly history: HookHistory;
  readonly locks: HookLocks;
  /** From 1. */
  readonly iteration: number;
  readonly tell: (event: EventBody) => void;
  /** Masks these secrets in what was told and recorded before they were known. */
  readonly maskEarlier: (secrets: readonly string[]) => Promise<void>;
  readonly compat: boolean;
  /** Ends what runs; it does not reach hooks of `onError` and `finally`. */
  readonly signal: CancelSignal;
  /** Of who has no patience left: it reaches those too. */
  readonly hurry: CancelSignal;
}

export interface ClusterPort {
  readonly exec: ExecPort;
  /** Every pod of these namespaces, now. */
  readonly pods: (namespaces: readonly string[]) => Promise<readonly Pod[]>;
  /** Values of the Secrets that the container is given, as far as they may be read. Never rejects. Absent: none are. */
  readonly secretsOf?: (target: ContainerTarget) => Promise<readonly string[]>;
}

/** One list of hooks, at its place. */
export interface HookList {
  readonly hooks: readonly PipelineHook[];
  readonly facts: DecideFacts;
  readonly contract: Contract;
  readonly containers: ContainerFacts | null;
  /** Of render: what goes in on stdin. */
  readonly manifests?: string;
}

export interface ContainerFacts {
  /** Those that were deployed to. */
  readonly namespaces: readonly string[];
  /** Of sync: the exact reference that the containers run. */
  readonly image: string | null;
  /** How long matching containers that do not run yet are waited for, milliseconds (PIPE-B2). */
  readonly waitMs: number;
  /** Of hooks after a deployment: what they go by instead of all pods of the namespaces. */
  readonly look?: () => Promise<PodsLook>;
}

/** The pods of a deployment as they are now. */
export interface PodsLook {
  /** Without those of templates that it replaces. */
  readonly pods: readonly Pod[];
  /** Some of its pods are still to be created. */
  readonly isMissing: boolean;
}

/** For hooks after a deploy, whose pods are about to start. */
export const CONTAINER_WAIT_MS = 60_000;
