/**
 * Each mutant omits a duty of the rollout lifecycle: a deadline, an abort, a condition, or the deletion of old objects.
 */
import type { Mutant } from '../kept-mutants.ts';

const MACHINE = 'src/lifecycles/rollout/machine';
const ATTEMPT_END = 'src/lifecycles/rollout/runs/decide-attempt.ts';

export const rolloutDutyMutants: readonly Mutant[] = [
  {
    name: 'the deadline of a drain is never over',
    file: `${MACHINE}/decide-gated.ts`,
    text: `const left = leftMs(facts, deadlineSeconds(facts));`,
    by: `const left = leftMs(facts, 1e6 * deadlineSeconds(facts));`,
    breaks: ['ROLL-L12'],
  },
  {
    name: 'the deadline of a drain passes, and the drain waits for it again',
    file: `${MACHINE}/decide-gated.ts`,
    text: `  if (left <= 0) {`,
    by: `  if (Number.isNaN(left)) {`,
    breaks: ['run', 'ROLL-L12'],
  },
  {
    name: 'what is scaled while it is held keeps its replicas',
    file: `${MACHINE}/decide.ts`,
    text: `return replicasOf(facts.deployment) === 0 ? null : hold(facts, 'they are held');`,
    by: `return null;`,
    breaks: ['ROLL-L16', 'ROLL-L5'],
  },
  {
    name: 'a 0 that a client sets between the record and the hold is lost',
    file: 'src/lifecycles/rollout/gate/stamp.ts',
    text: `  if (isScaledToZero(update)) return { asked: 0, said: null, kept: null };
`,
    by: ``,
    from: 627,
    breaks: ['ROLL-L5'],
  },
  {
    name: 'a scale to 0 between the record and the hold is admitted',
    file: 'src/lifecycles/rollout/gate/judge.ts',
    text: `  const isRepeated = replicas === 0 && replicasOf(deployment) === 0;`,
    by: `  const isRepeated = replicas === 0;`,
    from: 828,
    breaks: ['ROLL-L5'],
  },
  {
    name: 'a 0 of the hold that another webhook changes is taken for the count of a client',
    file: 'src/lifecycles/rollout/gate/stamp.ts',
    text: `  const isKept = proof !== undefined && proof === annotation(old, WRITE_PROOF);`,
    by: `  const isKept = proof !== undefined || annotation(old, WRITE_PROOF) !== undefined;`,
    from: 836,
    breaks: ['ROLL-L5'],
  },
  {
    name: 'hooks of a replaced Deployment go on',
    file: `${MACHINE}/decide-ends.ts`,
    text: `  const clearing = ending ?? clearPods({ ...facts, hookPods: others }, message);
  if (clearing !== null) return clearing;
`,
    by: `  if (others.length < 0) return ending;
`,
    from: 147,
    breaks: ['ROLL-L15', 'ROLL-L8', 'ROLL-S1'],
  },
  {
    name: 'a lifecycle in the manifest of its Deployment is not waited for',
    file: `${MACHINE}/decide-ends.ts`,
    text: `const LIFECYCLE_EXPECTED_MS = 5_000;`,
    by: `const LIFECYCLE_EXPECTED_MS = 0;`,
    breaks: ['ROLL-L17'],
  },
  {
    name: 'a hook pod that is late is waited for',
    file: ATTEMPT_END,
    text: `  if (nowMs < untilMs) return { untilMs, stop: null };`,
    by: `  if (untilMs > 0) return { untilMs, stop: null };`,
    breaks: ['run', 'ROLL-L13'],
  },
  {
    name: 'the timeout of a hook is not counted',
    file: ATTEMPT_END,
    text: `  const timeoutMs = timeoutSeconds === undefined ? Infinity : timeoutSeconds * 1_000;`,
    by: `  const timeoutMs = Infinity;`,
    from: 372,
    breaks: ['ROLL-L13'],
  },
  {
    name: 'an abort is not heard during a drain',
    file: `${MACHINE}/decide-gated.ts`,
    text: `  const cause = abortAsked(facts);
  if (cause !== null) return abort(facts, cause);
  if (wanted`,
    by: `  if (wanted`,
    from: 142,
    breaks: ['ROLL-L14'],
  },
  {
    name: 'the Deployment has no condition of a failure',
    file: `${MACHINE}/decide.ts`,
    text: `  return isSet ? null : { kind: 'reportDeployment'`,
    by: `  return isSet || failure !== null ? null : { kind: 'reportDeployment'`,
    breaks: ['ROLL-DH14'],
  },
  {
    name: 'the failure of a rollout has no Event',
    file: `${MACHINE}/decide-abort.ts`,
    text: `    reason: 'Failed',
    message: \`Rollout \${number} has failed`,
    by: `    reason: 'Ended',
    message: \`Rollout \${number} has failed`,
    breaks: ['ROLL-DH14'],
  },
  {
    name: 'the newest of two lifecycles acts',
    file: `${MACHINE}/caches.ts`,
    text: `(ageOf(a) < ageOf(b) ? -1 : 1)`,
    by: `(ageOf(a) < ageOf(b) ? 1 : -1)`,
    breaks: ['ROLL-L18'],
  },
  {
    name: 'the second of two lifecycles does not say that it does nothing',
    file: `${MACHINE}/decide.ts`,
    text: `  if (rival !== null) return rival;`,
    by: `  if (rival?.kind === 'removeFinalizer') return rival;`,
    breaks: ['ROLL-L8', 'ROLL-L18'],
  },
  {
    name: 'a hook pod counts as running while a sidecar of another webhook runs',
    file: 'src/lifecycles/rollout/hookpod/read-hook-pod.ts',
    text: `  if (terminated !== undefined) return endOf(pod, terminated);`,
    by: `  if (terminated !== undefined && isFinished(pod)) return endOf(pod, terminated);`,
    breaks: ['ROLL-DH13', 'ROLL-L13'],
  },
];
