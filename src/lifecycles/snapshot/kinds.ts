/**
 * The kinds of the snapshot lifecycle as they stand in the API (`lifehook.dev/v1alpha1`); their names for
 * finalizers, annotations and labels are in `names.ts`. Codes are headings in docs/requirements. Times are
 * RFC 3339 with microseconds unless said otherwise; seconds are whole numbers.
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

/** What a hook does, wherever it is written: in a template, or in the hook itself (SNAP-G1). */
export interface HookActions {
  /** ExecuteAll if not said (SNAP-G5). */
  policy?: HookPolicy;
  preAction?: HookAction;
  postAction?: HookAction;
  /** Whether the freeze is in force: exit code 0 says yes, 1 no. Asked after the preAction and after the cut. */
  probe?: { exec: { command: string[] }; timeoutSeconds?: number };
  /** Process if not given. */
  lockScope?: LockScope;
  /** Of a Kernel lock. */
  rescue?: Rescue;
  /** A recipe instead of actions: `lifehook recipes list`. */
  recipe?: { name: string; parameters?: Record<string, string> };
  /** From the first preAction to the thaw (SNAP-R22). */
  expirationSeconds?: number;
  /** The document's other spelling (SNAP-G2). */
  expirationTimeSeconds?: number;
}

/** Top-level fields, no spec (SNAP-R7). */
export interface ExecutionHookTemplate extends KubeObject, HookActions {}

/** Whom a hook is for. With a list the selectors don't count (SNAP-R4). */
export interface HookTargets {
  podContainerNamesList?: PodContainerNames[];
  podSelector?: LabelSelector;
  /** The only key is `ContainerName`. */
  containerSelector?: Record<string, string>;
}

export interface ExecutionHookSpec extends HookTargets, HookActions {
  /** Or actions of its own: exactly one of the two (SNAP-G1). */
  executionHookTemplateName?: string;
  /** What it means that nothing is selected: Fail if not said. */
  onNoTarget?: 'Fail' | 'Ignore';
}

export interface ExecutionHook extends KubeObject {
  spec: ExecutionHookSpec;
  status?: ExecutionHookStatus;
}

/** The actions as they were when the hook began: in one form, and unchanged from then on (SNAP-G1, SNAP-I10). */
export interface ResolvedActions {
  policy: HookPolicy;
  preAction: ResolvedAction;
  /** Absent: nothing to undo, or the session's own thaw. */
  postAction?: ResolvedAction;
  probe?: { command: string[]; timeoutSeconds: number };
  expirationSeconds?: number;
  lockScope?: LockScope;
  rescue?: Rescue;
  /** Where they come from, for people: "template mysql", "recipe mariadb-lock". */
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
  /** Why the thaw began, and when; set once. */
  release?: { cause: ReleaseCause; at: string };
  conditions?: Condition[];
}

/**
 * Deleted: by whoever made the hook (SNAP-R13). PreFailed: SNAP-G9. Expired: SNAP-R22. Cut: the snapshot controller has
 * seen the cut, and asks for the thaw by the annotation RELEASE. Human: `lifehook snapshot thaw`. Broken: a
 * target's freeze did not last (`freezeLost`), so that the others are frozen for nothing.
 */
export type ReleaseCause = 'Deleted' | 'PreFailed' | 'Expired' | 'Cut' | 'Human' | 'Broken';

/**
 * post: the postAction. session: the holder, when we told it. deadman: the holder by itself. broken: what
 * held the freeze has ended by itself. gone: the pod has ended, or the container that held the freeze.
 * rescue: the thaw, run by a rescue pod. released: a person took it on.
 */
export type ThawedBy = 'post' | 'session' | 'deadman' | 'broken' | 'gone' | 'rescue' | 'released';

