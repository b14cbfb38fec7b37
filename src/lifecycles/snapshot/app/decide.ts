/**
 * Decides the next step of a snapshot. Pure.
 *
 *  SNAP-S1 Nothing is created before the finalizer is set and the plan is in the status (SNAP-I10, SNAP-R12).
 *  SNAP-S2 Hook k+1 is created when the preAction of hook k has certainly succeeded (SNAP-R29, SNAP-I11).
 *  SNAP-S3 The snapshots are created when all preActions succeeded and the request is durable (SNAP-I12, SNAP-R31).
 *  SNAP-S4 The thaw starts with the write that records that the cut was seen. That write counts even if other records
 *     are missing later (SNAP-I2), but only with the proof that Lifehook wrote it (SNAP-S8). If there are several
 *     hooks, each has run its probe before that write, or its time for the probe is over.
 *  SNAP-S6 A copy (such as a restored backup) of a snapshot that has begun never runs.
 *  SNAP-S5 A failed snapshot stays failed: thaw first, then delete what was created (SNAP-G9, SNAP-G10, SNAP-R32).
 *  SNAP-S10 A snapshot that is over has no finalizer of ours.
 */
import { finalizerStep, isTerminating } from '../../../controller/finalizers.ts';
import { sameJson } from '../../../controller/same-json.ts';
import { CHANGED_SPEC, hasFirstSpec } from '../../../controller/unchanged-spec.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { countText } from '../../../model/count-text.ts';
import { restUntilExpiryMs } from '../hook/decide-release.ts';
import { frozenSinceMs, targetsOf } from '../hook/targets.ts';
import { isProven, tokenIn } from '../cut-mark.ts';
import type { ExecutionHook, SnapshotVolume } from '../kinds.ts';
import { BEGUN_BEFORE, begunUid } from '../begun-before.ts';
import { CUT_SEEN, DEFAULT_CUT_DEADLINE_SECONDS, SNAPSHOT_FINALIZER } from '../names.ts';
import { whyWrongSpec } from './check-spec.ts';
import { cutStateOf, observeVolumes } from './cut.ts';
import {
  decideEnd,
  decideEvidence,
  decideFailed,
  decideMarks,
  decideOwnMarks,
  decideWindowReady,
  releaseOver,
} from './decide-end.ts';
import { decideFreeze, whyBroken } from './decide-freeze.ts';
import { decideOpenWindow, decideWindowFreeze, whyAbandoned } from './decide-window.ts';
import type { SnapshotFacts } from './facts.ts';
import { identify } from './identify.ts';
import type { Step } from './step.ts';
import { cutReleaseOf, nextThaw, timeIn } from './thaw-order.ts';

export function decide(facts: SnapshotFacts): Step {
  const { snapshot } = facts;
  const { failure, phase, volumes, cutObservedAt } = snapshot.status ?? {};
  if (isTerminating(snapshot)) return decideEnd(facts);
  if (failure !== undefined) return decideFailed(facts, failure);
  if (phase === 'Completed') return decideCompleted(facts);
  if (volumes === undefined) return decideBeginning(facts);
  return cutObservedAt === undefined ? decideBeforeCut(facts) : decideAfterCut(facts);
}

/**
 * A completed window still marks VolumeSnapshotContents that appear late. A mark that another client changed is written
 * again (SNAP-S7).
 */
function decideCompleted(facts: SnapshotFacts): Step {
  const { spec, status } = facts.snapshot;
  const own = spec.window === undefined ? decideOwnMarks(facts, status?.verdict) : null;
  const marks = own ?? decideMarks(facts, null);
  const otherwise = releaseOver(facts.snapshot, 'it is completed');
  return marks?.kind === 'markVerdicts' ? { ...marks, otherwise } : (marks ?? otherwise);
}

function decideBeforeCut(facts: SnapshotFacts): Step {
  // An earlier process has released the last hook: the thaw has started, and only the record of it is missing.
  const { spec, status = {} } = facts.snapshot;
  if (cutReleaseOf(facts.hooks.at(-1)?.hook ?? null, status) !== undefined) {
    const volumes = spec.window === undefined ? observeVolumes(facts) : (status.volumes ?? []);
    return { kind: 'recordCut', volumes };
  }
  const requestedAt = status.cutRequestedAt;
  if (requestedAt !== undefined) return decideCut(facts, requestedAt);
  return spec.window === undefined ? decideFreeze(facts) : decideWindowFreeze(facts);
}

