/** Checks every condition of a working gate of a Deployment, with one finding each. It changes nothing. */
import type { Lease } from 'kubernetes-types/coordination/v1.js';

import { findCondition } from '../../controller/conditions.ts';
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { proveGate } from '../../lifecycles/rollout/gate/armed-probe.ts';
import { GATED } from '../../lifecycles/rollout/names.ts';
import { LEASE_NAME } from '../controller/controller-election.ts';
import { findRenewed, readLeases } from '../controller/controllers-of.ts';
import type { RolloutFacts } from './read-rollout.ts';
import { webhookProofs } from './webhook-proof.ts';

export interface Proof {
  readonly what: string;
  /** unknown: the condition could not be checked, which alone does not disarm the gate. */
  readonly result: 'ok' | 'failed' | 'unknown';
  readonly reported: string;
  readonly next?: string;
}

export async function proofsOf(client: KubeClient, facts: RolloutFacts): Promise<readonly Proof[]> {
  const { gate = 'Admission' } = facts.lifecycle.spec;
  const own = [bypassProof(facts), await controllerProof(client)];
  if (gate === 'PausedAtRest') return [pausedProof(facts), ...own];
  const [webhooks, dryRun] = [await webhookProofs(client), await dryRunProof(client, facts)];
  return [labelProof(facts), ...webhooks, dryRun, ...own];
}

/** The decisive proof: the dry run of a write such as a deployer sends. */
async function dryRunProof(client: KubeClient, { deployment }: RolloutFacts): Promise<Proof> {
  const { armed, reason, message } = await proveGate(client, deployment);
  const what = 'dry run';
  if (armed) return { what, result: 'ok', reported: message };
  if (reason === 'Conflict') {
    return { what, result: 'unknown', reported: message, next: 'Run this check again.' };
  }
  const next =
    reason === 'Refused'
      ? 'Nothing can be rolled out now. Check that `lifehook controller` runs and that its webhook can be reached.'
      : 'Check that `lifehook controller` runs with --webhook-address, and which other webhooks the cluster has.';
  return { what, result: 'failed', reported: message, next };
}

function labelProof({ deployment, lifecycle }: RolloutFacts): Proof {
  const what = 'label';
  if (deployment.metadata?.labels?.[GATED] !== undefined) {
    return { what, result: 'ok', reported: `the Deployment has ${GATED}` };
  }
  const next = `The controller adds it for DeploymentLifecycle "${lifecycle.metadata?.name ?? ''}"; write it into the manifest as well.`;
  return { what, result: 'failed', reported: `the Deployment has no label ${GATED}`, next };
}

function pausedProof({ deployment, lifecycle }: RolloutFacts): Proof {
  const what = 'paused at rest';
  const phase = lifecycle.status?.rollout?.phase;
  if (deployment.spec?.paused === true) return { what, result: 'ok', reported: 'it is paused' };
  if (phase === 'Progressing' || phase === 'RollingBack') {
    return { what, result: 'ok', reported: `it is not paused while it is rolled out (${phase})` };
  }
  const next =
    'The controller pauses it. A client whose manifest has paused: false opens this gate each time it applies the manifest.';
  return { what, result: 'failed', reported: 'it is not paused', next };
}

/** The proof that no template ran without a release, as far as the controller has observed. */
function bypassProof({ lifecycle }: RolloutFacts): Proof {
  const what = 'not bypassed';
  const { conditions = [] } = lifecycle.status ?? {};
  const found = findCondition(conditions, 'GateBypassed');
  if (found?.status !== 'True') return { what, result: 'ok', reported: 'no bypass was seen' };
  const next = 'Find the client that bypassed the webhook, and apply the template again.';
  return { what, result: 'failed', reported: found.message, next };
}

const WHAT = 'controller';

/** The proof that a controller runs: it renews its Lease. */
async function controllerProof(client: KubeClient): Promise<Proof> {
  try {
    const found = await readLeases(client);
    if (found.length === 0) {
      return unknown(
        `there is no Lease "${LEASE_NAME}": the controller runs without one, or does not run`,
      );
    }
    return proofOf(found, await findRenewed(client, found));
  } catch (error) {
    if (!isReason(error, 'Forbidden')) throw error;
    return unknown('you may not read Leases of all namespaces');
  }
}

function proofOf(found: readonly Lease[], renewed: Lease | null): Proof {
  if (renewed !== null) {
    const { holderIdentity = '?' } = renewed.spec ?? {};
    return { what: WHAT, result: 'ok', reported: `${holderIdentity} renews its Lease` };
  }
  return {
    what: WHAT,
    result: 'failed',
    reported: `no controller renews the Lease ${namesOf(found)}`,
    next: 'Start one: `lifehook controller`, or see the pods of the Deployment lifehook-controller.',
  };
}

function namesOf(found: readonly Lease[]): string {
  return found
    .map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`)
    .join(', ');
}

function unknown(reported: string): Proof {
  return { what: WHAT, result: 'unknown', reported };
}
