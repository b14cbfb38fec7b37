/**
 * Decides the verdict on a snapshot from the stored evidence. Pure; missing evidence is never assumed.
 *
 * Examples, in the order of the rules:
 *  1. A group of two whose cut lacks one volume: Inconsistent, VolumeMissing.
 *  2. A directory copied file by file: Inconsistent, NotAtomic. That holds even within a freeze, because the
 *     application decides which writes its freeze stops, and its files may still change. The exception: the snapshotter
 *     has proven that no file changed meanwhile.
 *  3. A hook with cause Expired: Inconsistent, ThawedBeforeCut. A restarted container: Unknown, TargetChanged. Two
 *     volumes cut 3 s apart, with both hooks released by cause Cut, unchanged containers, and Frozen as the answer of
 *     each probe: ApplicationConsistent, FrozenAtCut. A failed postAction is only mentioned in the message.
 *  4. If one of the hooks has no targets, the snapshot counts as one without hooks.
 *  5. No hooks, and volumes that were not in use at the plan and at the cut: CrashConsistent, NotInUse, for any number of
 *     volumes. They are as the last pod left them. Whether that pod stopped cleanly is not known, so the verdict is not
 *     ApplicationConsistent.
 *  6. No hooks, and one volume or one group in use: CrashConsistent, AtomicCut or GroupCut.
 *  7. No hooks, and two volumes in use that were cut one after another: Inconsistent, CutAtDifferentMoments.
 */
import { countText } from '../../../model/count-text.ts';
import type { HookEvidence, Verdict, ApplicationSnapshotStatus, SnapshotVolume } from '../kinds.ts';

export interface VerdictFacts {
  readonly status: ApplicationSnapshotStatus;
  readonly mode: 'Single' | 'Group';
  readonly decidedAt: string;
}

type Judgement = Pick<Verdict, 'value' | 'reason' | 'message'>;

export function judge(facts: VerdictFacts): Verdict {
  const { status, decidedAt } = facts;
  const hooks = status.hooks ?? [];
  const judgement =
    judgeVolumes(status.volumes ?? []) ?? judgeFreeze(status, hooks) ?? judgeCut(facts);
  const freezeWindowMs = freezeWindowOf(hooks);
  return {
    ...judgement,
    message: `${judgement.message}${postNote(hooks)}`,
    ...(freezeWindowMs === null ? {} : { freezeWindowMs }),
    decidedAt,
  };
}

function judgeVolumes(volumes: readonly SnapshotVolume[]): Judgement | null {
  const missing = volumes.filter(({ cut }) => cut !== true).map(({ claimName }) => claimName);
  if (missing.length > 0) {
    const message = `the snapshot lacks the volumes of ${missing.join(', ')}`;
    return { value: 'Inconsistent', reason: 'VolumeMissing', message };
  }
  const copied = volumes.filter(({ atomic }) => atomic === false);
  if (copied.length === 0) return null;
  const names = copied.map(({ claimName }) => claimName).join(', ');
  const [reason] = copied.flatMap(({ atomicReason }) => atomicReason ?? []);
  const why = reason === undefined ? '' : `: ${reason}`;
  const message = `the snapshots of ${names} may mix data of different moments${why}`;
  return { value: 'Inconsistent', reason: 'NotAtomic', message };
}

/** The judgement of the freeze by all hooks. null: there is no hook, or one of them had nothing to freeze. */
function judgeFreeze(
  { executionHookNames = [], cutObservedAt }: ApplicationSnapshotStatus,
  hooks: readonly HookEvidence[],
): Judgement | null {
  if (executionHookNames.length === 0) return null;
  if (hooks.length < executionHookNames.length || cutObservedAt === undefined) {
    const message = 'the evidence of some hooks is missing';
    return { value: 'Unknown', reason: 'EvidenceMissing', message };
  }
  const findings = hooks.flatMap(({ name, finding }) =>
    finding === undefined ? [] : [{ ...finding, message: `hook ${name}: ${finding.message}` }],
  );
  const worst = findings.find(({ value }) => value === 'Inconsistent') ?? findings[0];
  if (worst !== undefined) return worst;
  if (hooks.some(({ targets }) => targets.length === 0)) return null;
  const targets = hooks.reduce((sum, hook) => sum + hook.targets.length, 0);
  const message = `${countText(targets, 'container')} frozen before the cut and thawed after it was seen`;
  return { value: 'ApplicationConsistent', reason: 'FrozenAtCut', message };
}

function judgeCut({ status, mode }: VerdictFacts): Judgement {
  const volumes = status.volumes ?? [];
  const value = 'CrashConsistent';
  const unfrozen = unfrozenText(status.hooks ?? []);
  if (volumes.every(({ inUse }) => !inUse)) {
    const message = 'no pod used the volumes: they are as the last pod left them';
    return { value, reason: 'NotInUse', message };
  }
  if (mode === 'Group') {
    const message = `all volumes were cut at one moment, and ${unfrozen}`;
    return { value, reason: 'GroupCut', message };
  }
  if (volumes.length === 1) {
    const message = `the volume was cut at one moment, and ${unfrozen}`;
    return { value, reason: 'AtomicCut', message };
  }
  const message = `${volumes.length} volumes were cut one after the other while they were in use, and ${unfrozen}`;
  return { value: 'Inconsistent', reason: 'CutAtDifferentMoments', message };
}

function unfrozenText(hooks: readonly HookEvidence[]): string {
  const idle = hooks.filter(({ targets }) => targets.length === 0).map(({ name }) => name);
  const by = idle.length === hooks.length ? '' : ` by ${idle.join(', ')}`;
  return `nothing was frozen${by}`;
}

/**
 * Milliseconds from the first freeze to the last thaw; null: nothing was frozen, or the time of a thaw is not known.
 */
export function freezeWindowOf(hooks: readonly HookEvidence[]): number | null {
  const begun = hooks.flatMap(({ firstPreAt }) => firstPreAt ?? []).map((at) => Date.parse(at));
  const ends = hooks.flatMap(({ lastThawAt }) => lastThawAt ?? []).map((at) => Date.parse(at));
  if (begun.length === 0 || ends.length < hooks.length) return null;
  return Math.max(0, Math.max(...ends) - Math.min(...begun));
}

function postNote(hooks: readonly HookEvidence[]): string {
  const failed = hooks.filter(({ postActionSucceed }) => postActionSucceed === false);
  if (failed.length === 0) return '';
  return `; the postAction of ${failed.map(({ name }) => name).join(', ')} has failed: see these hooks`;
}
