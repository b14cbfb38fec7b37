/** Which pod a forwarded connection goes to, and to which of its ports: asked anew for each connection. */
import type { Pod, Service } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { labelSelectorText } from '../../../kube/label-selector-text.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { makeResource, pods, services } from '../../../kube/resources.ts';
import type { ForwardKind } from './forward-kinds.ts';
import { readyPod, targetPort } from './ready-pod.ts';

export interface ForwardRule {
  readonly kind: ForwardKind;
  readonly name: string;
  readonly namespace: string;
  /** Of a service, one of its ports; else one of the pod's. By number or by name. */
  readonly port: number | string;
}

export type FoundPod =
  | { readonly kind: 'found'; readonly pod: string; readonly port: number }
  /** One sentence without its full stop; it may be otherwise in a moment. */
  | { readonly kind: 'none'; readonly why: string };

/** Rejects as the client does. */
export async function findPod(client: KubeClient, rule: ForwardRule): Promise<FoundPod> {
  const { kind, namespace, name } = rule;
  const key = { namespace, name };
  if (kind.kind === 'Pod') return inPods(rule, null, await oneOf(getOrNull(client, pods, key)));
  const resource = kind.kind === 'Service' ? services : makeResource(kind);
  const object = await getOrNull<KubeObject>(client, resource, key);
  if (object === null) return { kind: 'none', why: `there is no ${titleOf(rule)}` };
  const service = kind.kind === 'Service' ? (object as Service) : null;
  const labelSelector = selectorOf(object);
  if (labelSelector === '') return { kind: 'none', why: `${titleOf(rule)} selects no pods` };
  const { items } = await client.list(pods, { namespace, labelSelector });
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

/** '' where nothing is selected. */
function selectorOf(object: KubeObject): string {
  const { spec } = object as { spec?: { selector?: object } };
  const selector = spec?.selector ?? {};
  const isPlain = object.kind === 'Service' || object.kind === 'ReplicationController';
  const meant = isPlain ? { matchLabels: selector as Record<string, string> } : selector;
  return labelSelectorText(meant);
}

/** "service shop/web". */
export function titleOf({ kind, namespace, name }: ForwardRule): string {
  return `${kind.kind.toLowerCase()} ${namespace}/${name}`;
}
