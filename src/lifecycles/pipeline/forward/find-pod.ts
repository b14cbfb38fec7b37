/** Finds the pod and the port for a forwarded connection. Every connection looks them up anew. */
import type { Pod, Service } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { labelSelectorText } from '../../../kube/label-selector.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { makeResource, pods as podKind, services } from '../../../kube/resources.ts';
import { isReady } from '../../../kube/pod-state.ts';

export interface ForwardRule {
  readonly kind: ForwardKind;
  readonly name: string;
  readonly namespace: string;
  /** The number or the name of a port of the service, or of the pod. */
  readonly port: number | string;
}

export type FoundPod =
  | { readonly kind: 'found'; readonly pod: string; readonly port: number }
  /** `why` is one sentence without its full stop. A later call may find a pod. */
  | { readonly kind: 'none'; readonly why: string };

/** Rejects if a request of the client does. */
export async function findPod(client: KubeClient, rule: ForwardRule): Promise<FoundPod> {
  const { kind, namespace, name } = rule;
  const key = { namespace, name };
  if (kind.kind === 'Pod') return inPods(rule, null, await oneOf(getOrNull(client, podKind, key)));
  const resource = kind.kind === 'Service' ? services : makeResource(kind);
  const object = await getOrNull<KubeObject>(client, resource, key);
  if (object === null) return { kind: 'none', why: `there is no ${titleOf(rule)}` };
  const service = kind.kind === 'Service' ? (object as Service) : null;
  const labelSelector = selectorOf(object);
  if (labelSelector === '') return { kind: 'none', why: `${titleOf(rule)} selects no pods` };
  const { items } = await client.list(podKind, { namespace, labelSelector });
  return inPods(rule, service, items);
}

async function oneOf(pod: Promise<Pod | null>): Promise<readonly Pod[]> {
  const found = await pod;
  return found === null ? [] : [found];
}

function inPods(rule: ForwardRule, service: Service | null, all: readonly Pod[]): FoundPod {
  const pod = readyPod(all);
  if (pod === null) return { kind: 'none', why: `${titleOf(rule)} has no running pod` };
  const port = targetPort(rule.port, pod, service);
  if (port === null) return { kind: 'none', why: `${titleOf(rule)} has no port ${rule.port}` };
  return { kind: 'found', pod: pod.metadata?.name ?? '', port };
}

/** '' if the object has no selector. */
function selectorOf(object: KubeObject): string {
  const { spec } = object as { spec?: { selector?: object } };
  const selector = spec?.selector ?? {};
  const isPlain = object.kind === 'Service' || object.kind === 'ReplicationController';
  const meant = isPlain ? { matchLabels: selector as Record<string, string> } : selector;
  return labelSelectorText(meant);
}

/** The name for messages, such as "service shop/web". */
export function titleOf({ kind, namespace, name }: ForwardRule): string {
  return `${kind.kind.toLowerCase()} ${namespace}/${name}`;
}

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

/**
 * Parses `portForward.resourceType` ("service", "Services", "svc"); null: no port of this kind can be forwarded. Pure.
 */
export function forwardKind(resourceType: string): ForwardKind | null {
  const wanted = resourceType.toLowerCase();
  const found = KINDS.find(({ kind, short }) =>
    [kind.toLowerCase(), `${kind.toLowerCase()}s`, ...short].includes(wanted),
  );
  return found === undefined ? null : { apiVersion: found.apiVersion, kind: found.kind };
}

export const FORWARD_KINDS: string = KINDS.map(({ kind }) => kind.toLowerCase()).join(', ');

/**
 * Prefers ready pods, then the youngest; null: no pod runs. A terminating pod is skipped.
 */
export function readyPod(pods: readonly Pod[]): Pod | null {
  const running = pods.filter(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined && status?.phase === 'Running',
  );
  const ready = running.filter((pod) => isReady(pod));
  const [first] = (ready.length > 0 ? ready : running).toSorted((a, b) =>
    bornAt(a) < bornAt(b) ? 1 : -1,
  );
  return first ?? null;
}

function bornAt({ metadata }: Pod): string {
  return metadata?.creationTimestamp ?? '';
}

/**
 * The pod's port; null: the service or the pod has no port with that name or number.
 *
 * Worked example: a service has the port {name: http, port: 80, targetPort: web}, and a container of the pod calls its
 * port 8080 "web". For the service, "http" and 80 mean 8080. For the pod itself, "web" and 8080 mean 8080.
 */
export function targetPort(
  wanted: number | string,
  pod: Pod,
  service: Service | null,
): number | null {
  if (service === null) return containerPort(wanted, pod);
  const found = service.spec?.ports?.find(({ name, port }) => wanted === port || wanted === name);
  if (found === undefined) return null;
  return containerPort(found.targetPort ?? found.port, pod);
}

function containerPort(wanted: number | string, { spec }: Pod): number | null {
  if (typeof wanted === 'number') return wanted;
  const ports = (spec?.containers ?? []).flatMap(({ ports: own = [] }) => own);
  return ports.find(({ name }) => name === wanted)?.containerPort ?? null;
}
