import type { Mutant } from '../kept-mutants.ts';

const APP = 'src/lifecycles/snapshot/app';
const GUARD = 'src/lifecycles/snapshot/guard';

/** Each mutant breaks one promise of a guard to other clients. */
export const guardMutants: readonly Mutant[] = [
  {
    name: 'a window admits before all of its hooks have frozen',
    file: `${APP}/decide-window.ts`,
    text: `  if (step.kind === 'requestCut') return { kind: 'beginAdmitting' };`,
    by: `  if (['requestCut', 'waitFor'].includes(step.kind)) return { kind: 'beginAdmitting' };`,
    breaks: ['SNAP-W1'],
  },
  {
    name: 'the webhook answers before its record of the UID',
    file: `${GUARD}/admissions.ts`,
    text: `      return (await written) !== null;`,
    by: `      return window.metadata !== undefined;`,
    breaks: ['SNAP-W2'],
  },
  {
    name: 'a cut after the end of its window counts',
    file: `${APP}/decide-window.ts`,
    text: `    state.kind === 'settled' ? state.outcome : 'NotCut',`,
    by: `    state.kind === 'settled' ? state.outcome : 'Cut',`,
    breaks: ['SNAP-W3', 'SNAP-W5'],
  },
  {
    name: 'a snapshot that does not appear is waited for until the cut deadline',
    file: `${APP}/admitted-facts.ts`,
    text: `    : { object: null, isMissing: true, forMs };`,
    by: `    : { object: null, isMissing: false, forMs };`,
    breaks: ['SNAP-W4'],
  },
  {
    name: 'a snapshot that is stored after its window gets no mark',
    file: `${APP}/decide-end.ts`,
    text: `  const marks = admittedMarksDue(facts);`,
    by: `  const admitted = facts.admitted.filter(({ entry }) => entry.outcome !== 'NotCreated');
  const marks = admittedMarksDue({ ...facts, admitted });`,
    breaks: ['SNAP-W5'],
  },
  {
    name: 'a request opens the next window while one is open that is not for it',
    file: `${GUARD}/choose-window.ts`,
    text: `  if (message !== null) return { kind: 'wait', message };`,
    by: `  if (message !== null) return open;`,
    breaks: ['SNAP-W6'],
  },
  {
    name: 'the members of a group are guarded themselves',
    file: `${GUARD}/read-guards.ts`,
    text: `  return found?.metadata?.uid === group.uid ? 'member' : 'orphan';`,
    by: `  return 'none';`,
    breaks: ['SNAP-W7'],
  },
  {
    name: 'an application does not rest after a freeze in vain',
    file: `${GUARD}/rest.ts`,
    text: `  if (cutRequestedAt === undefined || endedAt === undefined) return 0;`,
    by: `  if (endedAt !== '') return 0;`,
    breaks: ['SNAP-W14'],
  },
  {
    name: 'a dry run opens a window',
    file: `${GUARD}/requested-snapshot.ts`,
    text: `operation === 'CREATE' && !dryRun && subResource === ''`,
    by: `operation === 'CREATE' && dryRun !== null && subResource === ''`,
    breaks: ['SNAP-W7'],
  },
  {
    name: 'a guard that refuses lets through what was not frozen',
    file: `${GUARD}/judge-request.ts`,
    text: `guard.spec.onFreezeFailure === 'Allow' && !signal.aborted`,
    by: `guard.spec.onFreezeFailure !== undefined && !signal.aborted`,
    breaks: ['SNAP-W8'],
  },
  {
    name: 'a guard that is deleted takes its open windows along',
    file: `${GUARD}/decide.ts`,
    text: `    if (completedAt === undefined || isTerminating(window)) return false;
    return nowMs - Date.parse(completedAt) >= KEPT_AT_LEAST_MS;`,
    by: `    if (isTerminating(window)) return false;
    return guard === null || nowMs - Date.parse(completedAt ?? '') >= KEPT_AT_LEAST_MS;`,
    breaks: ['SNAP-W13'],
  },
  {
    name: 'a window that admits nothing stays frozen',
    file: `${APP}/decide-window.ts`,
    text: `  const leftMs = APPEARS_WITHIN_MS - cutForMs;`,
    by: `  const leftMs = 600_000 - cutForMs;`,
    breaks: ['SNAP-W4'],
  },
  {
    name: 'an admission overwrites the close',
    file: `${GUARD}/admissions.ts`,
    text: `      if (isReason(error, 'Conflict', 'NotFound')) return null;`,
    by: `      if (isReason(error, 'Conflict') && entry.unfrozen === undefined) {
        const { namespace = '', name = '' } = window.metadata ?? {};
        const newest = await this.#client.get(applicationSnapshots, { namespace, name });
        return this.#client.replaceStatus(applicationSnapshots, { ...object, metadata: newest.metadata ?? {} });
      }
      if (isReason(error, 'Conflict', 'NotFound')) return null;`,
    breaks: ['SNAP-W2'],
  },
  {
    name: 'a snapshot that is never ready to use keeps all verdicts back',
    file: `${APP}/decide-end.ts`,
    text: `export function decideWindowReady({ snapshot }: SnapshotFacts): Step {`,
    by: `export function decideWindowReady({ snapshot, admitted }: SnapshotFacts): Step {
  if (admitted.some(({ content }) => content !== null && content.status?.readyToUse !== true))
    return { kind: 'wait', reason: 'not all of its snapshots are ready to use' };`,
    breaks: ['SNAP-W3'],
  },
];
