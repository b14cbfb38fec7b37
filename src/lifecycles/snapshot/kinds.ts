/**
 * The kinds of the snapshot lifecycle in the API (`lifehook.dev/v1alpha1`); names of finalizers, annotations and labels
 * are in `names.ts`. Codes are headings in docs/requirements. Times are RFC 3339 with microseconds unless stated
 * otherwise; seconds are whole numbers.
 */
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';

import type { Condition } from '../../controller/conditions.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';
import { makeResource } from '../../kube/resources.ts';
import type {
  HookAction,
  LockScope,
  Rescue,
  RescueSource,
  ResolvedAction,
} from './action-kinds.ts';
import type { ActionAttempt } from './attempt-kinds.ts';
import type { HookEvidence, Verdict } from './evidence-kinds.ts';

/** ExecuteOnce: one of the selected pods, with all its selected containers (SNAP-G6). */
export type HookPolicy = 'ExecuteOnce' | 'ExecuteAll';

export interface PodContainerNames {
  podName: string;
  containerNames: string[];
}

/** The actions of a hook, in a template or in the hook itself (SNAP-G1). */
export interface HookActions {
  /** Default: ExecuteAll (SNAP-G5). */
  policy?: HookPolicy;
  preAction?: HookAction;
  postAction?: HookAction;
  /** Whether the freeze is in force: exit code 0 means yes, 1 no. Runs after the preAction and after the cut. */
  probe?: { exec: { command: string[] }; timeoutSeconds?: number };
  /** Default: Process. */
  lockScope?: LockScope;
  /** Only for a Kernel lock. */
  rescue?: Rescue;
  /** A recipe instead of actions; `lifehook recipes list` lists them. */
  recipe?: { name: string; parameters?: Record<string, string> };
  /** Seconds from the first preAction to the thaw (SNAP-R22). */
  expirationSeconds?: number;
  /** The proposal's other spelling (SNAP-G2). */
  expirationTimeSeconds?: number;
}

/** Has its fields at the top level, without a spec (SNAP-R7). */
export interface ExecutionHookTemplate extends KubeObject, HookActions {}

/** The targets of a hook. If there is a list, the selectors are ignored (SNAP-R4). */
export interface HookTargets {
  podContainerNamesList?: PodContainerNames[];
  podSelector?: LabelSelector;
  /** The only key is `ContainerName`. */
  containerSelector?: Record<string, string>;
}

export interface ExecutionHookSpec extends HookTargets, HookActions {
  /** A template, or else actions in the hook: exactly one of the two (SNAP-G1). */
  executionHookTemplateName?: string;
  /** The behaviour if nothing is selected; default: Fail. */
  onNoTarget?: 'Fail' | 'Ignore';
}

export interface ExecutionHook extends KubeObject {
  spec: ExecutionHookSpec;
  status?: ExecutionHookStatus;
}

/** The actions at the start of the hook: in one spelling, and never changed afterwards (SNAP-G1, SNAP-I10). */
export interface ResolvedActions {
  policy: HookPolicy;
  preAction: ResolvedAction;
  /** Absent: there is nothing to undo, or the session has its own thaw. */
  postAction?: ResolvedAction;
  probe?: { command: string[]; timeoutSeconds: number };
  expirationSeconds?: number;
  lockScope?: LockScope;
  rescue?: Rescue;
  /** The origin of the actions, for messages: "template mysql", "recipe mariadb-lock". */
  origin: string;
}

export interface ExecutionHookStatus {
  observedGeneration?: number;
  /** Stored before anything runs. */
  resolved?: ResolvedActions;
  containerExecutionHookStatuses?: ContainerStatus[];
  /** Set once, never changed (SNAP-I6). */
  preActionSucceed?: boolean;
  postActionSucceed?: boolean;
  /** The cause and the time of the thaw; set once. */
  release?: { cause: ReleaseCause; at: string };
  conditions?: Condition[];
}

/**
 * Deleted: the hook was deleted (SNAP-R13). PreFailed: SNAP-G9. Expired: SNAP-R22. Cut: the snapshot controller has
 * seen the cut, and requests the thaw by the annotation RELEASE. Human: `lifehook snapshot thaw`. Broken: the freeze of
 * a target was lost (`freezeLost`), so the freeze of the others is useless.
 */
export type ReleaseCause = 'Deleted' | 'PreFailed' | 'Expired' | 'Cut' | 'Human' | 'Broken';

/**
 * post: the postAction. session: the session helper, at our request. deadman: the session helper by itself. broken: the
 * process that held the freeze has exited. gone: the pod has ended, or the container that held the freeze.
 * rescue: a rescue pod. released: a user has marked the thaw as done by hand.
 */
export type ThawedBy = 'post' | 'session' | 'deadman' | 'broken' | 'gone' | 'rescue' | 'released';

export interface ContainerStatus {
  podName: string;
  containerName: string;
  /** The identity of the pod: a later pod of the same name is another target. */
  podUID: string;
  containerID: string;
  restartCount: number;
  nodeName?: string;
  preActionStatus?: ActionStatus;
  postActionStatus?: ActionStatus;
  probes?: ProbeStatus[];
  /** The freeze was lost before its thaw was requested; set once. */
  freezeLost?: { at: string; reason: string };
  /** A loss that was seen when the cut was durable already: whether it happened before the cut is not known. */
  freezeDoubted?: { at: string; reason: string };
  /**
   * For a Kernel lock: the container has ended for good before a thaw was proven, so its volume may still be frozen.
   * Set once; `thawedBy` is set when that is settled.
   */
  thawUnproven?: { at: string; reason: string };
  /**
   * For a Kernel lock: the claims that the container mounts. No hook freezes one of them while the thaw is unproven.
   */
  claimNames?: string[];
  /** The parts of the target's pod that a rescue pod needs; absent: there is no rescue pod. */
  rescue?: RescueSource;
  thawedBy?: ThawedBy;
  /** For a held session: how the helper detects the lost connection (read -t, sleep, or end of input only). */
  holder?: { timing: 'read' | 'sleep' | 'eof'; windowSeconds: number };
}

