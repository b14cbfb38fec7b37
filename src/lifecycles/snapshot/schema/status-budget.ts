/**
 * The size limit of an ExecutionHook in the store of the API server, and how it is divided. Pure.
 *
 * The required space is reserved before the first freeze: for the hook's own fields, and for the records of each
 * target's freeze and thaw. Texts share the remaining space. If it is too small, outputs are shortened first, then
 * reasons.
 */
import { storedBytes } from '../../../kube/stored-size.ts';
import type { ActionStatus, ContainerStatus, ExecutionHook, ResolvedActions } from '../kinds.ts';
import { HOOK_BYTES_MAX, LEAST_TEXT_BYTES, SUMMARY_BYTES_MAX } from './limits.ts';

/** The fields that identify a target. They are fixed when the hook begins. */
type Identity = Pick<
  ContainerStatus,
  | 'podName'
  | 'containerName'
  | 'podUID'
  | 'containerID'
  | 'restartCount'
  | 'nodeName'
  | 'claimNames'
  | 'rescue'
>;

const TEXT = 'x'.repeat(LEAST_TEXT_BYTES);
const TIME = '2026-01-01T00:00:00.000000Z';
const COUNT = 9_999_999;

const ACTION: Required<ActionStatus> = {
  actionTimestamp: TIME,
  actionSucceed: false,
  error: { time: TIME, message: TEXT },
  attempts: [
    {
      startedAt: TIME,
      endedAt: TIME,
      outcome: 'Succeeded',
      exitCode: -COUNT,
      notStarted: 'Unreached',
    },
  ],
  earlierAttempts: COUNT,
  unstartedAttempts: COUNT,
  slowAttempts: COUNT,
};

/** The largest records of a target in their smallest form (`hook/smallest-form.ts`). */
const RECORDS: Required<Omit<ContainerStatus, keyof Identity | 'thawUnproven'>> = {
  preActionStatus: ACTION,
  postActionStatus: ACTION,
  probes: [
    { when: 'AfterFreeze', at: TIME, outcome: 'NotFrozen' },
    { when: 'AfterCut', at: TIME, outcome: 'NotFrozen' },
  ],
  freezeLost: { at: TIME, reason: TEXT },
  freezeDoubted: { at: TIME, reason: TEXT },
  thawedBy: 'released',
  holder: { timing: 'sleep', windowSeconds: COUNT },
};

/** Stored bytes of these records; less than the share of any target. */
export const RECORDS_BYTES: number = storedBytes(RECORDS);
/** Stored bytes that a target needs in addition if its lock outlives its container, so that it has claimNames. */
const UNPROVEN_BYTES = storedBytes({ thawUnproven: { at: TIME, reason: TEXT } });

/** A hook without its status. */
export type Described = Pick<ExecutionHook, 'metadata' | 'spec'>;

export interface HookNeeds {
  readonly hook: Described;
  /** Absent: the actions are not resolved yet, as at admission. */
  readonly resolved?: ResolvedActions;
  readonly targets: readonly Partial<Identity>[];
}

/** Maximum bytes of the hook when all its texts are shortest. */
export function neededBytes({ hook, resolved, targets }: HookNeeds): number {
  const own = ownBytes(hook) + (resolved === undefined ? 0 : storedBytes(resolved));
  return targets.reduce((bytes, target) => bytes + leastBytes(target), own);
}

/** The reason why the hook cannot run; null: it fits. */
export function whyTooLarge(needs: HookNeeds): string | null {
  const bytes = neededBytes(needs);
  if (bytes <= HOOK_BYTES_MAX) return null;
  const count = needs.targets.length;
  return `The hook and the records of its ${count} containers need up to ${bytes} bytes, and an ExecutionHook may take ${HOOK_BYTES_MAX}: select fewer containers with one hook, or shorten its actions and annotations.`;
}

/** Returns the bytes that a target may take, which are never fewer than it needs. */
export function targetShares(needs: HookNeeds): (target: ContainerStatus) => number {
  const left = Math.max(0, HOOK_BYTES_MAX - neededBytes(needs));
  const extra = Math.floor(left / Math.max(1, needs.targets.length));
  return (target) => leastBytes(target) + extra;
}

function ownBytes({ metadata = {}, spec }: Described): number {
  const { managedFields: _, ...rest } = metadata;
  return storedBytes(rest) + storedBytes(spec) + SUMMARY_BYTES_MAX;
}

function leastBytes(target: Partial<Identity>): number {
  const {
    podName,
    containerName,
    podUID,
    containerID,
    restartCount,
    nodeName,
    claimNames,
    rescue,
  } = target;
  const identity = { podName, containerName, podUID, containerID, restartCount, nodeName, rescue };
  const bytes = storedBytes(identity) + RECORDS_BYTES;
  return claimNames === undefined ? bytes : bytes + storedBytes({ claimNames }) + UNPROVEN_BYTES;
}
