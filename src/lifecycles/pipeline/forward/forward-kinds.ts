/** What `portForward.resourceType` may name. Pure. */

export interface ForwardKind {
  readonly apiVersion: string;
  readonly kind: string;
}

const KINDS: readonly (ForwardKind & { readonly short: readonly string[] })[] = [
  { apiVersion: 'v1', kind: 'Pod', short: ['po'] },
  { apiVersion: 'v1', kind: 'Service', short: ['svc'] },
  { apiVersion: 'v1', kind: 'ReplicationController', short: ['rc'] },
  { apiVersion: 'apps/v1', kind: 'Deployment', short: ['deploy'] },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', short: ['rs'] },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', short: ['sts'] },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', short: ['ds'] },
  { apiVersion: 'batch/v1', kind: 'Job', short: [] },
];

/** Of "service", "Services", "svc"; null: of nothing that has pods. */
export function forwardKind(resourceType: string): ForwardKind | null {
  const wanted = resourceType.toLowerCase();
  const found = KINDS.find(({ kind, short }) =>
    [kind.toLowerCase(), `${kind.toLowerCase()}s`, ...short].includes(wanted),
  );
  return found === undefined ? null : { apiVersion: found.apiVersion, kind: found.kind };
}

export const FORWARD_KINDS: string = KINDS.map(({ kind }) => kind.toLowerCase()).join(', ');
