/** Stamps the Deployment with the number of its current template, if there is no webhook or it was bypassed. Pure. */
import { gateStateOf } from '../gate/gate-state.ts';
import { stampAtRest } from '../gate/stamp-at-rest.ts';
import type { DeploymentLifecycle, ReleasedTemplate } from '../kinds.ts';
import { RELEASED, ROLLOUT, WANTED_REPLICAS } from '../names.ts';
import type { Managed } from './facts.ts';
import { holdAtZero, isLeftHeld, marksOf } from './marks.ts';
import { bypassEmits } from './bypass.ts';
import { releaseResumed } from './decide-releasing.ts';
import { isPaused, isPausedAtRest, lastReleased, lastRollout, replicasOf, uidOf } from './parts.ts';
import { nowText } from './phases.ts';
import type { MachineStep, Emits } from './step.ts';
import {
  digestOf,
  lastRun,
  presentTemplate,
  runningTemplate,
  setOf,
  type UnnumberedTemplate,
} from './templates.ts';

/**
 * The step for a Deployment that a deleted lifecycle left paused, and that a user resumed before this lifecycle was
 * created: the running template counts as released. A paused Deployment with pods was resumed too, and then paused
 * again. null: it was not resumed.
 */
export function decideResumed(facts: Managed): MachineStep | null {
  const { lifecycle, deployment } = facts;
  const { number, labelled } = marksOf(deployment);
  if (number === null || !isLeftHeld(deployment)) return null;
  if (labelled || knownNumber(lifecycle) > 0) return null;
  const isResumed = !isPaused(deployment) || runningTemplate(facts) !== null;
  return isResumed ? releaseResumed(deployment, number) : null;
}

/** null: the Deployment has the correct number. */
export function decideStamp(facts: Managed): MachineStep | null {
  const { lifecycle, deployment } = facts;
  const { number, released } = marksOf(deployment);
  const known = knownNumber(lifecycle);
  if (isChangedSince(facts)) return adopt(facts);
  if (known === 0)
    return number === null || number === released ? adopt(facts) : adoptBefore(facts);
  if (number === null || number < known) return stampAgain(facts);
  if (number === known) return stampChange(facts);
  // `kubectl rollout undo` restores the numbers of an older ReplicaSet. Without the label the gate does not see that
  // write.
  return number === released ? adopt(facts) : adoptRunning(facts);
}

/**
 * True: the template changed while no lifecycle was in charge. The Deployment has neither label nor number, and the
 * record is outdated.
 */
function isChangedSince(facts: Managed): boolean {
  const { lifecycle, deployment } = facts;
  const { number, labelled } = marksOf(deployment);
  const { digest } = lastReleased(lifecycle) ?? {};
  const isOpen = number === null && !labelled && !isPausedAtRest(lifecycle);
  if (!isOpen || digest === undefined || lastRollout(lifecycle) !== null) return false;
  return ![undefined, digest].includes(adoptable(facts)?.digest);
}

/** The last number in the status; 0: the status has none. */
function knownNumber(lifecycle: DeploymentLifecycle): number {
  const { number: rollout } = lastRollout(lifecycle) ?? { number: 0 };
  const { number: released } = lastReleased(lifecycle) ?? { number: 0 };
  return Math.max(rollout, released);
}

/**
 * Adopts a Deployment that ran before the lifecycle: its running template counts as released, and no pod is changed.
 */
function adopt(facts: Managed): MachineStep {
  const { deployment } = facts;
  const { number } = marksOf(deployment);
  const first = firstNumber(facts);
  const running = adoptable(facts);
  if (running === null) return stamp(facts, first, 0);
  const released = { ...running, number: number ?? first };
  return {
    kind: 'record',
    reason: `the running template counts as rollout ${released.number}`,
    status: { deploymentUID: uidOf(deployment), released },
    emits: number === null ? passedBy(facts) : {},
  };
}

/**
 * The template that was allowed to run. If the Deployment is paused, the template in its spec may be newer than the
 * pause, and then counts as unreleased. null: no template has run yet.
 */
function adoptable(facts: Managed): UnnumberedTemplate | null {
  if (!isPaused(facts.deployment)) return presentTemplate(facts);
  const hasSet = setOf(facts.sets, digestOf(facts)) !== null;
  return runningTemplate(facts) ?? (hasSet ? presentTemplate(facts) : lastRun(facts));
}

/** The number of an adopted template. It is greater than the numbers in the HookRuns of an earlier lifecycle. */
function firstNumber({ deployment, hookRuns, lifecycle }: Managed): number {
  const known = hookRuns.filter(({ spec }) => spec.deploymentUID === uidOf(deployment));
  const before = Math.max(0, ...known.map(({ spec }) => spec.rollout));
  const { number } = marksOf(deployment);
  return Math.max(before + 1, number ?? 1, lastReleased(lifecycle)?.number ?? 1);
}

/**
 * Adopts a Deployment that was released while no lifecycle named it, and whose template has changed since: the running
 * template is not in the spec.
 */
