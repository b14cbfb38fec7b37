/** How well a pod is served when the node runs short: by what its containers request and may use. */
import type { JsonObject } from '../../../../kube/object.ts';
import { compareQuantities, parseQuantity } from '../../quantity.ts';
import { objectsAt, textMapAt } from '../fields.ts';

const COUNTED = ['cpu', 'memory'];

export function qosClass(spec: JsonObject): string {
  const containers = ['initContainers', 'containers'].flatMap((list) => objectsAt(spec, list));
  const amounts = containers.map((container) => ({
    requests: counted(container, 'requests'),
    limits: counted(container, 'limits'),
  }));
  if (amounts.every(({ requests, limits }) => requests.size + limits.size === 0)) {
    return 'BestEffort';
  }
  return amounts.every(({ requests, limits }) => isGuaranteed(requests, limits))
    ? 'Guaranteed'
    : 'Burstable';
}

function isGuaranteed(
  requests: ReadonlyMap<string, string>,
  limits: ReadonlyMap<string, string>,
): boolean {
  return COUNTED.every((name) => {
    const limit = parseQuantity(limits.get(name) ?? '');
    const request = parseQuantity(requests.get(name) ?? limits.get(name) ?? '');
    return limit !== undefined && request !== undefined && compareQuantities(limit, request) === 0;
  });
}

/** Zero is as good as nothing. */
function counted(container: JsonObject, kind: string): ReadonlyMap<string, string> {
  const amounts = Object.entries(textMapAt(container, 'resources', kind));
  return new Map(
    amounts.filter(
      ([name, amount]) => COUNTED.includes(name) && (parseQuantity(amount)?.nanos ?? 0n) > 0n,
    ),
  );
}
