/** The plan of a seed: the Deployment, its lifecycle, its templates, and the results of its hooks. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type {
  DeploymentLifecycle,
  DeploymentLifecycleSpec,
  LifecycleHook,
  LifecycleHookFailurePolicy,
} from '../../../src/lifecycles/rollout/kinds.ts';
import { GATED } from '../../../src/lifecycles/rollout/names.ts';
import type { Faults } from '../faults.ts';
import type { Random } from '../random.ts';

const NAMESPACE = 'shop';
const NAME = 'web';
export const KEY_OF_WEB: { readonly namespace: string; readonly name: string } = {
  namespace: NAMESPACE,
  name: NAME,
};
export const NAMESPACE_KEY: { readonly name: string } = { name: NAMESPACE };

const SHORT_DRAIN_SECONDS = 15;

export interface Scene {
  readonly gate: 'Admission' | 'PausedAtRest';
  readonly strategy: 'Recreate' | 'RollingUpdate';
  readonly replicas: number;
  readonly progressDeadlineSeconds: number;
  readonly revisionHistoryLimit: number;
  /** True if the manifest has the label, so that the Deployment is gated from its creation. */
  readonly isLabelled: boolean;
  /** Whether the lifecycle is created before, directly after, or later than the Deployment. */
  readonly order: 'lifecycleFirst' | 'deploymentFirst' | 'lifecycleLater';
  readonly spec: DeploymentLifecycleSpec;
  /** The phase to which hooks lead rollouts (see `fateThatLeads`); absent: random fates. */
  readonly leadsTo?: 'rolling back' | 'draining' | 'mid' | 'post';
}

/** A random scene. If the seed concentrates on a rare phase, the scene leads rollouts to it. */
export function throwSceneFor(faults: Faults, random: Random): Scene {
  const scene = throwScene(random);
  if (faults.isFocusedOn('rolling back') && faults.strikes('hooks abort'))
    return aborting(scene, random);
  if (faults.isFocusedOn('post') && faults.strikes('hooks succeed'))
    return reachingPost(scene, random);
  for (const phase of ['draining', 'mid'] as const) {
    if (faults.isSoughtIn(phase) && faults.of('replicas drained', phase).strikes())
      return drained(scene, { random, leadsTo: phase });
  }
  return scene;
}

/** A scene in which each rollout after the first holds the replicas at 0 until its mid hook has ended. */
function drained(
  scene: Scene,
  { random, leadsTo }: { readonly random: Random; readonly leadsTo: 'draining' | 'mid' },
): Scene {
  const { replicas, spec, progressDeadlineSeconds } = scene;
  const { rollingUpdate: { mid: _, ...rolling } = {}, recreate = rolling, ...others } = spec;
  const recreated = { mid: throwHook(random, 'mid'), ...recreate };
  return {
    ...scene,
    gate: 'Admission',
    strategy: 'Recreate',
    replicas: Math.max(1, replicas),
    spec: { ...others, gate: 'Admission', recreate: recreated },
    progressDeadlineSeconds: leadsTo === 'draining' ? SHORT_DRAIN_SECONDS : progressDeadlineSeconds,
    leadsTo,
  };
}

function reachingPost(scene: Scene, random: Random): Scene {
  const { spec } = scene;
  const { recreate, rollingUpdate } = spec;
  const post = throwHook(random, 'post', scene.strategy);
  const changed: DeploymentLifecycleSpec = {
    ...spec,
    ...(recreate === undefined ? {} : { recreate: { post, ...recreate } }),
    ...(rollingUpdate === undefined ? {} : { rollingUpdate: { post, ...rollingUpdate } }),
  };
  return { ...scene, spec: changed, leadsTo: 'post' };
}

/** A scene in which a failed hook aborts the rollout, and an abort rolls back. */
function aborting(scene: Scene, random: Random): Scene {
  const { spec } = scene;
  const { recreate, rollingUpdate } = spec;
  const aborts = (hook?: LifecycleHook): LifecycleHook => ({
    ...(hook ?? throwHook(random, 'pre')),
    failurePolicy: 'Abort',
  });
  const changed: DeploymentLifecycleSpec = {
    ...spec,
    onAbort: 'Rollback',
    ...(recreate === undefined ? {} : { recreate: { ...recreate, post: aborts(recreate.post) } }),
    ...(rollingUpdate === undefined
      ? {}
      : { rollingUpdate: { ...rollingUpdate, pre: aborts(rollingUpdate.pre) } }),
  };
  return { ...scene, spec: changed, leadsTo: 'rolling back' };
}

