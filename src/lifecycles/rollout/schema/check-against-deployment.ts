/**
 * Checks a lifecycle against its Deployment: in the webhook if the Deployment exists, and in the controller before a
 * stage. Pure.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { type FieldProblem, invalid } from '../../../controller/definitions/field-problem.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import { matchesLabels } from '../../../kube/label-selector.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { hooksOf, type PlacedHook } from './hooks-of.ts';

/** Errors: violations of ROLL-C25 and ROLL-E24. Warnings: violations of ROLL-DH7, and hooks for the other strategy. */
export function checkAgainstDeployment(
  { spec }: Pick<DeploymentLifecycle, 'spec'>,
  deployment: Deployment,
): Findings {
  const hooks = hooksOf(spec);
  return {
    errors: hooks.flatMap((placed) => [
      ...checkContainer(placed, deployment),
      ...checkSelector(placed, deployment),
    ]),
    warnings: [
      ...strategyWarnings(hooks, deployment),
      ...hooks.flatMap((placed) => volumeWarnings(placed, deployment)),
    ],
  };
}

/** ROLL-C25: rejects a hook whose container is not in the template. */
function checkContainer({ field, hook }: PlacedHook, deployment: Deployment): FieldProblem[] {
  const { containerName } = hook.execNewPod;
  const { containers = [], initContainers = [] } = deployment.spec?.template.spec ?? {};
  const names = [...containers, ...initContainers].map(({ name }) => name);
  if (names.includes(containerName)) return [];
  const there = names.map((name) => JSON.stringify(name)).join(', ');
  const detail = `${the(deployment)} has no such container: name one of ${there}${meant(containerName, names)}`;
  return [invalid(`${field}.execNewPod.containerName`, containerName, detail)];
}

/**
 * ROLL-E24: rejects labels of a hook pod that the selector of the Deployment matches. A drain would wait for that pod,
 * Services would send requests to it, and a ReplicaSet would count it as its own.
 */
function checkSelector({ field, hook }: PlacedHook, deployment: Deployment): FieldProblem[] {
  const { labels = {} } = hook.execNewPod;
  if (!matchesLabels(deployment.spec?.selector, labels)) return [];
  const detail = `the selector of ${the(deployment)} matches these labels, so the hook pod would count as a pod of the Deployment: change one of the labels`;
  return [invalid(`${field}.execNewPod.labels`, labels, detail)];
}

function strategyWarnings(hooks: readonly PlacedHook[], deployment: Deployment): string[] {
  const recreate = deployment.spec?.strategy?.type === 'Recreate';
  const [block, other] = recreate
    ? (['recreate', 'rollingUpdate'] as const)
    : (['rollingUpdate', 'recreate'] as const);
  if (hooks.length === 0 || hooks.some((placed) => placed.block === block)) return [];
  const strategy = recreate ? 'Recreate' : 'RollingUpdate';
  return [
    `spec.${other}: ${the(deployment)} has the strategy ${strategy}, so none of these hooks runs: write them under ${block}, or change the strategy`,
  ];
}

/** ROLL-DH7: warns of volumes that the template does not have; they are ignored. */
function volumeWarnings({ field, hook }: PlacedHook, deployment: Deployment): string[] {
  const { volumes: there = [] } = deployment.spec?.template.spec ?? {};
  const names = there.map(({ name }) => name);
  const { volumes = [] } = hook.execNewPod;
  return volumes.flatMap((name, index) =>
    names.includes(name)
      ? []
      : [
          `${field}.execNewPod.volumes[${index}]: ${the(deployment)} has no volume ${JSON.stringify(name)}, so the hook has none either${meant(name, names)}`,
        ],
  );
}

function the({ metadata }: Deployment): string {
  return `the Deployment ${JSON.stringify(metadata?.name ?? '')}`;
}

function meant(written: string, names: readonly string[]): string {
  const nearest = nearestWord(written, names);
  return nearest === null ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}
