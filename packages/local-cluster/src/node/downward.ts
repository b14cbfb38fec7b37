/** Reads fields and resources of a pod for the downward API. Pure. */
import type { Container, Pod, ResourceFieldSelector } from 'kubernetes-types/core/v1.js';

import { StartError } from '../../../../src/platform/container-runtime.ts';
import { parseQuantity } from '../../../../src/kube/quantity.ts';
import type { NodeFacts } from './node-object.ts';

export interface DownwardFacts {
  readonly pod: Pod;
  readonly podIp: string;
  readonly hostIp: string;
  /** The amounts that a container without limits can use. */
  readonly node: NodeAmounts;
}

export type NodeAmounts = Pick<NodeFacts, 'cpus' | 'memoryBytes'>;

const FIELDS: Readonly<Record<string, (facts: DownwardFacts) => string>> = {
  'metadata.name': ({ pod }) => pod.metadata?.name ?? '',
  'metadata.namespace': ({ pod }) => pod.metadata?.namespace ?? '',
  'metadata.uid': ({ pod }) => pod.metadata?.uid ?? '',
  'metadata.labels': ({ pod }) => lines(pod.metadata?.labels),
  'metadata.annotations': ({ pod }) => lines(pod.metadata?.annotations),
  'spec.nodeName': ({ pod }) => pod.spec?.nodeName ?? '',
  'spec.serviceAccountName': ({ pod }) => pod.spec?.serviceAccountName ?? '',
  'status.podIP': ({ podIp }) => podIp,
  'status.podIPs': ({ podIp }) => podIp,
  'status.hostIP': ({ hostIp }) => hostIp,
  'status.hostIPs': ({ hostIp }) => hostIp,
};

export function fieldValue(path: string, facts: DownwardFacts): string {
  const known = FIELDS[path];
  if (known !== undefined) return known(facts);
  const value = mapValue(path, facts.pod);
  if (value !== null) return value;
  throw new StartError('CreateContainerConfigError', `unsupported fieldPath: ${path}`);
}

/** Value of a path such as `metadata.labels['app']`; null for any other form of path. */
function mapValue(path: string, { metadata = {} }: Pod): string | null {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map === undefined) return null;
  const values = (map === 'labels' ? metadata.labels : metadata.annotations) ?? {};
  return Object.hasOwn(values, key) ? (values[key] ?? '') : '';
}

/** The map as sorted lines `key="value"`, as in a downwardAPI volume. */
function lines(map: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(map ?? {})
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

/**
 * Value of a resource in units of the divisor, rounded up: limits.cpu 1500m with divisor 1 is 2. A limit that is unset
 * or 0 is the amount of the node.
 */
export function resourceValue(
  { resource, divisor = '1', containerName }: ResourceFieldSelector,
  {
    pod,
    container,
    node,
  }: Pick<DownwardFacts, 'pod' | 'node'> & { readonly container?: Container },
): string {
  const named = (pod.spec?.containers ?? []).find(({ name }) => name === containerName);
  const of = containerName === undefined ? container : named;
  const unit = divisor === '0' ? '1' : divisor;
  const [nanos, perUnit] = [nanosOf(resourceText(resource, of, node)), nanosOf(unit)];
  return String((nanos + perUnit - 1n) / perUnit);
}

/** The request or limit as text. An unset request equals the limit that is set, and is 0 without one. */
function resourceText(
  resource: string,
  container: Container | undefined,
  node: NodeAmounts,
): string {
  const { limits = {}, requests = {} } = container?.resources ?? {};
  const [kind = '', ...rest] = resource.split('.');
  const name = rest.join('.');
  const limit = limits[name] ?? '0';
  if (kind === 'requests') return requests[name] ?? limit;
  return nanosOf(limit) === 0n ? amountOf(node, name) : limit;
}

function amountOf({ cpus, memoryBytes }: NodeAmounts, resource: string): string {
  if (resource === 'cpu') return String(cpus);
  return resource === 'memory' ? String(memoryBytes) : '0';
}

function nanosOf(text: string): bigint {
  const quantity = parseQuantity(text);
  if (quantity === undefined)
    throw new StartError('CreateContainerConfigError', `not a quantity: ${text}`);
  return quantity.nanos;
}
