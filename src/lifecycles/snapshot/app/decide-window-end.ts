/** Decides the end of a window of a guard: verdicts, then marks, which may be due long after. Pure. */
import type { Verdict } from '../evidence-kinds.ts';
import type { SnapshotFacts } from './facts.ts';
import type { Failure } from './failure.ts';
import type { Step } from './step.ts';
import { admittedMarksDue, ownMarksDue } from './window-marks.ts';

/**
 * Call after the close, when no thaw is left to be requested and no evidence to be stored. No snapshot needs to be ready
 * to use: one that never is would keep the verdicts of its neighbours back (SNAP-W3).
 */
export function decideWindowReady({ snapshot }: SnapshotFacts): Step {
  const { hooks = [], executionHookNames = [] } = snapshot.status ?? {};
  if (hooks.length < executionHookNames.length) return { kind: 'wait', reason: 'the hooks thaw' };
  return { kind: 'judgeWindow' };
}

/** `failure`: why what has no verdict is worthless; null: the window has completed. null: nothing is due. */
export function decideMarks(facts: SnapshotFacts, failure: Failure | null): Step | null {
  const unjudged = facts.admitted.some(({ entry }) => entry.verdict === undefined);
  if (failure !== null && unjudged) return { kind: 'failAdmitted', ...failure };
  const marks = admittedMarksDue(facts);
  return marks.length === 0 ? null : { kind: 'markVerdicts', marks };
}

/** null: the snapshot has no verdict, or the marks of its VolumeSnapshots say it. */
export function decideOwnMarks(facts: SnapshotFacts, verdict: Verdict | undefined): Step | null {
  const marks = verdict === undefined ? [] : ownMarksDue(facts, verdict);
  return marks.length === 0 ? null : { kind: 'markVerdicts', marks };
}
