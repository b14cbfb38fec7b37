import type { Mutant } from '../kept-mutants.ts';

const HOOK = 'src/lifecycles/snapshot/hook';
const APP = 'src/lifecycles/snapshot/app';

/** Each mutant decides a verdict with too little evidence, or prevents the terminal state of a snapshot. */
export const verdictMutants: readonly Mutant[] = [
  {
    name: 'a snapshot is judged before all of its hooks have told what they know',
    file: `${APP}/decide.ts`,
    text: `  if (hooks.length < executionHookNames.length) {`,
    by: `  if (hooks.length > executionHookNames.length) {`,
    breaks: ['SNAP-I13', 'SNAP-I2'],
  },
  {
    name: 'a hook that was thawed for another cause counts as frozen until the cut',
    file: `${APP}/evidence.ts`,
    text: `  if (release.cause !== 'Cut') {`,
    by: `  if (release.cause === 'PreFailed') {`,
    breaks: ['SNAP-I13', 'SNAP-I2'],
  },
  {
    name: 'a volume that the group snapshot lacks is no matter',
    file: `${APP}/verdict.ts`,
    text: `  if (missing.length > 0) {`,
    by: `  if (missing.length > 99) {`,
    breaks: ['SNAP-CASE39', 'SNAP-I2'],
  },
  {
    name: 'a volume that was copied file by file counts as cut at one moment',
    file: `${APP}/verdict.ts`,
    text: `  if (copied.length === 0) return null;`,
    by: `  if (copied.length >= 0) return null;`,
    breaks: ['SNAP-I22'],
  },
  {
    name: 'a thaw that a person asked for is recorded as that of the cut',
    file: `${HOOK}/decide-release.ts`,
    text: `  if (annotations[RELEASE] !== undefined) return 'Human';`,
    by: `  if (annotations[RELEASE] !== undefined) return 'Cut';`,
    breaks: ['SNAP-I21'],
  },
  {
    name: 'a cut that does not come is waited for past its deadline',
    file: `${APP}/decide.ts`,
    text: `  const leftMs = seconds * 1_000 - cutForMs;`,
    by: `  const leftMs = (seconds + 900) * 1_000 - cutForMs;`,
    breaks: ['SNAP-CASE22'],
  },
  {
    name: 'a cut that does not come is given up before its deadline',
    file: `${APP}/decide.ts`,
    text: `  const leftMs = seconds * 1_000 - cutForMs;`,
    by: `  const leftMs = (seconds - 3) * 1_000 - cutForMs;`,
    breaks: ['SNAP-CASE30', 'SNAP-I18'],
  },
  {
    name: 'a VolumeSnapshot that is deleted after its cut is waited for',
    file: `${APP}/decide.ts`,
    text: `  if (lost === undefined) return null;`,
    by: `  if (lost !== null) return null;`,
    breaks: ['SNAP-I23', 'SNAP-I20'],
  },
  {
    name: 'a thaw is marked as done by hand while a session helper may still thaw',
    file: `${HOOK}/decide-thaw.ts`,
    text: `!mayHolderThaw(target, known[index], shared)`,
    by: `(mayHolderThaw(target, known[index], shared) || true)`,
    breaks: ['SNAP-I9'],
  },
];
