/** Defines the hooks of a pipeline in one form, independent of the file that defines a hook. */
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

export const NO_HOOKS: StageHooks = { before: [], after: [], onError: [], finally: [] };

export interface PipelineHook {
  /** An address such as "build/web/after/0", with the prefix "module:" if there are several modules. */
  readonly address: string;
  /** The name in lifehook.yaml, or else the address. */
  readonly name: string;
  readonly phase: PipelinePhase;
  readonly when: When;
  readonly action: HostAction | ContainerAction;
  readonly policy: HookPolicy;
  readonly at: Position;
}

export interface HostAction {
  readonly kind: 'host';
  /** The argv; no shell runs it (PIPE-S4). */
  readonly command: readonly string[];
  /** The systems on which the hook runs; absent or empty: all. */
  readonly os?: readonly Goos[];
  /**
   * Absolute path; absent: the pipeline's workDir (PIPE-S10). In the file, it is relative to the module's directory.
   */
  readonly dir?: string;
  /** For hooks after render: the hook reads the manifests on stdin, and its stdout replaces them. */
  readonly withChange?: boolean;
}

export interface ContainerAction {
  readonly kind: 'container';
  readonly command: readonly string[];
  /** A glob as in skaffold. A sync hook may have none: it runs in the containers of the artifact's image. */
  readonly podName?: string;
  readonly containerName?: string;
  /** A plain prefix of the pod's name (PIPE-S8). */
  readonly podPrefix?: string;
}

/** The policy in lifehook.yaml. The defaults give the behaviour of a skaffold.yaml alone. */
export interface HookPolicy {
  /** The timeout of one attempt; null: there is none. */
  readonly timeoutSeconds: number | null;
  readonly retries: number;
  readonly backoffSeconds: number;
  readonly onFailure: 'fail' | 'warn' | 'ignore';
  /** changed: the hook runs only if the digest of its inputs differs from that at its last success. */
  readonly run: 'always' | 'changed' | 'once-per-session' | 'as-phase';
  /** Globs. A sync hook with paths runs only if a file that matches one of them is synced. */
  readonly paths: readonly string[];
  /** Hooks with the same lock never run in parallel, in any artifact. */
  readonly lock?: string;
  /** Whether the hook fails if no container matches. */
  readonly required: boolean;
  /**
   * Globs. A before hook of a build with inputs runs before tags and cache keys are created. `run: changed` compares
   * the matching files.
   */
  readonly inputs: readonly string[];
  /** Globs. Matching files are part of the artifact's cache key, but their changes start no iteration. */
  readonly outputs: readonly string[];
  /** Whether `::set-env` lines on the hook's stdout have an effect (PIPE-E1). Off by default. */
  readonly stdoutCommands: boolean;
  /** Names of the hook's values that are masked in all output. */
  readonly secrets: readonly string[];
  /**
   * For host hooks: what happens to processes of the hook's group that outlive it. Absent: they keep running, with a
   * warning.
   */
  readonly onLeftover?: 'wait' | 'terminate';
  /**
   * Names of harmless variables that the hook has or sets. Run records keep their values; of others, only the names.
   */
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