function decideBeginning(facts: SnapshotFacts): Step {
  const { snapshot, missingKinds } = facts;
  const uid = begunUid(snapshot);
  if (uid !== undefined && uid !== snapshot.metadata?.uid) return { kind: 'fail', ...BEGUN_BEFORE };
  if (!hasFirstSpec(snapshot)) {
    return { kind: 'fail', reason: 'SpecChanged', message: CHANGED_SPEC };
  }
  const problem = whyWrongSpec(snapshot);
  if (problem !== null) return { kind: 'fail', reason: 'Invalid', message: problem };
  const abandoned = whyAbandoned(facts);
  if (abandoned !== null) return { kind: 'fail', ...abandoned };
  if (missingKinds.length > 0) return { kind: 'waitForKinds', missing: missingKinds };
  const isMarked = uid !== undefined && finalizerStep(snapshot, SNAPSHOT_FINALIZER) !== 'add';
  return isMarked ? { kind: 'plan' } : { kind: 'addFinalizer' };
}

/** Checks the freeze before the cut: a cut is worthless if a freeze ended before it (SNAP-G13). */
function decideCut(facts: SnapshotFacts, requestedAt: string): Step {
  const broken = whyBroken(facts);
  if (broken !== null) return { kind: 'fail', ...broken };
  if (facts.snapshot.spec.window !== undefined) return decideWindowCut(facts, requestedAt);
  const cut = cutStateOf(facts);
  if (cut.kind === 'cut') return askOrRecord(facts, cut.volumes);
  if (cut.kind === 'broken') return { kind: 'fail', reason: cut.reason, message: cut.message };
  const { cutDeadlineSeconds: seconds = DEFAULT_CUT_DEADLINE_SECONDS } = facts.snapshot.spec;
  const { cutForMs = facts.nowMs - Date.parse(requestedAt) } = facts;
  const leftMs = seconds * 1_000 - cutForMs;
  if (leftMs <= 0) {
    const message = `the volumes were not cut within ${seconds} s: ${cut.message}`;
    return { kind: 'fail', reason: 'CutDeadlineExceeded', message };
  }
  if (isUnmade(facts)) return { kind: 'makeSnapshots' };
  return { kind: 'waitFor', ms: leftMs, reason: cut.message };
}

function decideWindowCut(facts: SnapshotFacts, requestedAt: string): Step {
  const { closedAt, volumes = [] } = facts.snapshot.status ?? {};
  return closedAt === undefined
    ? decideOpenWindow(facts, requestedAt)
    : askOrRecord(facts, volumes);
}

function askOrRecord(facts: SnapshotFacts, volumes: readonly SnapshotVolume[]): Step {
  const ask = askStep(facts);
  if (ask?.kind === 'waitFor') return ask;
  return ask === null ? { kind: 'recordCut', volumes } : { ...ask, volumes };
}

function isUnmade({ snapshot, group, volumes }: SnapshotFacts): boolean {
  if (group !== null) return snapshot.status?.volumeGroupSnapshotUID === undefined;
  return volumes.some(({ plan }) => plan.volumeSnapshotUID === undefined);
}

/** Requests the remaining thaws first, then stores the evidence of the hooks, then waits for readyToUse. */
function decideAfterCut(facts: SnapshotFacts): Step {
  const { hooks, nowMs } = facts;
  const thaw = nextThaw({ hooks, nowMs });
  if (thaw.kind === 'release') return { kind: 'releaseHook', hook: thaw.hook };
  const evidence = decideEvidence(facts);
  if (evidence !== null) return evidence;
  if (thaw.kind === 'wait') return { kind: 'waitFor', ms: thaw.ms, reason: thaw.reason };
  return facts.snapshot.spec.window === undefined ? decideReady(facts) : decideWindowReady(facts);
}

function decideReady(facts: SnapshotFacts): Step {
  const { snapshot, volumes: seen } = facts;
  const deleted = whyDeleted(facts);
  if (deleted !== null) return { kind: 'fail', reason: 'SnapshotDeleted', message: deleted };
  const volumes = observeVolumes(facts);
  if (!sameJson(volumes, snapshot.status?.volumes)) return { kind: 'recordVolumes', volumes };
  const { hooks = [], executionHookNames = [] } = snapshot.status ?? {};
  if (hooks.length < executionHookNames.length) {
    return { kind: 'wait', reason: 'the hooks thaw' };
  }
  if (!isReady(facts, volumes)) {
    const waiting = seen.filter(({ plan }) => plan.readyToUse !== true);
    return { kind: 'wait', reason: `${waiting.length} of ${seen.length} snapshots are not ready` };
  }
  return { kind: 'judge' };
}

