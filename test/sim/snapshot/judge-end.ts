/** Judges the final state after the faults: SNAP-I1, SNAP-I12 and SNAP-I20. */
import { contents, groupContents, groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import {
  EVIDENCE_FINALIZER,
  HOOK_FINALIZER,
  SNAPSHOT_FINALIZER,
  VERDICT,
} from '../../../src/lifecycles/snapshot/names.ts';
import type { Command } from './account.ts';
import { type HookView, targetsIn } from './hook-views.ts';
import { isBeforeRestore, isTakenOn, type Court } from './judge.ts';

/** Describes the pending work; null if there is none. */
export function whatIsMissing(court: Court): string | null {
  return (
    missingOfSnapshots(court) ?? missingOfHooks(court) ?? frozenStill(court) ?? leftBehind(court)
  );
}

function missingOfSnapshots({ api }: Court): string | null {
  for (const snapshot of api.peek(applicationSnapshots) as unknown as Snapshots) {
    const missing = missingOfSnapshot(snapshot);
    if (missing !== null) return `snapshot ${snapshot.metadata?.name ?? ''} ${missing}`;
  }
  return null;
}

type Snapshots = readonly ApplicationSnapshot[];

function missingOfSnapshot({ metadata, spec, status = {} }: ApplicationSnapshot): string | null {
  const { phase = 'not begun', completedAt, verdict } = status;
  if (metadata?.deletionTimestamp !== undefined) return 'is still terminating';
  if (completedAt === undefined) return `is not over: ${phase}`;
  if (isHeld(metadata)) return 'has its finalizer still';
  const isJudged = verdict !== undefined || (phase === 'Failed' && !isToJudge({ spec, status }));
  return isJudged ? null : 'has no verdict';
}

function isHeld({ finalizers }: ApplicationSnapshot['metadata'] = {}): boolean {
  return finalizers?.includes(SNAPSHOT_FINALIZER) === true;
}

/**
 * Whether the snapshot must get a verdict. A window takes no snapshot itself: it must only if it admitted an object
 * while the application was frozen.
 */
function isToJudge({ spec, status = {} }: Pick<ApplicationSnapshot, 'spec' | 'status'>): boolean {
  const { cutRequestedAt, admitted = [] } = status;
  if (cutRequestedAt === undefined) return false;
  return spec.window === undefined || admitted.some(({ unfrozen }) => unfrozen === undefined);
}

function missingOfHooks({ views }: Court): string | null {
  for (const view of views.all.values()) {
    const missing = view.isDeleted ? null : missingOfHook(view);
    if (missing !== null) return `hook ${view.name} ${missing}`;
  }
  return null;
}

function missingOfHook({ hook }: HookView): string | null {
  const { metadata = {}, status = {} } = hook;
  const { finalizers = [] } = metadata;
  if (finalizers.includes(EVIDENCE_FINALIZER)) return 'has evidence that is not kept';
  if (status.release === undefined && status.preActionSucceed !== false) return 'is not released';
  if (finalizers.includes(HOOK_FINALIZER)) return 'is not settled';
  return metadata.deletionTimestamp === undefined ? missingOfDone(hook) : 'is still terminating';
}

/**
 * What is missing at a hook whose snapshot is completed: the hook must be deleted (SNAP-R33). Hooks of users stay
 * (SNAP-R20).
 */
function missingOfDone({ metadata, status }: ExecutionHook): string | null {
  const isDone = status?.preActionSucceed === true && status.postActionSucceed === true;
  return isDone && metadata?.ownerReferences !== undefined ? 'is still there' : null;
}

/** SNAP-I1: no application is really frozen. */
function frozenStill(court: Court): string | null {
  const frozen = court.applications().find(({ freeze, is }) => {
    if (freeze === null) return false;
    if (isForgotten(court, { ...is, tag: freeze.tag, atMs: freeze.beganMs })) return false;
    const view = court.views.ofTag(freeze.tag);
    return court.planOf(freeze.tag).thaws && (view === undefined || !isTakenOn(view));
  });
  return frozen === undefined ? null : `${frozen.name} is frozen by ${frozen.freeze?.tag ?? ''}`;
}

/**
 * True if no controller can undo the freeze: it happened before a restore of the server, and no hook has a record of it
 * or its lock is counted. A freeze by a session helper is never forgotten, because the helper thaws by itself.
 */
export function isForgotten(court: Court, { tag, atMs, pod, container }: Sent): boolean {
  if (!isBeforeRestore(court, atMs)) return false;
  const { held, lock } = court.planOf(tag);
  const view = court.views.ofTag(tag);
  const isKnown =
    view !== undefined &&
    !view.isForgotten &&
    targetsIn(view.hook).some(
      ({ podName, containerName, preActionStatus }) =>
        podName === pod &&
        containerName === container &&
        preActionStatus?.actionTimestamp !== undefined,
    );
  return !held && (!isKnown || lock === 'counted');
}

type Sent = Pick<Command, 'tag' | 'atMs' | 'pod' | 'container'>;

/** SNAP-I12: no VolumeSnapshot of a failed or deleted snapshot is left. */
function leftBehind({ api }: Court): string | null {
  const all = api.peek(applicationSnapshots) as unknown as Snapshots;
  const failed = new Set(
    all.filter(({ status }) => status?.phase === 'Failed').map(({ metadata }) => metadata?.uid),
  );
  const known = new Set(all.map(({ metadata }) => metadata?.uid));
  for (const resource of [snapshots, groupSnapshots]) {
    for (const { metadata } of api.peek(resource)) {
      const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'ApplicationSnapshot');
      if (owner === undefined) continue;
      if (failed.has(owner.uid)) return `${metadata.name ?? ''} is of a snapshot that has failed`;
      if (!known.has(owner.uid)) return `${metadata.name ?? ''} belongs to a deleted snapshot`;
    }
  }
  return null;
}

