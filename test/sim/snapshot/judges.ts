/** Starts the judges that listen to events, and calls the others at the end of the seed. */
import type { Court } from './judge.ts';
import { CauseJudge } from './judge-causes.ts';
import { CutDeadlineJudge } from './judge-cut-deadline.ts';
import { CutSignJudge } from './judge-cut-signs.ts';
import { judgeMarks, judgeThawsSent } from './judge-end.ts';
import { PartsJudge } from './judge-parts.ts';
import { SnapshotJudge } from './judge-snapshots.ts';
import { judgeTerminations } from './judge-terminating.ts';
import { judgeThawTimes } from './judge-thaw-times.ts';
import { TemplateJudge } from './late-templates.ts';

export function openCourt(court: Court): void {
  void new SnapshotJudge(court);
  void new CutSignJudge(court);
  void new TemplateJudge(court);
  void new PartsJudge(court);
  void new CauseJudge(court);
  void new CutDeadlineJudge(court);
}

export function closeCourt(court: Court): void {
  judgeThawsSent(court);
  judgeThawTimes(court);
  judgeTerminations(court);
  judgeMarks(court);
}
