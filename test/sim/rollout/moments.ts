/** Actions of users, and troubles, that wait for a certain moment of a rollout. */
import { resourceName } from '../../../src/kube/object.ts';
import { deployments, pods } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type Phase,
} from '../../../src/lifecycles/rollout/kinds.ts';
import { ABORT } from '../../../src/lifecycles/rollout/names.ts';
import { deleteHookPod, freeHookPod, hasHookPod, meet, type People, revert } from './people.ts';
import { createRival } from './rivals.ts';
import { KEY_OF_WEB } from './scene.ts';
import type { Struck } from './strikes.ts';

export type MomentTrouble =
  /** Users abort a rollout in any of its phases, or write its old template again. */
  | 'aborts'
  /** Nodes are lost when a drain begins. */
  | 'drains'
  /** The Deployment is deleted and created again at once, as by `kubectl replace --force`. */
  | 'replacements'
  /** The Deployment is scaled past the gate while it is held at 0 replicas, or to 0 just before. */
  | 'bypasses'
  /** A second lifecycle names the Deployment. */
  | 'rivals'
  /** Users pause and resume the Deployment in its short phases. */
  | 'pauses'
  /** Users delete the hook pods of a rollout: by force, as the next template is stored, or without a lifecycle. */
  | 'tidyings';

export const MOMENT_TROUBLES: readonly [MomentTrouble, ...MomentTrouble[]] = [
  'aborts',
  'drains',
  'replacements',
  'bypasses',
  'rivals',
  'pauses',
  'tidyings',
];

const BLOWS: Readonly<Record<MomentTrouble, (struck: Struck) => void>> = {
  aborts: (struck) => {
    const phase = struck.random.pick<Phase>(['Pre', 'Draining', 'Mid', 'Progressing', 'Post']);
    inPhase(struck, [phase], struck.random.chance(0.3) ? goBack : abort);
  },
  drains: (struck) => {
    inPhase(struck, ['Draining'], loseNode);
  },
  replacements: (struck) => {
    inPhase(struck, ['Pre', 'Mid', 'Post'], (then) => {
      meet(then, 'Deployment deleted', () => {
        replaceDeployment(then);
      });
    });
  },
  bypasses: (struck) => {
    if (struck.random.chance(0.5)) whenHeld(struck);
    else whenRecorded(struck);
  },
  rivals: createRival,
  pauses: (struck) => {
    const phase = struck.random.pick<Phase>(['Draining', 'Restoring', 'RollingBack']);
    inPhase(struck, [phase], (then) => {
      meet(then, 'paused or resumed', () => {
        pauseOrResume(then);
      });
    });
  },
  tidyings: (struck) => {
    if (struck.random.chance(0.5)) whenUnwatched(struck);
    else inPhase(struck, ['Pre', 'Mid', 'Post'], free);
  },
};

export function isMomentTrouble(trouble: string): trouble is MomentTrouble {
  return (MOMENT_TROUBLES as readonly string[]).includes(trouble);
}

export function strikeAtMoment(trouble: MomentTrouble, struck: Struck): void {
  BLOWS[trouble](struck);
}

/** Milliseconds after the phase began, within which a hook has started or a drain is in progress. */
const SOON_MS = 1_500;
const LOST_MS = 60_000;
/** Milliseconds after the record of the wanted count, within which the controller sets the 0 of the hold. */
const HOLD_MS = 10;
const LIFECYCLES = resourceName(deploymentLifecycles);
const DEPLOYMENTS = resourceName(deployments);
const PODS = resourceName(pods);

/** Acts once: soon after a rollout enters one of the phases, or soon if it is in one now. */
export function inPhase(
  struck: Struck,
  phases: readonly Phase[],
  act: (struck: Struck) => void,
): void {
  const { api, world, random } = struck;
  // The phase Releasing lasts only for one write.
  const withinMs = phases.includes('Releasing') ? 0 : SOON_MS;
  const isNow = (): boolean => {
    const found: unknown = api.find(deploymentLifecycles, KEY_OF_WEB);
    const phase = (found as DeploymentLifecycle | undefined)?.status?.rollout?.phase;
    return phase !== undefined && phases.includes(phase);
  };
  const strikeSoon = (): void => {
    world.after(random.between(0, withinMs), () => {
      if (struck.isFaulty() && isNow()) act(struck);
    });
  };
  if (isNow()) {
    strikeSoon();
    return;
  }
  const forget = api.onCommit(({ resource }) => {
    if (resource !== LIFECYCLES || !isNow()) return;
    forget();
    strikeSoon();
  });
}