function adoptBefore(facts: Managed): MachineStep | null {
  const { released: number } = marksOf(facts.deployment);
  const running = lastRun(facts);
  if (number === 0 || running === null) return null;
  return recordRunning(facts, { ...running, number });
}

/**
 * Corrects the adopted template if it never ran: it was replaced, and so paused, before the Deployment controller
 * created its ReplicaSet. Without the correction, a return to that template would skip its hooks, as if its pods were
 * running.
 */
function adoptRunning(facts: Managed): MachineStep | null {
  const { lifecycle, sets } = facts;
  const adopted = lastReleased(lifecycle);
  if (adopted === null || lastRollout(lifecycle) !== null) return null;
  const running = runningTemplate(facts);
  if (running === null || setOf(sets, adopted.digest) !== null) return null;
  return recordRunning(facts, { ...running, number: adopted.number });
}

function recordRunning({ deployment }: Managed, released: ReleasedTemplate): MachineStep {
  return {
    kind: 'record',
    reason: `the running template counts as rollout ${released.number}`,
    status: { deploymentUID: uidOf(deployment), released },
    emits: {},
  };
}

/** Restores the numbers from the status, because those of the Deployment were removed or decreased. */
function stampAgain(facts: Managed): MachineStep {
  const { digest, number, released } = lastNumbers(facts);
  const isSame = digestOf(facts) === digest;
  return stamp(facts, isSame ? number : number + 1, released);
}

interface LastNumbers {
  readonly digest: string;
  readonly number: number;
  readonly released: number;
}

/** The numbers of the last known template. */
function lastNumbers({ lifecycle }: Managed): LastNumbers {
  const { digest: old, number: before } = lastReleased(lifecycle) ?? { digest: '', number: 0 };
  const rollout = lastRollout(lifecycle);
  if (rollout === null) return { digest: old, number: before, released: before };
  const { number, digest, phase, releasedAt } = rollout;
  if (phase === 'RolledBack') return { digest: old, number, released: number };
  return { digest, number, released: releasedAt === undefined ? before : number };
}

/** Writes numbers to the Deployment. */
function stamp(facts: Managed, number: number, released: number): MachineStep {
  const { lifecycle } = facts;
  return {
    kind: 'changeDeployment',
    reason: `it gets the number ${number}; number ${released} is released`,
    change: {
      ...(isPausedAtRest(lifecycle) ? {} : { labelled: true }),
      ...(number === released ? {} : { paused: true }),
      annotations: {
        ...wantedCount(facts, number !== released),
        [ROLLOUT]: String(number),
        [RELEASED]: String(released),
      },
    },
    emits: {},
  };
}

/**
 * The wanted count that is written together with new numbers. It is kept if the status has an unreleased rollout, or
 * if the gate already holds the Deployment. Otherwise nothing holds the replicas: the count is from a user or from
 * `kubectl rollout undo`, and is removed. Numbers that gate a Deployment with 0 replicas hold it there (ROLL-E15).
 */
function wantedCount(facts: Managed, gates: boolean): Readonly<Record<string, string | null>> {
  const { deployment } = facts;
  const last = lastNumbers(facts);
  const { labelled, held } = gateStateOf(deployment);
  if (last.number !== last.released || (labelled && held)) {
    return gates ? holdAtZero(deployment) : {};
  }
  return { [WANTED_REPLICAS]: gates && replicasOf(deployment) === 0 ? '0' : null };
}

/** Stamps a template that changed without a new number. */
function stampChange(facts: Managed): MachineStep | null {
  const { deployment } = facts;
  const expected = expectedDigests(facts);
  const [first = ''] = expected;
  if (expected.includes(digestOf(facts))) return null;
  const operations = stampAtRest(deployment, first);
  if (operations === null) return null;
  const message = 'the template has changed without its hooks';
  const isOurs = isPausedAtRest(facts.lifecycle) && isPaused(deployment);
  return {
    kind: 'stampDeployment',
    reason: 'the template has changed',
    operations,
    emits: isOurs ? {} : bypassEmits(facts, message),
  };
}

function expectedDigests({ lifecycle, deployment }: Managed): readonly string[] {
  const { rollout, released } = lifecycle.status ?? {};
  const before = released === undefined ? [] : [released.digest];
  if (rollout === undefined || rollout.number !== marksOf(deployment).number) return before;
  if (rollout.phase === 'RolledBack') return before;
  const isBoth = rollout.phase === 'Restoring' || rollout.phase === 'RollingBack';
  return isBoth ? [rollout.digest, ...before] : [rollout.digest];
}

/**
 * Reports a bypass if the Deployment was created after its lifecycle and has no number: the webhook was not called for
 * it.
 */
function passedBy(facts: Managed): Emits {
  const { lifecycle, deployment } = facts;
  if (isPausedAtRest(lifecycle)) return {};
  const createdMs = Date.parse(deployment.metadata?.creationTimestamp ?? nowText(facts));
  if (createdMs <= Date.parse(lifecycle.metadata?.creationTimestamp ?? nowText(facts))) return {};
  return bypassEmits(facts, 'the Deployment was created without the webhook, and runs already');
}
