/** Plans the rollout of a new template with the functions by which the controller decides and builds. Pure. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import type { MissingPermission } from '../../controller/ask-permissions.ts';
import type { Json } from '../../kube/object.ts';
import type { GateProof } from '../../lifecycles/rollout/gate/armed-probe.ts';
import { gateStateOf } from '../../lifecycles/rollout/gate/gate-state.ts';
import { nextNumbers } from '../../lifecycles/rollout/gate/stamp.ts';
import { buildHookPod, isRefusal } from '../../lifecycles/rollout/hookpod/build-hook-pod.ts';
import type {
  DeploymentLifecycle,
  Direction,
  LifecycleHook,
  LifecycleHookFailurePolicy,
  Stage,
} from '../../lifecycles/rollout/kinds.ts';
import type { Managed } from '../../lifecycles/rollout/machine/facts.ts';
import { beginningOf, directionOf } from '../../lifecycles/rollout/machine/opening-phase.ts';
import { deadlineSeconds, hookOf } from '../../lifecycles/rollout/machine/stage-hooks.ts';
import { releasedTemplate } from '../../lifecycles/rollout/machine/templates.ts';
import { templateDigest } from '../../lifecycles/rollout/template-digest.ts';
import { changedPaths } from './changed-paths.ts';

export interface PlanFacts {
  /** The current Deployment; null: it does not exist yet. */
  readonly stored: Deployment | null;
  /** The wanted Deployment; null: none was given, so the next rollout is planned with the current template. */
  readonly wanted: Deployment | null;
  readonly lifecycle: DeploymentLifecycle;
  /** All ReplicaSets of the namespace. */
  readonly sets: readonly ReplicaSet[];
  /** null: the gate cannot be proven, because there is no Deployment yet. */
  readonly proof: GateProof | null;
  readonly missingPermissions: readonly MissingPermission[];
  readonly nowMs: number;
}

export interface RolloutPlan {
  readonly namespace: string;
  readonly deployment: string;
  readonly gate: { readonly mode: string; readonly proof: GateProof | null };
  /** Assumed: no manifest was given. None: the manifest does not change the template. */
  readonly change: 'New' | 'Template' | 'None' | 'Assumed';
  readonly changed: readonly string[];
  readonly fromDigest?: string;
  readonly toDigest: string;
  readonly number: number;
  readonly direction: Direction;
  /** The phases of the rollout, in order; empty: nothing would be rolled out. */
  readonly steps: readonly string[];
  readonly hooks: readonly PlannedHook[];
  /** Texts about known conditions that would make the rollout fail. */
  readonly obstacles: readonly string[];
  /** Permissions that the controller needs but the calling user does not have. */
  readonly missingPermissions: readonly MissingPermission[];
}

export interface PlannedHook {
  readonly stage: Stage;
  readonly failurePolicy: LifecycleHookFailurePolicy;
  /** Seconds; the deadline of the whole stage. */
  readonly deadlineSeconds: number;
  readonly timeoutSeconds?: number;
  /** The pod that would be created; absent: it cannot be built, and `obstacles` says why. */
  readonly pod?: Pod;
}

const STAGES: readonly Stage[] = ['pre', 'mid', 'post'];

export function planRollout(facts: PlanFacts): RolloutPlan {
  const { stored, wanted, lifecycle, proof, missingPermissions } = facts;
  const deployment = wanted ?? stored ?? {};
  const { namespace = '', name = '' } = deployment.metadata ?? {};
  const change = changeIn(facts);
  const number = nextNumber(facts);
  const managed = managedOf(facts, deployment);
  const direction = directionOf(managed, change.toDigest);
  const doing = doingOf(managed, { ...change, number, direction });
  return {
    namespace,
    deployment: name,
    gate: { mode: lifecycle.spec.gate ?? 'Admission', proof },
    ...change,
    number: change.change === 'None' ? number - 1 : number,
    direction,
    ...doing,
    obstacles: [...gateObstacles(proof), ...doing.obstacles],
    missingPermissions,
  };
}

function gateObstacles(proof: GateProof | null): string[] {
  return proof === null || proof.armed ? [] : [proof.message];
}

type Doing = Pick<RolloutPlan, 'steps' | 'hooks' | 'obstacles'>;

