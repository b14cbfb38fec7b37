/** Hooks of a pipeline in one form, whichever of the two files defines them. */
import type { Position } from '../../../model/problem.ts';

/** GOOS values (PIPE-S6); "unix" is not one. */
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

export interface HookLists {
  readonly before: readonly PipelineHook[];
  readonly after: readonly PipelineHook[];
}

/** The hook lists of skaffold.yaml, and the two that only lifehook.yaml has. */
export interface StageHooks extends HookLists {
  readonly onError: readonly PipelineHook[];
  readonly finally: readonly PipelineHook[];
}

export interface PipelineHook {
  /** "build/web/after/0", with the prefix "module:" if there are several modules. */
  readonly address: string;
  /** The name in lifehook.yaml; else the address. */
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
  /** Absent: all systems. */
  readonly os?: readonly Goos[];
  /** Absolute; absent: the pipeline's workDir (PIPE-S10). In the file it is relative to the module's directory. */
  readonly dir?: string;
  /** For hooks after render: the hook reads the manifests on stdin, and its stdout replaces them. */
  readonly withChange?: boolean;
}

export interface ContainerAction {
  readonly kind: 'container';
  readonly command: readonly string[];
  /** A glob as in skaffold. Absent for sync hooks: the containers of the artifact's image. */
  readonly podName?: string;
  readonly containerName?: string;
  /** The plain prefix of the document (PIPE-S8). */
  readonly podPrefix?: string;
}

/** The policy in lifehook.yaml; the defaults are the behaviour of skaffold.yaml alone. */
export interface HookPolicy {
  /** The timeout of one attempt; null: none. */
  readonly timeoutSeconds: number | null;
  readonly retries: number;
  readonly backoffSeconds: number;
  readonly onFailure: 'fail' | 'warn' | 'ignore';
  /** changed: only if the digest of its inputs differs from that at its last success. */
  readonly run: 'always' | 'changed' | 'once-per-session' | 'as-phase';
  /** Globs; for sync: the hook runs only if one of these files is synced. */
  readonly paths: readonly string[];
  /** Hooks with the same lock never run in parallel, in any artifact. */
  readonly lock?: string;
  /** Whether the hook fails if no container matches. */
  readonly required: boolean;
  /** Globs: the hook runs before tags and cache keys are created; part of `changed`. */
  readonly inputs: readonly string[];
  /** Globs: part of the artifact's cache key, and no change for the watcher. */
  readonly outputs: readonly string[];
  /** Whether the document's `::set-env` lines have an effect (PIPE-E1). Off by default. */
  readonly stdoutCommands: boolean;
  /** Names of its values that are masked in all output. */
  readonly secrets: readonly string[];
  /**
   * For host hooks: how processes of its group that outlive it are handled. Absent: a warning, and they keep running.
   */
  readonly onLeftover?: 'wait' | 'terminate';
  /** Names of harmless variables that it has or sets: run records keep their values, and only the names of others. */
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