export interface ActionStatus {
  /** The time when the first attempt was recorded, before it was sent (SNAP-R14); seconds are also read (SNAP-G7). */
  actionTimestamp?: string;
  actionSucceed?: boolean;
  error?: { time: string; message: string };
  /**
   * The first and the last started attempt, and the newest; in order. An attempt without `outcome` is an intent
   * (SNAP-I3).
   */
  attempts?: ActionAttempt[];
  /** The number of attempts that are not listed; none of them succeeded. */
  earlierAttempts?: number;
  /** The number of attempts, of all, that certainly did not start. */
  unstartedAttempts?: number;
  /** For a failed postAction that is retried slowly (SNAP-G15): the number of slow attempts at the end of the list. */
  slowAttempts?: number;
}

/** One probe for whether the freeze is in force, and its answer. */
export interface ProbeStatus {
  when: 'AfterFreeze' | 'AfterCut';
  at: string;
  outcome: 'Frozen' | 'NotFrozen' | 'Unknown';
  reason?: string;
}

export interface ExecutionHookInfo extends HookTargets {
  executionHookTemplateName?: string;
  recipe?: NonNullable<HookActions['recipe']>;
}

export interface ApplicationSnapshotSpec {
  /** Exactly one of the two. The selector supports matchLabels only (SNAP-CASE38). */
  source: {
    persistentVolumeClaimNames?: string[];
    selector?: {
      matchLabels?: Record<string, string>;
      /** Declared so that it is refused: otherwise the server would drop it silently, and more volumes would be cut. */
      matchExpressions?: NonNullable<LabelSelector['matchExpressions']>;
    };
  };
  /** Group: one VolumeGroupSnapshot, which needs the selector. Default: Single. */
  mode?: 'Single' | 'Group';
  volumeSnapshotClassName?: string;
  volumeGroupSnapshotClassName?: string;
  /** One ExecutionHook each, in this order (SNAP-R29). Absent: the annotations of the claims, else none. */
  executionHookInfos?: ExecutionHookInfo[];
  /** Seconds from the creation of the snapshots to the last cut; 1 to 3600, default 60. */
  cutDeadlineSeconds?: number;
  /** The field that shows that a volume is cut; default: the annotation of the class, else creationTime. */
  cutSignal?: CutSignal;
}

export type CutSignal = 'creationTime' | 'readyToUse';

export interface ApplicationSnapshot extends KubeObject {
  spec: ApplicationSnapshotSpec;
  status?: ApplicationSnapshotStatus;
}

/** Phases in order: only later ones follow, and Failed may follow any. */
export type SnapshotPhase =
  | 'Pending'
  | 'Freezing'
  | 'Cutting'
  | 'Thawing'
  | 'Finishing'
  | 'Completed'
  | 'Failed';

export interface ApplicationSnapshotStatus {
  observedGeneration?: number;
  phase?: SnapshotPhase;
  startedAt?: string;
  completedAt?: string;
  /** Fixed at the start (SNAP-I10). */
  volumes?: SnapshotVolume[];
  /** The infos of the hooks to create: from the spec or the claims, with targets filled in. Fixed at the start. */
  executionHookInfos?: ExecutionHookInfo[];
  volumeGroupSnapshotName?: string;
  /** Set once the object was created: it is never created again. */
  volumeGroupSnapshotUID?: string;
  /** Written before the hooks are created, and kept (SNAP-R12). */
  executionHookNames?: string[];
  /** Durable before the first VolumeSnapshot is created. */
  cutRequestedAt?: string;
  /** When we saw the last cut, before we requested the thaw: this order counts (SNAP-I2). */
  cutObservedAt?: string;
  /** Why the snapshot failed; the reason is one token. */
  failure?: { reason: string; message: string; at: string };
  /** The evidence of each hook, kept after the hook is deleted. */
  hooks?: HookEvidence[];
  verdict?: Verdict;
  conditions?: Condition[];
}

export interface SnapshotVolume {
  claimName: string;
  claimUID: string;
  volumeName: string;
  volumeHandle?: string;
  driver?: string;
  inUse: boolean;
  /** The class of the VolumeSnapshot; for a group, of the VolumeGroupSnapshot. */
  snapshotClassName: string;
  cutSignal: CutSignal;
  /** For a member of a group: set when the member exists. */
  volumeSnapshotName?: string;
  /** Set once the object was created: it is never created again. */
  volumeSnapshotUID?: string;
  /** Whether the cut contains this volume; absent until the cut was observed. */
  cut?: boolean;
  creationTime?: string;
  readyToUse?: boolean;
  /** Whether the snapshot is of one moment; false: its parts may be of different moments. */
  atomic?: boolean;
  /** The reason for `atomic`, as the snapshotter gives it. */
  atomicReason?: string;
}

const API_VERSION = 'lifehook.dev/v1alpha1';

export const executionHooks: Resource<ExecutionHook> = resourceOf('ExecutionHook');
export const executionHookTemplates: Resource<ExecutionHookTemplate> =
  resourceOf('ExecutionHookTemplate');
export const applicationSnapshots: Resource<ApplicationSnapshot> =
  resourceOf('ApplicationSnapshot');

function resourceOf<T extends KubeObject>(kind: string): Resource<T> {
  return makeResource({ apiVersion: API_VERSION, kind });
}
