/** How well a pod is served when the node runs short: by what its containers request and may use. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { compareQuantities, parseQuantity } from '../../quantity.ts';
import { objectsAt, textMapAt } from '../../../../../../src/kube/fields.ts';

const COUNTED = ['cpu', 'memory'];

export function qosClass(spec: JsonObject): string {
  const containers = ['initContainers', 'containers'].flatMap((list) => objectsAt(spec, list));
  // The resources of the pod as a whole stand for those of its containers.
  const ofPod = amountsOf(spec);
  const isSet = ofPod.requests.size + ofPod.limits.size > 0;
  const amounts = isSet ? [ofPod] : containers.map(amountsOf);
  if (amounts.every(({ requests, limits }) => requests.size + limits.size === 0)) {
    return 'BestEffort';
  }
  return amounts.every(({ requests, limits }) => isGuaranteed(requests, limits))
    ? 'Guaranteed'
    : 'Burstable';
}

function amountsOf(of: JsonObject): Record<'requests' | 'limits', ReadonlyMap<string, string>> {
  return { requests: counted(of, 'requests'), limits: counted(of, 'limits') };
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
function counted(of: JsonObject, kind: string): ReadonlyMap<string, string> {
  const amounts = Object.entries(textMapAt(of, 'resources', kind));
  return new Map(
    amounts.filter(
      ([name, amount]) => COUNTED.includes(name) && (parseQuantity(amount)?.nanos ?? 0n) > 0n,
    ),
  );
}
