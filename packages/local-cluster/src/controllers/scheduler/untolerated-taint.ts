/** Taints of a node and what a pod puts up with. Pure. */
import type { Node, Pod, Taint, Toleration } from 'kubernetes-types/core/v1.js';

/** The first that keeps the pod away, as "key: value"; null: none does. What only prefers it does not. */
export function untoleratedTaint(node: Node, { spec }: Pod): string | null {
  const tolerations = spec?.tolerations ?? [];
  const found = node.spec?.taints?.find(
    (taint) =>
      taint.effect !== 'PreferNoSchedule' && !tolerations.some((one) => tolerates(one, taint)),
  );
  return found === undefined ? null : `${found.key}: ${found.value ?? ''}`;
}

/** No effect stands for every effect. */
function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { effect = '' } = toleration;
  return (effect === '' || effect === taint.effect) && isAbout(toleration, taint);
}

/** No key, which only `Exists` may have, stands for every key. */
function isAbout({ key = '', operator, value = '' }: Toleration, taint: Taint): boolean {
  if (operator === 'Exists') return key === '' || key === taint.key;
  return key === taint.key && value === (taint.value ?? '');
}
