/** Formats each change on the server as a line of the trace, so that a reader can follow a rollout. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { DeploymentLifecycle, HookRun } from '../../../src/lifecycles/rollout/kinds.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import type { Entry, Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { versionOf } from './scene.ts';

export function reportCommit(world: World, entry: Entry): void {
  world.note(() => textOf(entry));
}

function textOf({ resource, type, object }: Entry): string {
  const { name = '', resourceVersion = '', deletionTimestamp } = object.metadata;
  const terminating = deletionTimestamp === undefined ? '' : ' (going)';
  const [kind = ''] = resource.split('.');
  const detail = DETAILS[kind]?.(object) ?? '';
  return `server: ${type} ${kind} ${name} ${resourceVersion}${terminating} ${detail}`;
}

const DETAILS: Readonly<Record<string, (object: Stored) => string>> = {
  deployments: (object) => ofDeployment(object as unknown as Deployment),
  replicasets: (object) => ofSet(object as unknown as ReplicaSet),
  pods: ({ status, spec }) => {
    const { phase = '' } = (status ?? {}) as Pod['status'] & object;
    return `${phase} ${(spec as Pod['spec'] & object).nodeName ?? ''}`;
  },
  deploymentlifecycles: (object) => ofLifecycle(object as unknown as DeploymentLifecycle),
  hookruns: (object) => ofRun(object as unknown as HookRun),
};

function ofDeployment(deployment: Deployment): string {
  const { labelled, rollout, released, wantedReplicas } = gateStateOf(deployment);
  const { spec, status = {} } = deployment;
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  return [
    versionOf(spec?.template),
    labelled ? 'labelled' : '',
    `r${rollout} l${released} w${wantedReplicas} n${spec?.replicas}`,
    spec?.paused === true ? 'paused' : '',
    `status ${updatedReplicas}/${replicas}/${availableReplicas}`,
  ].join(' ');
}

function ofSet({ spec, status }: ReplicaSet): string {
  const { replicas, availableReplicas = 0 } = status ?? { replicas: 0 };
  return `${versionOf(spec?.template)} n${spec?.replicas} status ${replicas}/${availableReplicas}`;
}

function ofLifecycle({ status }: DeploymentLifecycle): string {
  const { rollout, released } = status ?? {};
  const { number, phase, failure, reason } = rollout ?? {};
  return `rollout ${number} ${phase} ${failure?.reason ?? reason ?? ''}; released ${released?.number}`;
}

function ofRun({ status }: HookRun): string {
  const attempts = (status?.attempts ?? []).map(({ number, outcome }) => `${number}:${outcome}`);
  return `${status?.phase} ${attempts.join(' ')}`;
}