function abort(struck: Struck): void {
  meet(struck, 'retry or abort', ({ hands }) => {
    const { rollout = null } = hands.stored === undefined ? {} : gateStateOf(hands.stored);
    if (rollout !== null) hands.annotate({ [ABORT]: String(rollout) });
  });
}

function goBack(struck: Struck): void {
  meet(struck, 'template changed', revert);
}

function free(struck: Struck): void {
  meet(struck, 'hook pod deleted', freeHookPod);
}

/** Loses a node for longer than most deadlines. Sometimes a user aborts then, except in seeds about drains. */
function loseNode(struck: Struck): void {
  const { nodes, random, world, scene } = struck;
  const isAwaited = scene.leadsTo === 'draining';
  nodes.lose(random.between(isAwaited ? LOST_MS / 2 : 1_000, LOST_MS), random.chance(0.4));
  if (isAwaited || random.chance(0.5)) return;
  world.after(random.between(0, 2 * SOON_MS), () => {
    if (struck.isFaulty()) abort(struck);
  });
}

/** Replaces the Deployment. The garbage collector may be stopped for a while. */
function replaceDeployment({ world, api, hands, random, workloads }: Struck): void {
  if (hands.stored === undefined) return;
  world.note('a user replaces the Deployment');
  workloads.stopFor(random.between(0, LOST_MS));
  api.delete(deployments, KEY_OF_WEB, {});
  world.after(random.between(0, 50), () => {
    if (hands.stored === undefined) hands.replace(hands.nextVersion(), random.between(0, 3));
  });
}

/** Scales the Deployment past the gate, when it is held at 0 replicas or will be. */
function whenHeld(struck: Struck): void {
  const { api, world, random, scene, gate } = struck;
  if (scene.gate !== 'Admission') return;
  const isNow = (): boolean => {
    const { stored } = struck.hands;
    if (stored?.spec?.replicas !== 0 || gate.isDown) return false;
    const { held, wantedReplicas, labelled } = gateStateOf(stored);
    return held && labelled && wantedReplicas !== null;
  };
  const scaleSoon = (): void => {
    world.after(random.between(0, SOON_MS), () => {
      if (!struck.isFaulty() || !isNow()) return;
      meet(struck, 'scaled', ({ hands }) => {
        hands.scalePastGate(random.between(1, 4));
      });
    });
  };
  if (isNow()) {
    scaleSoon();
    return;
  }
  const forget = api.onCommit(({ resource }) => {
    if (resource !== DEPLOYMENTS || !isNow()) return;
    forget();
    scaleSoon();
  });
}

/** Scales to 0 between the record of the wanted count and the 0 of the hold, in one of the usual ways. */
function whenRecorded(struck: Struck): void {
  const { api, world, random, scene, hands } = struck;
  if (scene.gate !== 'Admission') return;
  const isNow = (): boolean => {
    const { stored } = hands;
    if (stored === undefined || stored.spec?.replicas === 0) return false;
    const { gated, wantedReplicas, labelled } = gateStateOf(stored);
    return gated && labelled && wantedReplicas !== null;
  };
  const forget = api.onCommit(({ resource }) => {
    if (resource !== DEPLOYMENTS || !isNow()) return;
    forget();
    world.after(random.between(0, HOLD_MS), () => {
      if (!struck.isFaulty() || !isNow()) return;
      meet(struck, 'scaled', scaleToZero);
    });
  });
}

function scaleToZero({ hands, random }: People): void {
  switch (random.pick(['scale', 'patch', 'apply', 'replace'])) {
    case 'scale':
      hands.scale(0);
      return;
    case 'patch':
      hands.patch({ replicas: 0 });
      return;
    case 'apply':
      hands.setTemplate(hands.nextVersion(), { replicas: 0 });
      return;
    default:
      hands.replace(hands.nextVersion(), 0);
  }
}

function pauseOrResume({ hands, scene }: Struck): void {
  const isPaused = hands.stored?.spec?.paused === true;
  // Without a webhook, a user who resumes the Deployment would bypass the gate.
  if (scene.gate === 'Admission' || !isPaused) hands.patch({ paused: !isPaused });
}

/** Deletes a hook pod while no rollout is open: after a new template was stored, or without a lifecycle. */
function whenUnwatched(struck: Struck): void {
  const { api, world, random, isFaulty } = struck;
  const phase = random.pick(['gated', 'no lifecycle']);
  const forget = api.onCommit(({ resource }) => {
    if (resource !== DEPLOYMENTS && resource !== PODS) return;
    if (!world.faults.phases().includes(phase) || !hasHookPod(api)) return;
    forget();
    world.after(0, () => {
      if (isFaulty()) meet(struck, 'hook pod deleted', deleteHookPod);
    });
  });
}
