/** Hooks of a pipeline, as they stand in the two files, in one form. */
import type { Position } from '../../../model/problem.ts';

/** GOOS values (PIPE-S6); "unix" is none. */
export const GOOS = [
  'aix',
  'android',
  'darwin',
  'dragonfly',
  'freebsd',
  'hurd',
  'illumos',
  'ios',
  'js',
  'linux',
  'nacl',
  'netbsd',
  'openbsd',
  'plan9',
  'solaris',
  'wasip1',
  'windows',
  'zos',
] as const;

export type Goos = (typeof GOOS)[number];

export type PipelinePhase =
  | 'build'
  | 'test'
  | 'render'
  | 'deploy'
  | 'sync'
  | 'ready'
  | 'portForward'
  | 'verify'
  | 'cleanup';

export type When = 'before' | 'after' | 'onError' | 'finally';

/** As skaffold.yaml has them. */
export interface HookLists {
  readonly before: readonly PipelineHook[];
  readonly after: readonly PipelineHook[];
}

/** With what lifehook.yaml adds. */
export interface StageHooks extends HookLists {
  readonly onError: readonly PipelineHook[];
  readonly finally: readonly PipelineHook[];
}

export interface PipelineHook {
  /** "build/web/after/0", with "module:" before it where there are several modules. */
  readonly address: string;
  /** Of lifehook.yaml; else the address. */
  readonly name: string;
  readonly phase: PipelinePhase;
  readonly when: When;
  readonly action: HostAction | ContainerAction;
  readonly policy: HookPolicy;
  readonly at: Position;
}

export interface HostAction {
  readonly kind: 'host';
  /** argv, no shell (PIPE-S4). */
  readonly command: readonly string[];
  /** Absent: every system. */
  readonly os?: readonly Goos[];
  /** Absolute; absent: the pipeline's workDir (PIPE-S10). Relative to its module's folder where it is written. */
  readonly dir?: string;
  /** Render, after: the manifests go in on stdin, and what it prints replaces them. */
  readonly withChange?: boolean;
}

export interface ContainerAction {
  readonly kind: 'container';
  readonly command: readonly string[];
  /** A glob as shipped. Of sync hooks: absent, the containers of the artifact's image. */
  readonly podName?: string;
  readonly containerName?: string;
  /** The document's plain prefix (PIPE-S8). */
  readonly podPrefix?: string;
}

/** Of lifehook.yaml; the defaults are what skaffold.yaml alone means. */
export interface HookPolicy {
  /** Of one attempt; null: none. */
  readonly timeoutSeconds: number | null;
  readonly retries: number;
  readonly backoffSeconds: number;
  readonly onFailure: 'fail' | 'warn' | 'ignore';
  /** changed: only where its inputs' digest differs from its last success. */
  readonly run: 'always' | 'changed' | 'once-per-session' | 'as-phase';
  /** Globs: of sync, only when one of these files is synced. */
  readonly paths: readonly string[];
  /** Hooks with the same lock never run at once, in any artifact. */
  readonly lock?: string;
  /** That no container matches is a failure. */
  readonly required: boolean;
  /** Globs: before tags and cache keys are made; part of `changed`. */
  readonly inputs: readonly string[];
  /** Globs: part of the artifact's cache key, and nothing that the watcher sees as a change. */
  readonly outputs: readonly string[];
  /** The document's `::set-env` lines count (PIPE-E1). Off by default. */
  readonly stdoutCommands: boolean;
  /** Names of values of it that are masked wherever they show up. */
  readonly secrets: readonly string[];
  /** Of host hooks: processes of its group that outlive it. Absent: a warning, and they run on. */
  readonly onLeftover?: 'wait' | 'terminate';
  /** Names of harmless variables that it has or sets: the records of runs keep their values, and of others the names. */
  readonly recordedValues: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export const DEFAULT_POLICY: HookPolicy = {
  timeoutSeconds: null,
  retries: 0,
  backoffSeconds: 1,
  onFailure: 'fail',
  run: 'as-phase',
  paths: [],
  required: false,
  inputs: [],
  outputs: [],
  stdoutCommands: false,
  secrets: [],
  recordedValues: [],
  env: {},
};
