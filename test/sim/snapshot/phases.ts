/** In which phases the snapshots and the hooks of a simulated world are, as their user would say. */
import { groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { Account } from './account.ts';

export const PHASES = [
  'before the freeze',
  'freezing',
  'frozen',
  'snapshot cut',
  'thawing',
  'finishing',
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

/** Of the snapshot that a hook is made for, or of the hook of a person; none: neither exists. */
export function phasesOfHook(
  facts: PhaseFacts,
  hook: ExecutionHook | undefined,
): readonly SnapshotPhase[] {
  const owner = hook?.metadata?.ownerReferences?.[0]?.uid;
  if (hook === undefined || owner !== undefined) return phasesOfSnapshot(facts, owner);
  return [phaseOfHook(hook)];
}

/** Of the snapshot with this UID; none: it does not exist. */
export function phasesOfSnapshot(
  facts: PhaseFacts,
  uid: string | undefined,
): readonly SnapshotPhase[] {
  const all = facts.api.peek(applicationSnapshots) as unknown as readonly ApplicationSnapshot[];
  const found = all.find(({ metadata }) => metadata?.uid === uid);
  return found === undefined ? [] : [phaseOfSnapshot(facts, found)];
}

function phaseOfSnapshot(facts: PhaseFacts, snapshot: ApplicationSnapshot): SnapshotPhase {
  const { metadata, status = {} } = snapshot;
  if (metadata?.deletionTimestamp !== undefined) return 'deleting';
  const phase = OF_STATUS[status.phase ?? 'Pending'];
  return phase === 'frozen' && isCut(facts, metadata?.uid ?? '') ? 'snapshot cut' : phase;
}

const OF_STATUS: Readonly<
  Record<NonNullable<NonNullable<ApplicationSnapshot['status']>['phase']>, SnapshotPhase>
> = {
  Pending: 'before the freeze',
  Freezing: 'freezing',
  Cutting: 'frozen',
  Thawing: 'thawing',
  Finishing: 'finishing',
  Completed: 'done',
  Failed: 'done',
};

/** All that the storage was asked for is cut, whether or not it was reported. */
function isCut({ api, account }: PhaseFacts, uid: string): boolean {
  const made = [...api.peek(snapshots), ...api.peek(groupSnapshots)].filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some((owner) => owner.uid === uid),
  );
  const cuts = made.map(({ metadata }) =>
    account.cuts.find(({ snapshotUid }) => snapshotUid === metadata.uid),
  );
  return made.length > 0 && cuts.every((cut) => cut !== undefined && cut.endedMs < Infinity);
}

/** Of a person: nothing is cut. */
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