function throwScene(random: Random): Scene {
  const gate = random.pick<Scene['gate']>(['Admission', 'Admission', 'Admission', 'PausedAtRest']);
  const strategy = random.pick<Scene['strategy']>(['Recreate', 'Recreate', 'RollingUpdate']);
  return {
    gate,
    strategy,
    replicas: random.pick([0, 1, 2, 2, 3]),
    progressDeadlineSeconds: random.pick([15, 40, 90]),
    revisionHistoryLimit: random.pick([10, 10, 1, 0]),
    isLabelled: gate === 'Admission' && random.chance(0.5),
    order: random.pick(['lifecycleFirst', 'deploymentFirst', 'lifecycleLater']),
    spec: throwSpec(random, { gate, strategy }),
  };
}

export function throwSpec(
  random: Random,
  { gate, strategy }: Pick<Scene, 'gate' | 'strategy'>,
): DeploymentLifecycleSpec {
  const spec: DeploymentLifecycleSpec = { deploymentName: NAME, gate };
  const onAbort = random.pick(['Hold', 'Rollback', undefined] as const);
  if (onAbort !== undefined) spec.onAbort = onAbort;
  // This choice has a random stream of its own, so that other random values stay the same.
  const onDelete = random.fork('onDelete').pick(['Restore', 'Release', undefined] as const);
  if (onDelete !== undefined) spec.onDelete = onDelete;
  if (random.chance(0.3)) {
    spec.podsKept = { succeeded: random.between(0, 2), failed: random.between(0, 2) };
  }
  const pre = random.chance(0.8) ? { pre: throwHook(random, 'pre') } : {};
  const mid = random.chance(0.7) ? { mid: throwHook(random, 'mid') } : {};
  const post = random.chance(0.7) ? { post: throwHook(random, 'post', strategy) } : {};
  if (strategy === 'Recreate') spec.recreate = { ...pre, ...mid, ...post };
  else spec.rollingUpdate = { ...pre, ...post };
  return spec;
}

function throwHook(random: Random, word: string, strategy?: Scene['strategy']): LifecycleHook {
  const policies: [LifecycleHookFailurePolicy, ...LifecycleHookFailurePolicy[]] =
    strategy === 'RollingUpdate' ? ['Retry', 'Ignore'] : ['Abort', 'Abort', 'Retry', 'Ignore'];
  const failurePolicy = random.pick<LifecycleHookFailurePolicy | undefined>([
    undefined,
    ...policies,
  ]);
  const timeoutSeconds = random.pick([undefined, undefined, 5, 12]);
  return {
    ...(failurePolicy === undefined ? {} : { failurePolicy }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    execNewPod: { containerName: 'app', command: [word] },
  };
}

export function lifecycleObject(spec: DeploymentLifecycleSpec): DeploymentLifecycle {
  return { metadata: { namespace: NAMESPACE, name: NAME }, spec };
}

/** The Deployment as a user writes it. Its label is the only trace of Lifehook. */
export function deploymentObject(
  scene: Scene,
  { version, replicas }: { readonly version: string; readonly replicas: number },
): Deployment {
  const { strategy, progressDeadlineSeconds, revisionHistoryLimit, gate } = scene;
  return {
    metadata: {
      namespace: NAMESPACE,
      name: NAME,
      labels: scene.isLabelled ? { [GATED]: '' } : {},
    },
    spec: {
      replicas,
      ...(gate === 'PausedAtRest' ? { paused: true } : {}),
      selector: { matchLabels: { app: NAME } },
      strategy: { type: strategy },
      progressDeadlineSeconds,
      revisionHistoryLimit,
      template: templateOf(version),
    },
  };
}

/** A random version. Its name contains the defect of its pods, as in "v3-unready". */
export function throwVersion(random: Random, number: number): string {
  const trait = random.pick(['', '', '', '', '-deaf', '-deaf', '-unready', '-nocontainer']);
  return `v${number}${trait}`;
}

export function templateOf(version: string): PodTemplateSpec {
  return {
    metadata: { labels: { app: NAME }, annotations: { version } },
    spec: {
      terminationGracePeriodSeconds: version.includes('deaf') ? 8 : 2,
      containers: [{ name: version.includes('nocontainer') ? 'main' : 'app', image: version }],
    },
  };
}

export function versionOf(template: PodTemplateSpec | undefined): string {
  return template?.metadata?.annotations?.['version'] ?? '';
}
