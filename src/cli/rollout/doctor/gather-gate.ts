/** Finds out whether the gate of rollouts is armed, from the stored webhooks and from dry runs through them. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { missingPermissions } from '../../../controller/ask-permissions.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { deployments } from '../../../kube/resources.ts';
import {
  type GateProof,
  proveGate,
  proveGateByCreation,
} from '../../../lifecycles/rollout/gate/armed-probe.ts';
import type { DeploymentLifecycle } from '../../../lifecycles/rollout/kinds.ts';
import { ask, type Asked, type Right } from '../../doctor/asked.ts';
import { itemsOf, type Seen } from '../../doctor/seen.ts';
import type { Proof } from '../gate-proofs.ts';
import { webhookProofs } from '../webhook-proof.ts';

export interface GateFacts {
  /** The proofs that the stored webhook configurations give. */
  readonly proofs: Asked<readonly Proof[]>;
  readonly dryRuns: readonly DryRun[];
  /** Number of gated Deployments that got no dry run, because there are more than the maximum. */
  readonly leftOut: number;
}

export interface DryRun {
  /** The Deployment of the dry run; null: no Deployment is gated, so the dry run created one. */
  readonly deployment: { readonly namespace: string; readonly name: string } | null;
  readonly proof: Asked<GateProof>;
}

export interface RightsWorld {
  readonly client: KubeClient;
  readonly namespace: string;
}

/** Maximum number of gated Deployments that get a dry run. */
const DRY_RUNS_MAX = 20;
const CONFIGURATIONS = {
  verb: 'list',
  group: 'admissionregistration.k8s.io',
  resource: 'mutatingwebhookconfigurations',
};
const GROUP = 'apps';
const RESOURCE = 'deployments';

export async function gatherGate(
  world: RightsWorld,
  lifecycles: Seen<DeploymentLifecycle>,
): Promise<GateFacts> {
  const gated = itemsOf(lifecycles).filter(({ spec }) => spec.gate !== 'PausedAtRest');
  const tried = gated.slice(0, DRY_RUNS_MAX);
  const [proofs, dryRuns] = await Promise.all([
    ask(CONFIGURATIONS, () => webhookProofs(world.client)),
    gated.length === 0
      ? byCreation(world).then((one) => [one])
      : Promise.all(tried.map((lifecycle) => byChange(world, lifecycle))),
  ]);
  return { proofs, dryRuns, leftOut: gated.length - tried.length };
}

async function byChange(
  { client }: RightsWorld,
  { metadata, spec }: DeploymentLifecycle,
): Promise<DryRun> {
  const { namespace = '' } = metadata ?? {};
  const deployment = { namespace, name: spec.deploymentName };
  const right = { group: GROUP, resource: RESOURCE, namespace };
  const found = await ask({ ...right, verb: 'get' }, () =>
    client.get<Deployment>(deployments, deployment),
  );
  const prove = (one: Deployment) => () => proveGate(client, one);
  return {
    deployment,
    proof:
      found.kind === 'known'
        ? await provenBy(client, { ...right, verb: 'patch' }, prove(found.value))
        : found,
  };
}

async function byCreation({ client, namespace }: RightsWorld): Promise<DryRun> {
  const right = { verb: 'create', group: GROUP, resource: RESOURCE, namespace };
  const proof = await provenBy(client, right, () => proveGateByCreation(client, namespace));
  return { deployment: null, proof };
}

/** Checks the permission before the dry run, because a 403 of the dry run may be the answer of a webhook. */
async function provenBy(
  client: RightsWorld['client'],
  right: Right & { readonly namespace: string },
  prove: () => Promise<GateProof>,
): Promise<DryRun['proof']> {
  const { verb, namespace, group, resource } = right;
  const needed = { namespace, permissions: [{ group, resource, verbs: [verb] }] };
  const missing = await ask(right, () => missingPermissions(client, needed));
  const isRefused = missing.kind === 'known' && missing.value.length > 0;
  return isRefused ? { kind: 'refused', right } : ask(right, prove);
}