/** SNAP-I1: a thaw was sent after each freeze that was sent, whatever the result of the freeze. */
export function judgeThawsSent(court: Court): void {
  for (const freeze of court.account.commands) {
    if (freeze.verb !== 'freeze' || freeze.application === undefined) continue;
    if (
      freeze.notStarted ||
      isForgotten(court, freeze) ||
      isThawedAfter(court, freeze) ||
      isExcused(court, freeze)
    )
      continue;
    const { tag, pod, container } = freeze;
    court.world.violate(
      'SNAP-I1',
      `freeze ${tag} was sent to ${pod}/${container}, and no thaw after it`,
    );
  }
}

function isThawedAfter({ account }: Court, freeze: Command): boolean {
  return account.commands.some(
    ({ verb, tag, pod, container, atMs }) =>
      verb === 'thaw' &&
      tag === freeze.tag &&
      pod === freeze.pod &&
      container === freeze.container &&
      atMs >= freeze.atMs,
  );
}

/**
 * True if no thaw is necessary: the hook has no thaw, a session helper thaws, the thaw is marked as done by hand, or
 * the container was replaced.
 */
function isExcused(court: Court, { tag, application, pod, container }: Command): boolean {
  const plan = court.planOf(tag);
  if (!plan.thaws || plan.held) return true;
  const view = court.views.ofTag(tag);
  if (view !== undefined && isTakenOn(view)) return true;
  const now = court
    .applications()
    .findLast(({ is }) => is.pod === pod && is.container === container);
  return now !== application || (court.cluster.isEnding && now?.alive !== true);
}

/** SNAP-I12: VolumeSnapshotContents that a failed snapshot leaves behind must be marked Inconsistent. */
export function judgeMarks({ api, world }: Court): void {
  const failed = new Set(
    (api.peek(applicationSnapshots) as unknown as Snapshots)
      .filter(({ status }) => status?.phase === 'Failed')
      .flatMap(({ status }) => (status?.volumes ?? []).map((each) => each.volumeSnapshotUID)),
  );
  for (const resource of [contents, groupContents]) {
    for (const { metadata, spec } of api.peek(resource)) {
      const ref = (spec as { volumeSnapshotRef?: { uid?: string } }).volumeSnapshotRef;
      const isFailed = ref?.uid !== undefined && failed.has(ref.uid);
      if (!isFailed || metadata.labels?.[VERDICT] === 'Inconsistent') continue;
      world.violate(
        'SNAP-I12',
        `content ${metadata.name ?? ''} of a failed snapshot is not marked`,
      );
    }
  }
}