function doingOf(
  managed: Managed,
  { change, toDigest, number, direction }: Change & Pick<RolloutPlan, 'number' | 'direction'>,
): Doing {
  if (change === 'None') return { steps: [], hooks: [], obstacles: [] };
  const beginning = beginningOf(managed, number, toDigest);
  // `beginning` is about the current template, but an assumed change has another one.
  if (change !== 'Assumed' && beginning.phase !== 'Pre') {
    const steps = [
      beginning.phase === 'Held' ? 'Held' : 'Release (the template runs already: no hooks)',
    ];
    return { steps, hooks: [], obstacles: beginning.notices.map(({ message }) => message) };
  }
  const planned = STAGES.flatMap((stage) => hooksIn(managed, { stage, number, direction }));
  const hooks = planned.map(({ hook }) => hook);
  const obstacles = planned.flatMap(({ obstacle }) => (obstacle === null ? [] : [obstacle]));
  return { steps: stepsOf(managed, hooks), hooks, obstacles };
}

type Change = Pick<RolloutPlan, 'change' | 'changed' | 'fromDigest' | 'toDigest'>;

function changeIn({ stored, wanted }: PlanFacts): Change {
  const before = stored?.spec?.template;
  const after = (wanted ?? stored)?.spec?.template;
  const toDigest = templateDigest(after);
  if (before === undefined) return { change: 'New', changed: [], toDigest };
  const fromDigest = templateDigest(before);
  if (wanted === null) return { change: 'Assumed', changed: [], fromDigest, toDigest };
  if (fromDigest === toDigest) return { change: 'None', changed: [], fromDigest, toDigest };
  const changed = changedPaths(before as Json, after as Json);
  return { change: 'Template', changed, fromDigest, toDigest };
}

function nextNumber({ stored }: PlanFacts): number {
  return stored === null ? 1 : (nextNumbers(gateStateOf(stored)).rollout ?? 1);
}

/** The state that the controller would see after the write. */
function managedOf({ stored, lifecycle, sets, nowMs }: PlanFacts, deployment: Deployment): Managed {
  const { namespace = '', name = '', uid } = stored?.metadata ?? {};
  const isOwn = ({ metadata }: ReplicaSet): boolean =>
    (metadata?.ownerReferences ?? []).some((owner) => owner.uid === uid);
  return {
    nowMs,
    key: { namespace, name },
    lifecycle,
    rivals: [],
    deployment,
    sets: sets.filter(isOwn),
    hookPods: [],
    hookRuns: [],
    livePods: null,
    isNamespaceTerminating: false,
    isAuthored: true,
    gate: null,
  };
}

interface Asked {
  readonly stage: Stage;
  readonly number: number;
  readonly direction: Direction;
}

function hooksIn(
  managed: Managed,
  { stage, number, direction }: Asked,
): { readonly hook: PlannedHook; readonly obstacle: string | null }[] {
  const hook = hookOf(managed, stage);
  if (hook === null) return [];
  const { deployment } = managed;
  const template = deployment.spec?.template ?? {};
  const attempt = { number, stage, direction, attempt: 1 };
  const built = buildHookPod({ ...attempt, deployment, template, hook, replicaSet: null });
  const known = { ...policyOf(hook), stage, deadlineSeconds: deadlineSeconds(managed) };
  return isRefusal(built)
    ? [{ hook: known, obstacle: built.message }]
    : [{ hook: { ...known, pod: built }, obstacle: null }];
}

function policyOf({
  failurePolicy = 'Retry',
  timeoutSeconds,
}: LifecycleHook): Pick<PlannedHook, 'failurePolicy' | 'timeoutSeconds'> {
  return timeoutSeconds === undefined ? { failurePolicy } : { failurePolicy, timeoutSeconds };
}

function stepsOf(managed: Managed, hooks: readonly PlannedHook[]): string[] {
  const has = (stage: Stage): boolean => hooks.some((hook) => hook.stage === stage);
  const drains = has('mid') && releasedTemplate(managed) !== null;
  return [
    ...(has('pre') ? ['Pre'] : []),
    ...(drains ? ['Drain (until no old pod is alive)'] : []),
    ...(has('mid') ? ['Mid'] : []),
    'Release',
    'Progress (until all new pods are available)',
    ...(has('post') ? ['Post'] : []),
    'Done',
  ];
}

export function hookContainerOf({ pod }: PlannedHook): Container | undefined {
  return pod?.spec?.containers[0];
}
