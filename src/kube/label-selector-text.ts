import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';

/** A selector as text for a request: "app=db,tier in (a,b),!old". '' selects everything. */
export function labelSelectorText(selector: LabelSelector): string {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  return [...labels, ...matchExpressions.map(expressionText)].join(',');
}

/** The operators are already validated: by a server, or by a schema of ours. */
function expressionText({ key, operator, values = [] }: LabelSelectorRequirement): string {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