/**
 * Whether the group and all cut volumes are ready to use. In a group, a volume that is missing in the cut is not waited
 * for (SNAP-CASE39).
 */
function isReady({ group }: SnapshotFacts, volumes: readonly SnapshotVolume[]): boolean {
  const members = volumes.filter(({ cut }) => cut === true);
  if (group !== null && group.snapshot?.status?.readyToUse !== true) return false;
  return members.every(({ readyToUse }) => readyToUse === true);
}

function whyDeleted({ snapshot, volumes, group }: SnapshotFacts): string | null {
  if (group !== null) {
    const { volumeGroupSnapshotUID: uid } = snapshot.status ?? {};
    return isStill(group.snapshot, uid) ? null : 'the VolumeGroupSnapshot was deleted';
  }
  const lost = volumes.find((volume) => !isStill(volume.snapshot, volume.plan.volumeSnapshotUID));
  if (lost === undefined) return null;
  return `VolumeSnapshot ${lost.plan.volumeSnapshotName ?? ''} was deleted`;
}

/** Whether the object is the one that was created: another client may have created a later one of the same name. */
function isStill(object: KubeObject | null, uid: string | undefined): boolean {
  return object !== null && identify(object).uid === uid && !isTerminating(object);
}

/**
 * Milliseconds that the release waits for the answers: a hook has an answer of each target within five seconds, and
 * needs a moment to record them.
 */
const ANSWERS_PATIENCE_MS = 6_000;

/**
 * Milliseconds before the expiry of a hook at which the release stops waiting for answers. Otherwise the hook may thaw
 * by itself first, and a snapshot whose cut was seen in time would fail with ThawedBeforeCut.
 */
const RELEASE_BEFORE_EXPIRY_MS = 1_000;

type AskStep =
  | { readonly kind: 'askHooks'; readonly hooks: readonly ExecutionHook[] }
  | { readonly kind: 'waitFor'; readonly ms: number; readonly reason: string };

/**
 * Makes each of several hooks run its probe before the first hook is released. Their targets may share a freeze, which
 * the first thaw would end. A single hook runs its probe by itself before its thaw. null: no probe is left to request
 * or to wait for.
 */
export function askStep({
  hooks,
  snapshot: { status = {} },
  nowMs,
}: Pick<SnapshotFacts, 'hooks' | 'snapshot' | 'nowMs'>): AskStep | null {
  if (hooks.length < 2) return null;
  const open = hooks.flatMap(({ hook }) => (hook !== null && isUnanswered(hook) ? [hook] : []));
  const unasked = open.filter((hook) => !isProven(status, tokenIn(cutSeenOf(hook))));
  if (unasked.length > 0) return { kind: 'askHooks', hooks: unasked };
  const waits = open.map((hook) => restMs(hook, nowMs));
  const expiries = hooks.flatMap(({ hook }) => (hook === null ? [] : untilReleaseMs(hook, nowMs)));
  const ms = Math.max(0, Math.min(Math.max(0, ...waits), ...expiries));
  return ms === 0
    ? null
    : {
        kind: 'waitFor',
        ms,
        reason: `${countText(open.length, 'hook')} must answer before the thaw`,
      };
}

function cutSeenOf({ metadata }: ExecutionHook): string {
  return metadata?.annotations?.[CUT_SEEN] ?? '';
}

function isUnanswered({ status = {} }: ExecutionHook): boolean {
  if (status.resolved?.probe === undefined) return false;
  const targets = status.containerExecutionHookStatuses ?? [];
  return targets.some(({ probes = [] }) => !probes.some(({ when }) => when === 'AfterCut'));
}

/**
 * Milliseconds that are left of the wait; negative after its end. 0 if the wall clock is before the time in CUT_SEEN:
 * the clock was set back and cannot be used.
 */
function restMs(hook: ExecutionHook, nowMs: number): number {
  const sinceMs = nowMs - Date.parse(timeIn(cutSeenOf(hook)) ?? '');
  return sinceMs >= 0 ? ANSWERS_PATIENCE_MS - sinceMs : 0;
}

/** Milliseconds until the release must stop waiting; empty: the hook never expires, or is thawing already. */
function untilReleaseMs(hook: ExecutionHook, nowMs: number): number[] {
  const { resolved, release } = hook.status ?? {};
  const sinceMs = frozenSinceMs(targetsOf(hook));
  if (resolved === undefined || release !== undefined || sinceMs === null) return [];
  const expiryMs = restUntilExpiryMs(nowMs - sinceMs, resolved);
  return expiryMs === null ? [] : [expiryMs - RELEASE_BEFORE_EXPIRY_MS];
}
