/** Checks whether a controller runs, and the permissions of the controllers and of the user. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import type { MissingPermission } from '../../../controller/ask-permissions.ts';
import { type Right, rightText, rulesFor } from '../asked.ts';
import { type Check, hasOwnKinds } from '../facts.ts';
import { type Finding, grant, unknownFinding } from '../finding.ts';

const START = 'Start one: lifehook install | kubectl apply --server-side -f -';

export const controllerAtWork: Check = ({ cluster }) => {
  const check = 'controller';
  if (cluster.kind !== 'reached' || !hasOwnKinds(cluster)) return [];
  const { leases, renewed, deployments } = cluster.controllers;
  const pods = deployments.kind === 'known' ? deployments.value.flatMap(podsFinding) : [];
  if (leases.kind !== 'known') {
    return [unknownFinding(check, 'whether a controller works', leases), ...pods];
  }
  if (renewed !== null) {
    const found = `${renewed.spec?.holderIdentity ?? '?'} renews its Lease ${nameOf(renewed)}`;
    return [{ check, result: 'ok', found }, ...pods];
  }
  if (leases.value.length === 0) {
    return [{ check, result: 'error', found: 'no controller has a Lease', next: START }, ...pods];
  }
  const names = leases.value.map(nameOf).join(', ');
  const found = `no controller renews the Lease ${names}: nothing is frozen, thawed or released`;
  const next =
    'See the pods of the Deployment lifehook-controller, or start `lifehook controller`.';
  return [{ check, result: 'error', found, next }, ...pods];
};

function podsFinding({ metadata, spec, status }: Deployment): Finding[] {
  const wanted = spec?.replicas ?? 1;
  const ready = status?.readyReplicas ?? 0;
  if (ready >= wanted) return [];
  const name = nameOf({ metadata });
  const found = `${ready} of ${wanted} pods of Deployment ${name} are ready`;
  const next = `kubectl describe pods -n ${metadata?.namespace ?? ''} -l app.kubernetes.io/name=lifehook`;
  return [{ check: 'controller', result: ready === 0 ? 'error' : 'warning', found, next }];
}

function nameOf({
  metadata = {},
}: {
  readonly metadata?: { readonly namespace?: string; readonly name?: string } | undefined;
}): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

export const controllerRights: Check = ({ cluster }) => {
  const check = 'controller rights';
  if (cluster.kind !== 'reached') return [];
  return cluster.controllers.missing.map(({ account, permissions }): Finding => {
    if (permissions.kind !== 'known') {
      return unknownFinding(
        check,
        `whether service account ${account} has the permissions that it needs`,
        permissions,
      );
    }
    const rights = permissions.value.map(permissionRight);
    if (rights.length === 0) {
      return {
        check,
        result: 'ok',
        found: `service account ${account} has the permissions that it needs`,
      };
    }
    const found = `service account ${account} may not ${rights.map(rightText).join(', ')}`;
    const next = `lifehook install | kubectl apply --server-side -f - (or add to its role: ${rulesFor(rights)})`;
    return { check, result: 'error', found, next };
  });
};

export const userRights: Check = ({ cluster }) => {
  const check = 'your rights';
  if (cluster.kind !== 'reached') return [];
  const { missing, namespace } = cluster;
  if (missing.kind !== 'known')
    return [unknownFinding(check, 'whether you have the permissions that you need', missing)];
  const rights = missing.value.map(permissionRight);
  if (rights.length === 0) {
    const found = `you may take snapshots and manage rollouts in namespace ${namespace}`;
    return [{ check, result: 'ok', found }];
  }
  const found = `in namespace ${namespace} you may not ${rights.map(rightText).join(', ')}`;
  return [{ check, result: 'warning', found, next: grant(rights) }];
};

/** Parses the resource and its group from a text such as "pods/exec" or "volumesnapshots.snapshot.storage.k8s.io". */
function permissionRight({ verb, resource: text }: MissingPermission): Right {
  const dot = text.indexOf('.');
  if (dot === -1) return { verb, group: '', resource: text };
  return { verb, resource: text.slice(0, dot), group: text.slice(dot + 1) };
}