export interface ContainerStatus {
  podName: string;
  containerName: string;
  /** Who it is: whatever comes under the same name later is somebody else. */
  podUID: string;
  containerID: string;
  restartCount: number;
  nodeName?: string;
  preActionStatus?: ActionStatus;
  postActionStatus?: ActionStatus;
  probes?: ProbeStatus[];
  /** It was frozen, and then something happened to it before the thaw was asked for; set once. */
  freezeLost?: { at: string; reason: string };
  /** The same, seen when the cut was durable already: whether it happened before the cut nobody knows. */
  freezeDoubted?: { at: string; reason: string };
  /**
   * Of a Kernel lock: the container ended for good before its thaw was proven, so that its volume may be frozen still.
   * Set once; `thawedBy` says when that is settled.
   */
  thawUnproven?: { at: string; reason: string };
  /** Of a Kernel lock: the claims that the container mounts. Nothing freezes one of them while the thaw is unproven. */
  claimNames?: string[];
  /** What a rescue pod needs of the target's pod; absent: there is no rescue. */
  rescue?: RescueSource;
  thawedBy?: ThawedBy;
  /** Of a held session: how its end is watched in the container: read -t, sleep, or end of input only. */
  holder?: { timing: 'read' | 'sleep' | 'eof'; windowSeconds: number };
}

export interface ActionStatus {
  /** When the first attempt was recorded, before anything was sent (SNAP-R14); also read as seconds (SNAP-G7). */
  actionTimestamp?: string;
  actionSucceed?: boolean;
  error?: { time: string; message: string };
  /** The first and the last that were started, and the newest; in order. The intent is one without `outcome` (SNAP-I3). */
  attempts?: ActionAttempt[];
  /** How many there were besides those; none of them succeeded. */
  earlierAttempts?: number;
  /** How many of all attempts are certain not to have started. */
  unstartedAttempts?: number;
  /** Of a postAction that has failed, and is tried on slowly (SNAP-G15): how many of the last attempts are those. */
  slowAttempts?: number;
}

/** One question whether the freeze is in force, and the answer. */
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
  /** Exactly one of the two. The selector takes matchLabels only (SNAP-CASE38). */
  source: {
    persistentVolumeClaimNames?: string[];
    selector?: {
      matchLabels?: Record<string, string>;
      /** Here to be refused: without it a server would drop it unseen, and more would be cut. */
      matchExpressions?: NonNullable<LabelSelector['matchExpressions']>;
    };
  };
  /** Group: one VolumeGroupSnapshot, which needs the selector. Single if not said. */
  mode?: 'Single' | 'Group';
  volumeSnapshotClassName?: string;
  volumeGroupSnapshotClassName?: string;
  /** One ExecutionHook each, in this order (SNAP-R29). Absent: the claims' annotation, else none. */
  executionHookInfos?: ExecutionHookInfo[];
  /** From the creation of the snapshots to the cut of the last; 1 to 3600, 60 if not said. */
  cutDeadlineSeconds?: number;
  /** What says that a volume is cut; the class's annotation if not said, else creationTime. */
  cutSignal?: CutSignal;
}

export type CutSignal = 'creationTime' | 'readyToUse';

export interface ApplicationSnapshot extends KubeObject {
  spec: ApplicationSnapshotSpec;
  status?: ApplicationSnapshotStatus;
}

/** Only ever goes to the right; Failed from anywhere. */
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
  /** Fixed at the beginning (SNAP-I10). */
  volumes?: SnapshotVolume[];
  /** Of each hook, as it is made: from the spec or the claims, targets filled in. Fixed at the beginning. */
  executionHookInfos?: ExecutionHookInfo[];
  volumeGroupSnapshotName?: string;
  /** Known once it was made: it is never made again. */
  volumeGroupSnapshotUID?: string;
  /** Written before the hooks are made, and kept (SNAP-R12). */
  executionHookNames?: string[];
  /** Durable before the first VolumeSnapshot is made. */
  cutRequestedAt?: string;
  /** When we saw that the last volume was cut, before we asked for the thaw: the order that counts (SNAP-I2). */
  cutObservedAt?: string;
  /** Why it failed: one word. */
  failure?: { reason: string; message: string; at: string };
  /** What was learned of each hook, kept when the hook is gone. */
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
  /** Of the VolumeSnapshot; of a group, that of the VolumeGroupSnapshot. */
  snapshotClassName: string;
  cutSignal: CutSignal;
  /** Of a member of a group: known when it is there. */
  volumeSnapshotName?: string;
  /** Known once it was made: it is never made again. */
  volumeSnapshotUID?: string;
  /** Whether the cut holds this volume; absent until the cut was observed. */
  cut?: boolean;
  creationTime?: string;
  readyToUse?: boolean;
  /** Of the snapshot: false says that its parts may be of different moments. */
  atomic?: boolean;
  /** How that is known, in words of the snapshotter. */
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
