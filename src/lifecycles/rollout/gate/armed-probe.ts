/**
 * Proves that the gate works right now. It requests a change of the template as a dry run, through the same server,
 * configurations and webhook as a deployer's write. Nothing is stored (ROLL-E19).
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { ApiError, isReason, UnreachableError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { deployments } from '../../../kube/resources.ts';
import { PROBE, ROLLOUT, GATED } from '../names.ts';
import { gateStateOf } from './gate-state.ts';
import { nextNumbers } from './stamp.ts';

export interface GateProof {
  readonly armed: boolean;
  readonly reason:
    | 'Armed'
    /** The change would be stored and rolled out at once, without a stamp. */
    | 'NotStamped'
    /** The change was stamped, but another webhook cleared `paused` again. */
    | 'NotPaused'
    /**
     * Each try conflicted with another write, or the Deployment was deleted: the state is not known, and a retry may
     * succeed.
     */
    | 'Conflict'
    /**
     * The server rejects every change of the template, for example while the webhook is down: the gate is closed, but
     * does not work.
     */
    | 'Refused'
    /** The API server does not respond: the state is not known. */
    | 'Unreachable';
  readonly message: string;
}

/** Maximum number of tries for a Deployment that changes meanwhile; each try reads it again. */
const TRIES = 3;
const TIMEOUT_MS = 10_000;

/** Proves the gate of one Deployment. Never rejects for an answer of the server. */
export async function proveGate(client: KubeClient, deployment: Deployment): Promise<GateProof> {
  for (let tries = 1; ; tries += 1) {
    try {
      const seen = tries === 1 ? deployment : await readAgain(client, deployment);
      return judge(seen, await changeTemplate(client, seen));
    } catch (error) {
      if (isReason(error, 'NotFound')) return DELETED;
      if (!isReason(error, 'Conflict')) return failed(error);
      if (tries === TRIES) return CONFLICT;
    }
  }
}

const CONFLICT: GateProof = {
  armed: false,
  reason: 'Conflict',
  message: `the Deployment was changed by other writers during each of ${TRIES} dry runs, so the gate could not be proven yet`,
};

/** A deletion says nothing about the gate, and the verdict counts for the whole namespace. */
const DELETED: GateProof = {
  armed: false,
  reason: 'Conflict',
  message: 'the Deployment was deleted during the dry run, so the gate could not be proven',
};

function readAgain(client: KubeClient, deployment: Deployment): Promise<Deployment> {
  return client.get(deployments, keyOf(deployment), { timeoutMs: TIMEOUT_MS });
}

/**
 * Requests the change, with the resourceVersion as precondition, so that the result can be compared with the object
 * that was read.
 */
function changeTemplate(client: KubeClient, seen: Deployment): Promise<Deployment> {
  const { resourceVersion = '' } = seen.metadata ?? {};
  const annotations = { [PROBE]: resourceVersion };
  const body = {
    metadata: { resourceVersion },
    spec: { template: { metadata: { annotations } } },
  };
  return client.patch(deployments, keyOf(seen), {
    type: 'merge',
    body,
    dryRun: true,
    fieldManager: 'lifehook-gate-probe',
    timeoutMs: TIMEOUT_MS,
  });
}

function judge(seen: Deployment, answered: Deployment): GateProof {
  const { rollout: expected } = nextNumbers(gateStateOf(seen));
  const { rollout, labelled } = gateStateOf(answered);
  if (rollout !== expected) {
    const mark =
      rollout === null
        ? `without ${ROLLOUT}`
        : `with ${ROLLOUT} ${rollout} instead of ${expected ?? 'a number'}`;
    const why = labelled
      ? `was returned ${mark}`
      : 'was returned without the label that selects it for the webhook';
    const what = `a dry run of a changed template ${why}: it would be rolled out without its hooks`;
    return { armed: false, reason: 'NotStamped', message: what };
  }
  if (answered.spec?.paused !== true) {
    const message = `a dry run of a changed template was returned as rollout ${rollout ?? ''}, but not paused`;
    return { armed: false, reason: 'NotPaused', message };
  }
  const message = `a dry run of a changed template was returned paused as rollout ${rollout ?? ''}`;
  return { armed: true, reason: 'Armed', message };
}

function failed(error: unknown): GateProof {
  if (error instanceof ApiError) {
    const message = `a dry run of a changed template was refused: ${error.message}`;
    return { armed: false, reason: 'Refused', message };
  }
  if (error instanceof UnreachableError) {
    return { armed: false, reason: 'Unreachable', message: error.message };
  }
  throw error;
}

function keyOf({ metadata }: Deployment): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

const NAME = 'lifehook-gate-probe';
const LABELS = { app: NAME };

/**
 * The proof of `proveGate` if no Deployment is gated yet. It creates a Deployment as a dry run, with the label that the
 * webhook selects. Nothing is stored. Rejects with the errors of the client.
 */
export async function proveGateByCreation(
  client: KubeClient,
  namespace: string,
): Promise<GateProof> {
  const answered = await client.create(deployments, probeIn(namespace), {
    dryRun: true,
    fieldManager: NAME,
  });
  const what = 'a dry run of a new Deployment with the label of the gate';
  if (gateStateOf(answered).rollout === null) {
    const message = `${what} returned it without a rollout number: it would start without its hooks`;
    return { armed: false, reason: 'NotStamped', message };
  }
  if (answered.spec?.paused !== true) {
    return { armed: false, reason: 'NotPaused', message: `${what} returned it, but not paused` };
  }
  return { armed: true, reason: 'Armed', message: `${what} returned it paused` };
}

function probeIn(namespace: string): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace, labels: { ...LABELS, [GATED]: 'true' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { ...LABELS } },
      template: {
        metadata: { labels: { ...LABELS } },
        spec: { containers: [{ name: 'probe', image: 'none' }] },
      },
    },
  };
}
