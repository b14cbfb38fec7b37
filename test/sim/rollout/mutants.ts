import type { Mutant } from '../kept-mutants.ts';

const MACHINE = 'src/lifecycles/rollout/machine';
const RUNS = 'src/lifecycles/rollout/runs';

/** Each mutant breaks one promise of the rollout lifecycle by the smallest possible change. */
export const rolloutMutants: readonly Mutant[] = [
  {
    name: 'a write does not test what it replaces, nor its number',
    file: `${MACHINE}/deployment-patch.ts`,
    text: `    ...tests(deployment),
`,
    by: ``,
    from: 159,
    breaks: ['ROLL-L6', 'ROLL-L1', 'ROLL-L4', 'ROLL-L5', 'ROLL-L8'],
  },
  {
    name: 'a pod that was lost is made again',
    file: `${RUNS}/decide-attempt.ts`,
    text: `  if (attempt.podUID !== undefined) return lookFor(facts, attempt, LOST);`,
    by: ``,
    // ROLL-L8: in a terminating namespace, the defective controller requests the pod for ever.
    from: 907,
    breaks: ['ROLL-L2', 'ROLL-L8'],
  },
  {
    name: 'an attempt keeps its permit when it ends',
    file: `${RUNS}/permit.ts`,
    text: `  if (sameJson(permit?.data ?? null, data)) return;`,
    by: `  if (data !== null) return;`,
    breaks: ['ROLL-P2', 'ROLL-L2', 'ROLL-L3', 'ROLL-L4'],
  },
  {
    name: 'a drain believes status.replicas',
    file: `${MACHINE}/decide-gated.ts`,
    text: `if (livePods?.length === 0) return enter`,
    by: `if ((deployment.status?.replicas ?? 0) === 0) return enter`,
    breaks: ['ROLL-L4'],
  },
  {
    name: 'a pod that was deleted counts as gone',
    file: 'src/lifecycles/rollout/hookpod/read-hook-pod.ts',
    text: `if (running || phase === 'Unknown') return false;`,
    by: `if (isTerminating(pod)) return true;`,
    breaks: ['ROLL-L3', 'ROLL-L4', 'ROLL-L10', 'ROLL-L8', 'ROLL-S1', 'ROLL-DH16'],
  },
  {
    name: 'our finalizer goes before the outcome is recorded',
    file: `${RUNS}/decide-attempt.ts`,
    text: `  const end = attemptEnd(state, limitsOf(facts, attempt, pod));`,
    by: `  const held = (pod.metadata?.finalizers ?? []).includes('lifehook.dev/hook-run');
  if (held) return { kind: 'removeFinalizer', pod };
  const end = attemptEnd(state, limitsOf(facts, attempt, pod));`,
    breaks: ['ROLL-S1'],
  },
  {
    name: 'what was drained is scaled up without its template (ROLL-E8)',
    file: `${MACHINE}/decide-restoring.ts`,
    text: `      template: before.template,
`,
    by: ``,
    breaks: ['ROLL-L1', 'ROLL-L9', 'ROLL-L8'],
  },
  {
    name: 'post does not wait until all is available',
    file: `${MACHINE}/decide-released.ts`,
    text: `  if (isComplete(deployment)) {`,
    by: `  if (isObserved(deployment)) {`,
    breaks: ['ROLL-L7'],
  },
  {
    name: 'an end that nobody has seen counts as success',
    file: `${RUNS}/decide-attempt.ts`,
    text: `  outcome: 'Unknown',
  reason: 'PodLost',`,
    by: `  outcome: 'Succeeded',
  reason: 'PodLost',`,
    breaks: ['ROLL-L10'],
  },
  {
    name: 'a hook that was told to stop succeeds with exit code 0',
    file: 'src/lifecycles/rollout/hookpod/read-hook-pod.ts',
    text: `  return Number.isNaN(finishedMs) || finishedMs >= askedMs;`,
    by: `  return Number.isNaN(finishedMs) && finishedMs >= askedMs;`,
    breaks: ['ROLL-L10'],
  },
  {
    name: 'a template that comes back after a drain runs no hooks',
    file: `${MACHINE}/opening-phase.ts`,
    text: `isRunning(facts, digest) && wanted === null`,
    by: `isRunning(facts, digest)`,
    from: 354,
    breaks: ['ROLL-L6', 'ROLL-L5', 'ROLL-L8'],
  },
  {
    name: 'the stamp turns the number of an older write back',
    file: 'src/lifecycles/rollout/gate/stamp.ts',
    text: `    rollout: textOf(next.rollout),`,
    by: `    rollout: annotation(object, ROLLOUT) ?? textOf(next.rollout),`,
    breaks: ['ROLL-L1', 'ROLL-L6', 'ROLL-L5', 'ROLL-L8'],
  },
  {
    name: 'attempts follow each other without a pause',
    file: 'src/engine/retry.ts',
    text: `return Math.min(longestMs, firstMs * 2`,
    by: `return 0 * Math.min(longestMs, firstMs * 2`,
    breaks: ['ROLL-DH16'],
  },
  {
    name: 'pre that failed is passed by',
    file: `${MACHINE}/judge-stage.ts`,
    text: `    case 'Failed':
    case 'Unknown':`,
    by: `    case 'Failed':
      return { kind: 'passed', reason: message };
    case 'Unknown':`,
    breaks: ['ROLL-L6'],
  },
  {
    name: 'the failure of an attempt has no Event',
    file: `${RUNS}/report-stage.ts`,
    text: `reason: good ? 'HookSucceeded' : 'HookFailed',`,
    by: `reason: good ? 'HookSucceeded' : 'HookEnded',`,
    breaks: ['ROLL-L11'],
  },
  {
    name: 'the gate lets a hand-made ReplicaSet through',
    file: 'src/lifecycles/rollout/gate/judge-set.ts',
    text: `  if (!isJudged(write, deployment) || isReleased(write.set, owner)) return ALLOWED;`,
    by: `  if (write.set !== null) return ALLOWED;`,
    breaks: ['ROLL-L1', 'ROLL-L4', 'ROLL-L9'],
  },
  {
    name: 'the gate lets a ReplicaSet of a held Deployment be scaled up',
    file: 'src/lifecycles/rollout/gate/judge-set.ts',
    text: `  if (grows && state.held) return`,
    by: `  if (grows && state.held && write.old === null) return`,
    breaks: ['ROLL-L4'],
  },
  {
    name: 'the deletion of a lifecycle releases what it holds',
    file: `${MACHINE}/at-deletion.ts`,
    text: `  if (facts.lifecycle.spec.onDelete === 'Release') return`,
    by: `  if (facts.lifecycle.spec.onDelete !== undefined || before !== null) return`,
    breaks: ['ROLL-L1'],
  },
  {
    name: 'a lifecycle that is created late takes a paused template as released',
    file: `${MACHINE}/decide-stamp.ts`,
    text: `  if (!isPaused(facts.deployment)) return presentTemplate(facts);`,
    by: `  if (facts.sets.length >= 0) return presentTemplate(facts);`,
    breaks: ['ROLL-L1', 'ROLL-L6'],
  },
  {
    name: 'a template that was resumed before its next lifecycle is gated again',
    file: `${MACHINE}/decide-stamp.ts`,
    text: `  return isResumed ? releaseResumed(deployment, number) : null;`,
    by: `  return isResumed && number === 0 ? releaseResumed(deployment, number) : null;`,
    from: 670,
    breaks: ['ROLL-L9'],
  },
  {
    name: 'a first template that a deleted lifecycle has left paused is released',
    file: `${MACHINE}/decide-ends.ts`,
    text: `  if (isLeftHeld(deployment)) return decideLeftHeld(deployment, number);
`,
    by: `  decideLeftHeld(deployment, number);
`,
    from: 102,
    breaks: ['ROLL-L1'],
  },
  {
    name: 'the proof of our write does not cover its template',
    file: 'src/lifecycles/rollout/gate/write-proof.ts',
    text: `    template: templateDigest(spec?.template),`,
    by: `    template: spec === undefined ? templateDigest(spec) : '',`,
    breaks: ['ROLL-L6', 'ROLL-L1', 'ROLL-L8'],
  },
  {
    name: 'the replicas go to 0 in the write that has their count',
    file: `${MACHINE}/decide-gated.ts`,
    text: `change: isKept ? { replicas: 0 } : {`,
    by: `change: isKept ? { replicas: 0 } : { replicas: 0,`,
    breaks: ['ROLL-L5'],
  },
  {
    name: 'a template that another webhook puts into our write keeps its number',
    file: 'src/lifecycles/rollout/gate/stamp.ts',
    text: `  const next = changed ? nextNumbers(was)`,
    by: `  const next = changed && annotation(object, WRITE_PROOF) === undefined ? nextNumbers(was)`,
    breaks: ['ROLL-L5', 'ROLL-L6', 'ROLL-L1', 'ROLL-L8', 'ROLL-L9'],
  },
];
