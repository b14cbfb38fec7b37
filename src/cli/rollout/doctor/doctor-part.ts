/** The checks of `lifehook doctor` for rollouts. */
import type { Permission } from '../../../controller/ask-permissions.ts';
import { deploymentLifecycles } from '../../../lifecycles/rollout/kinds.ts';
import { GROUP } from '../../../model/api-version.ts';
import { hasOwnKinds, type Judge } from '../../doctor/facts.ts';
import { type Finding, grant, unknownFinding } from '../../doctor/finding.ts';
import { listSeen } from '../../doctor/seen.ts';
import type { DoctorWorld } from '../../lifecycle-parts.ts';
import type { Proof } from '../gate-proofs.ts';
import { type DryRun, type GateFacts, gatherGate } from './gather-gate.ts';

const READ = ['get', 'list', 'watch'];

export const userPermissions: readonly Permission[] = [
  { group: GROUP, resource: 'deploymentlifecycles', verbs: [...READ, 'create'] },
  { group: GROUP, resource: 'hookruns', verbs: READ },
  // The author of a hook needs the same permissions as the hook's actions.
  { group: '', resource: 'pods', verbs: ['create'] },
  { group: 'apps', resource: 'deployments', verbs: ['get', 'patch'] },
];

export async function examine(world: DoctorWorld): Promise<Judge> {
  const lifecycles = await listSeen(world.client, deploymentLifecycles, world);
  return judgeRollouts(await gatherGate(world, lifecycles));
}

export function judgeRollouts(gate: GateFacts): Judge {
  return (cluster) => (hasOwnKinds(cluster) ? { webhooks: webhookArmed(gate) } : {});
}

/** Checks whether the gate of rollouts is armed. Pure. */
export function webhookArmed(gate: GateFacts): readonly Finding[] {
  const { proofs, dryRuns, leftOut } = gate;
  if (isUnused(gate)) return [UNUSED];
  const stored =
    proofs.kind === 'known'
      ? proofs.value.flatMap(proofFinding)
      : [unknownFinding('webhook', 'whether there are webhooks', proofs)];
  const more = leftOut === 0 ? [] : [leftOutFinding(leftOut)];
  return [...stored, ...dryRuns.map(dryRunFinding), ...more];
}

/** True: no webhook is installed, and no DeploymentLifecycle needs one, as in a namespaced installation. */
function isUnused({ proofs, dryRuns }: GateFacts): boolean {
  if (proofs.kind !== 'known' || proofs.value.length === 0) return false;
  const isNeeded = dryRuns.some(({ deployment }) => deployment !== null);
  return !isNeeded && proofs.value.every(({ result }) => result === 'failed');
}

const UNUSED: Finding = {
  check: 'webhook',
  result: 'warning',
  found: 'no webhook is installed: a DeploymentLifecycle needs `gate: PausedAtRest`',
  next: 'To use the gate at admission, start `lifehook controller --webhook-address …`.',
};

function proofFinding({ what, result, reported, next = '' }: Proof): Finding[] {
  if (result === 'ok') return [];
  const about = { check: 'webhook', found: `${what}: ${reported}` };
  if (result === 'failed') return [{ ...about, result: 'error', next }];
  return [{ ...about, result: 'warning', next: READ_CONFIGURATIONS }];
}

const READ_CONFIGURATIONS = grant(
  ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].map((resource) => ({
    verb: 'list',
    group: 'admissionregistration.k8s.io',
    resource,
  })),
);

function dryRunFinding({ deployment, proof }: DryRun): Finding {
  const check = 'webhook';
  if (deployment === null) return gateFinding('the gate', LOOK, proof);
  const { namespace, name } = deployment;
  if (proof.kind === 'absent') {
    const found = `Deployment ${namespace}/${name}, which a DeploymentLifecycle names, does not exist`;
    const next = 'Create it, or delete the DeploymentLifecycle.';
    return { check, result: 'warning', found, next };
  }
  const what = `the gate of Deployment ${namespace}/${name}`;
  return gateFinding(what, `lifehook rollout check ${name} -n ${namespace}`, proof);
}

function gateFinding(what: string, next: string, proof: DryRun['proof']): Finding {
  const check = 'webhook';
  if (proof.kind === 'failed') {
    const found = `${what} is not armed: a dry run was refused: ${proof.why}`;
    return { check, result: 'error', found, next };
  }
  if (proof.kind !== 'known') return unknownFinding(check, `whether ${what} is armed`, proof);
  const { armed, reason, message } = proof.value;
  if (armed) return { check, result: 'ok', found: `${what} is armed: ${message}` };
  if (reason === 'Conflict') {
    return { check, result: 'warning', found: `${what}: ${message}`, next };
  }
  return { check, result: 'error', found: `${what} is not armed: ${message}`, next };
}

const LOOK = 'Check that `lifehook controller` runs with --webhook-address, and read its log.';

function leftOutFinding(count: number): Finding {
  const found = `${count} more gated Deployments were not checked`;
  return { check: 'webhook', result: 'ok', found };
}
