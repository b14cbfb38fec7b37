/** The phases of the snapshots and hooks in a simulated world, as their user can observe them. */
import { groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { SimApi, Stored } from '../controller/sim-api.ts';
import type { Account, Verb } from './account.ts';

export const PHASES = [
  'before the freeze',
  'freezing',
  'frozen',
  'snapshot cut',
  'thawing',
  'done',
  'deleting',
] as const;
export type SnapshotPhase = (typeof PHASES)[number];

export interface PhaseFacts {
  readonly api: SimApi;
  readonly account: Account;
}

export function phasesIn(facts: PhaseFacts): readonly SnapshotPhase[] {
  const { api } = facts;
  const all = api.peek(applicationSnapshots) as unknown as readonly ApplicationSnapshot[];
  const hooks = api.peek(executionHooks) as unknown as readonly ExecutionHook[];
  const own = hooks.filter(({ metadata }) => metadata?.ownerReferences === undefined);
  return [
    ...new Set([...all.map((each) => phaseOfSnapshot(facts, each)), ...own.map(phaseOfHook)]),
  ];
}

/** Phases of the snapshot of a hook, or of a user's hook itself; empty if it does not exist. */
export function phasesOfHook(
  facts: PhaseFacts,
  hook: ExecutionHook | undefined,
): readonly SnapshotPhase[] {
  const owner = hook?.metadata?.ownerReferences?.[0]?.uid;
  if (hook === undefined || owner !== undefined) return phasesOfSnapshot(facts, owner);
  return [phaseOfHook(hook)];
}

/** Phases in which a command of a hook counts if it is sent now. */
export function phasesOfCommand(
  facts: PhaseFacts,
  verb: Verb,
  hook: ExecutionHook | undefined,
): readonly SnapshotPhase[] {
  const phases = phasesOfHook(facts, hook);
  const isDeleting = phases.includes('deleting') || hook?.metadata?.deletionTimestamp !== undefined;
  return [phaseOfCommand(verb, phases), ...(isDeleting ? (['deleting'] as const) : [])];
}

/** A probe counts in the phase `freezing` before the cut, and in `snapshot cut` after it. */
function phaseOfCommand(verb: Verb, phases: readonly SnapshotPhase[]): SnapshotPhase {
  if (verb === 'thaw') return 'thawing';
  const isBefore = phases.includes('before the freeze') || phases.includes('freezing');
  return verb === 'freeze' || isBefore ? 'freezing' : 'snapshot cut';
}

/** Phases of the snapshot with this UID; empty if it does not exist. */
export function phasesOfSnapshot(
  facts: PhaseFacts,
  uid: string | undefined,
): readonly SnapshotPhase[] {
  const all = facts.api.peek(applicationSnapshots) as unknown as readonly ApplicationSnapshot[];
  const found = all.find(({ metadata }) => metadata?.uid === uid);
  return found === undefined ? [] : [phaseOfSnapshot(facts, found)];
}

/**
 * Phases of the window that has admitted the object with this UID. Empty if none has admitted it, or if the window has
 * closed.
 */
export function phasesOfRequest(facts: PhaseFacts, uid: string): readonly SnapshotPhase[] {
  const all = facts.api.peek(applicationSnapshots) as unknown as readonly ApplicationSnapshot[];
  const window = all.find(({ status }) =>
    (status?.admitted ?? []).some((each) => each.uid === uid),
  );
  if (window === undefined) return [];
  const phase = phaseOfSnapshot(facts, window);
  return phase === 'frozen' || phase === 'deleting' ? [phase] : [];
}

function phaseOfSnapshot(facts: PhaseFacts, snapshot: ApplicationSnapshot): SnapshotPhase {
  const { metadata, status = {} } = snapshot;
  if (metadata?.deletionTimestamp !== undefined) return 'deleting';
  const { phase = 'Pending' } = status;
  return isBetween(facts, phase, snapshot) ? 'snapshot cut' : OF_STATUS[phase];
}

type StatusPhase = keyof typeof OF_STATUS;

/** True if the volumes are cut and no thaw has begun. */
function isBetween(facts: PhaseFacts, phase: StatusPhase, snapshot: ApplicationSnapshot): boolean {
  if (phase === 'Thawing') return !hasThawBegun(facts, snapshot.metadata?.uid ?? '');
  return phase === 'Cutting' && isCut(facts, snapshot);
}

/** True if the thaw of one of the snapshot's hooks has begun. */
function hasThawBegun({ api }: PhaseFacts, uid: string): boolean {
  const hooks = api.peek(executionHooks).filter((hook) => isOwnedBy(uid, hook));
  const targets = (hooks as unknown as readonly ExecutionHook[]).flatMap(
    ({ status }) => status?.containerExecutionHookStatuses ?? [],
  );
  const isBegun = targets.some(
    ({ postActionStatus, thawedBy }) => postActionStatus !== undefined || thawedBy !== undefined,
  );
  return isBegun || targets.length === 0;
}

function isOwnedBy(uid: string, { metadata }: Stored): boolean {
  return (metadata.ownerReferences ?? []).some((owner) => owner.uid === uid);
}

const OF_STATUS: Readonly<
  Record<NonNullable<NonNullable<ApplicationSnapshot['status']>['phase']>, SnapshotPhase>
> = {
  Pending: 'before the freeze',
  Freezing: 'freezing',
  Cutting: 'frozen',
  Thawing: 'thawing',
  Finishing: 'thawing',
  Completed: 'done',
  Failed: 'done',
};

/** True if every requested cut has really happened, reported or not. For a window, all admitted objects count. */
function isCut({ api, account }: PhaseFacts, { metadata, status }: ApplicationSnapshot): boolean {
  const admitted = new Set((status?.admitted ?? []).map(({ uid }) => uid));
  const made = [...api.peek(snapshots), ...api.peek(groupSnapshots)].filter(
    (each) => isOwnedBy(metadata?.uid ?? '', each) || admitted.has(each.metadata.uid ?? ''),
  );
  const cuts = made.map((each) =>
    account.cuts.find(({ snapshotUid }) => snapshotUid === each.metadata.uid),
  );
  return made.length > 0 && cuts.every((cut) => cut !== undefined && cut.endedMs < Infinity);
}

/** Phase of a user's hook, for which no volume is cut. */
function phaseOfHook({ metadata, status = {} }: ExecutionHook): SnapshotPhase {
  const { containerExecutionHookStatuses: targets = [], preActionSucceed } = status;
  if (metadata?.deletionTimestamp !== undefined) return 'deleting';
  if (status.release !== undefined) {
    const isThawed = targets.every(
      ({ postActionStatus, thawedBy }) => postActionStatus?.actionSucceed ?? thawedBy !== undefined,
    );
    return isThawed ? 'done' : 'thawing';
  }
  if (preActionSucceed === true) return 'frozen';
  if (preActionSucceed === false) return 'done';
  const hasBegun = targets.some(({ preActionStatus }) => preActionStatus !== undefined);
  return hasBegun ? 'freezing' : 'before the freeze';
}
