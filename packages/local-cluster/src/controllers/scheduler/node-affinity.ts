/** Matches the labels and the name of a node against the required node affinity of a pod. Pure. */
import type {
  Node,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
} from 'kubernetes-types/core/v1.js';

import { meets, ownValue } from '../../../../../src/kube/label-selector.ts';

/** True if the node matches one of the terms, or if the pod requires nothing. */
export function hasAffinity({ spec }: Pod, node: Node): boolean {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || termsOf(required).some((term) => matches(term, node));
}

/** The terms of a node selector; empty if it has none, which the API server does not check. */
function termsOf({ nodeSelectorTerms = [] }: Partial<NodeSelector>): readonly NodeSelectorTerm[] {
  return nodeSelectorTerms;
}

/** Whether the term selects the node. A term without a requirement matches no node. */
function matches(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { metadata = {} }: Node,
): boolean {
  const { name = '', labels = {} } = metadata;
  const fields: Readonly<Record<string, string>> = { 'metadata.name': name };
  return (
    matchExpressions.length + matchFields.length > 0 &&
    matchExpressions.every((one) => isMet(one, ownValue(labels, one.key))) &&
    matchFields.every((one) => isMet(one, ownValue(fields, one.key)))
  );
}

function isMet(
  { operator, values = [] }: NodeSelectorRequirement,
  value: string | undefined,
): boolean {
  switch (operator) {
    case 'Gt':
      return integerOf(value) > integerOf(values[0]);
    case 'Lt':
      return integerOf(value) < integerOf(values[0]);
    default:
      return meets(value, { operator, values });
  }
}

/** NaN if the text is not an integer: every comparison with it is false. */
function integerOf(text = ''): number {
  return /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}
