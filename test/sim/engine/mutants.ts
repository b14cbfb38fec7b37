import type { Mutant } from '../kept-mutants.ts';

/** Each mutant breaks one promise of the engine by the smallest possible change. */
export const engineMutants: readonly Mutant[] = [
  {
    name: 'the effect comes before its intent',
    file: 'src/engine/run.ts',
    text: `  await log.append({ type: 'AttemptStarted', atMs: decidedAtMs, ...key });
  const result = withheld(run, start) ?? (await act(run, start));`,
    by: `  const result = withheld(run, start) ?? (await act(run, start));
  await log.append({ type: 'AttemptStarted', atMs: decidedAtMs, ...key });`,
    breaks: ['ENG-E1'],
  },
  {
    name: 'the intent is not waited for',
    file: 'src/engine/run.ts',
    text: `  await log.append({ type: 'AttemptStarted', atMs: decidedAtMs, ...key });`,
    by: `  void log.append({ type: 'AttemptStarted', atMs: decidedAtMs, ...key });`,
    breaks: ['ENG-E1'],
  },
  {
    name: 'an attempt number is used again',
    file: 'src/engine/main-steps.ts',
    text: `attempt: at.attempts + 1, reason: \`again`,
    by: `attempt: at.attempts, reason: \`again`,
    breaks: ['ENG-E3'],
  },
  {
    name: 'the run goes on after an abort',
    file: 'src/engine/main-steps.ts',
    text: `return ignored ? 'ended' : { kind: 'over', causes: firstToLast([...stops, failure]) };`,
    by: `return 'ended';`,
    breaks: ['ENG-E4', 'ENG-E5'],
  },
  {
    name: 'Unknown counts as success',
    file: 'src/engine/main-steps.ts',
    text: `if (outcome === 'Succeeded') return 'ended';`,
    by: `if (outcome === 'Succeeded' || outcome === 'Unknown') return 'ended';`,
    breaks: ['ENG-E4', 'ENG-E5'],
  },
  {
    name: 'a main step that ended Unknown is made again',
    file: 'src/engine/main-steps.ts',
    text: `    return { kind: 'over', causes: [causeOf(step, at.last, outcome), ...stops] };`,
    by: `    return judgeFailure(judged, { ...at.last, outcome: 'Failed' }, stops);`,
    breaks: ['ENG-E5'],
  },
  {
    name: 'an intent without outcome is taken for a failure',
    file: 'src/engine/run-log.ts',
    text: `bareResult('Unknown', reason, 0)`,
    by: `bareResult('Failed', reason, 0)`,
    breaks: ['ENG-E5', 'ENG-E8'],
  },
  {
    name: 'one attempt too many',
    file: 'src/engine/retry.ts',
    text: `failures <= policy.retry.limit;`,
    by: `failures <= policy.retry.limit + 1;`,
    breaks: ['ENG-E6'],
  },
  {
    name: 'attempts follow each other without a pause',
    file: 'src/engine/retry.ts',
    text: `return Math.min(longestMs, firstMs`,
    by: `return Math.min(0, firstMs`,
    breaks: ['ENG-E6'],
  },
  {
    name: "the run's deadline is ignored",
    file: 'src/engine/causes.ts',
    text: `return deadlineIndex !== null || (deadlineAtMs !== null && nowMs >= deadlineAtMs);`,
    by: `return deadlineIndex !== null && deadlineAtMs !== null && nowMs < 0;`,
    breaks: ['ENG-E7', 'ENG-E6', 'ENG-E13'],
  },
  {
    name: 'a clock that is set back revives a deadline',
    file: 'src/engine/causes.ts',
    text: `return deadlineIndex !== null || (deadlineAtMs`,
    by: `return deadlineIndex === -1 || (deadlineAtMs`,
    from: 884,
    breaks: ['ENG-E7', 'ENG-E5'],
    seeds: 4_000,
  },
  {
    name: 'a cancellation while the intent is recorded is overlooked',
    file: 'src/engine/run.ts',
    text: `if (run.signal.aborted) {`,
    by: `if (run.plan.steps.length === 0) {`,
    breaks: ['ENG-E7'],
  },
  {
    name: 'main steps go on after the cleanup has begun',
    file: 'src/engine/main-steps.ts',
    text: `if (mainOver === null) return judgeFrontier(plan, state, nowMs);`,
    by: `if (mainOver === null || nowMs > 0) return judgeFrontier(plan, state, nowMs);`,
    from: 1083,
    breaks: ['ENG-E7'],
  },
  {
    name: 'a cancelled run is not cleaned up',
    file: 'src/engine/step.ts',
    text: `const cleanup = judgeCleanupSteps(plan, state, nowMs);`,
    by: `const cleanup = judgeCleanupSteps(state.cancelled ? { ...plan, steps: [] } : plan, state, nowMs);`,
    breaks: ['ENG-E8'],
  },
  {
    name: 'only what has succeeded is undone',
    file: 'src/engine/cleanup-steps.ts',
    text: `state.step(step.undoes).attempts > 0;`,
    by: `state.step(step.undoes).last?.result.outcome === 'Succeeded';`,
    breaks: ['ENG-E8', 'ENG-E16'],
  },
  {
    name: 'a cleanup step that ended Unknown is left at that',
    file: 'src/engine/cleanup-steps.ts',
    text: `repeat: at.unseen <= MAX_UNSEEN_CLEANUPS`,
    by: `repeat: at.unseen < 0`,
    breaks: ['ENG-E8'],
  },
  {
    name: 'cancellation reaches the cleanup',
    file: 'src/engine/run.ts',
    text: `signal: planned.kind === 'cleanup' ? neverCancelled : run.signal,`,
    by: `signal: run.signal,`,
    breaks: ['ENG-E9'],
  },
  {
    name: 'a late result wins',
    file: 'src/engine/records.ts',
    text: `if (record.type === 'AttemptSettled' && open.delete(keyOf(record))) {`,
    by: `if (record.type === 'AttemptSettled' && (open.delete(keyOf(record)) || true)) {`,
    breaks: ['ENG-E10', 'ENG-E4', 'ENG-E5', 'ENG-E6', 'ENG-E8', 'ENG-E11'],
  },
  {
    name: 'a run is told to have settled before that is durable',
    file: 'src/engine/run.ts',
    text: `    await log.append({ type: 'RunSettled',`,
    by: `    void log.append({ type: 'RunSettled',`,
    breaks: ['ENG-E11'],
  },
  {
    name: 'a clock that is set back makes a pause endless',
    file: 'src/engine/retry.ts',
    text: `return aheadMs > at.pauseMs ? at.nowMs : at.endedAtMs + at.pauseMs;`,
    by: `return aheadMs === 0.5 ? at.nowMs : at.endedAtMs + at.pauseMs;`,
    breaks: ['ENG-E12'],
  },
  {
    name: 'the deadline cuts the cleanup',
    file: 'src/engine/retry.ts',
    text: `if (step.kind === 'cleanup' || at.deadlineAtMs === null) return ownMs;`,
    by: `if (at.deadlineAtMs === null) return ownMs;`,
    breaks: ['ENG-E13'],
  },
  {
    name: 'a handler that does not answer is waited for',
    file: 'src/engine/make-attempt.ts',
    text: `giveUpAfter(timeoutMs + BACKSTOP_GRACE_MS,`,
    by: `giveUpAfter(timeoutMs * 1_000 + BACKSTOP_GRACE_MS,`,
    breaks: ['ENG-E17', 'ENG-L1', 'ENG-E2', 'ENG-E5', 'ENG-E10'],
  },
  {
    name: 'an append is acknowledged before it is synced',
    file: 'src/store/journal.ts',
    text: `    await this.#file.handle.write(text);`,
    by: `    void this.#file.handle.write(text);`,
    breaks: ['ENG-E1', 'ENG-J1'],
  },
  {
    name: 'a torn line is not cut off',
    file: 'src/store/journal.ts',
    text: `return new Journal(options, lock, await writeAnew(options, limitOf(options)));`,
    by: `const there = (await files.list(folder)).includes('journal.jsonl');
      const handle = there ? await files.openAppend(pathOf(folder), FILE_MODE, 'durable') : null;
      const old = { handle, sizeBytes: 0, rotateAtBytes: limitOf(options) };
      return new Journal(options, lock, there ? old : await writeAnew(options, limitOf(options)));`,
    breaks: ['ENG-J1', 'ENG-L2', 'ENG-E1'],
  },
  {
    name: 'the journal writes on after a failure',
    file: 'src/store/journal.ts',
    text: `      for (const { reject } of [...line, ...this.#waiting.splice(0)]) reject(failure);`,
    by: `      for (const { reject } of line) reject(failure);
      this.#refusal = null;
      this.#broken = false;`,
    breaks: ['ENG-J1', 'ENG-L2', 'ENG-E1', 'ENG-L1'],
  },
  {
    name: 'a journal that recovers keeps the file that a failed write has left',
    file: 'src/store/journal.ts',
    text: `    if (this.#broken) await this.#recover();`,
    by: `    this.#broken = false;`,
    breaks: ['ENG-J1', 'ENG-L2', 'ENG-E1', 'ENG-L1'],
  },
  {
    name: 'a rotation removes the old file before it writes the new one',
    file: 'src/store/journal.ts',
    text: `  await files.replace(pathOf(folder), content, { mode: FILE_MODE });`,
    by: `  await files.remove(pathOf(folder));
  await files.create(pathOf(folder), content, FILE_MODE);`,
    breaks: ['ENG-J1', 'ENG-L2'],
  },
  {
    name: 'a rotation forgets runs that have not settled',
    file: 'src/store/run-index.ts',
    text: `    for (const runId of this.#settled) {
      if`,
    by: `    for (const runId of this.#runs.keys()) {
      if`,
    breaks: ['ENG-J1'],
  },
  {
    name: 'the last cleanup step comes first',
    file: 'src/engine/cleanup-steps.ts',
    text: `for (const step of plan.steps) {`,
    by: `for (const step of plan.steps.toReversed()) {`,
    breaks: ['ENG-E16'],
  },
  {
    name: 'a silent handler is waited for ten times as long',
    file: 'src/engine/make-attempt.ts',
    text: `BACKSTOP_GRACE_MS = 30_000`,
    by: `BACKSTOP_GRACE_MS = 300_000`,
    breaks: ['ENG-E17', 'ENG-E10', 'ENG-E2', 'ENG-E5', 'ENG-L1'],
  },
];
