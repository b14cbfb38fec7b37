/** How `kubectl get pods` shows a pod: what its status says, in one line. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { PrinterColumn } from '../../resource-definition.ts';
import { AGE, NAME, NONE, text, textOrNone, wide } from '../columns.ts';
import { objectsAt, textAt } from '../../../../../../src/kube/fields.ts';
import { podSummary } from './pod-summary.ts';

export const podColumns: readonly PrinterColumn[] = [
  NAME,
  text('Ready', (pod) => {
    const { ready, total } = podSummary(pod);
    return `${ready}/${total}`;
  }),
  text('Status', (pod) => podSummary(pod).reason),
  text('Restarts', (pod, now) => podSummary(pod).restarts(now)),
  AGE,
  wide(text('IP', (pod) => podAddress(pod) || NONE)),
  wide(textOrNone('Node', 'spec', 'nodeName')),
  wide(textOrNone('Nominated Node', 'status', 'nominatedNodeName')),
  wide(text('Readiness Gates', readinessGates)),
];

function podAddress(pod: JsonObject): string {
  const first = objectsAt(pod, 'status', 'podIPs')[0];
  return textAt(first, 'ip') || textAt(pod, 'status', 'podIP');
}

function readinessGates(pod: JsonObject): string {
  const gates = objectsAt(pod, 'spec', 'readinessGates').map((gate) =>
    textAt(gate, 'conditionType'),
  );
  if (gates.length === 0) return NONE;
  const conditions = objectsAt(pod, 'status', 'conditions');
  const met = gates.filter((gate) =>
    conditions.some(
      (condition) => textAt(condition, 'type') === gate && textAt(condition, 'status') === 'True',
    ),
  );
  return `${met.length}/${gates.length}`;
}
