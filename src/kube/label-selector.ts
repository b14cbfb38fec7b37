import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';

/**
 * Whether the selector matches these labels. An absent selector matches nothing, and an empty one matches everything.
 */
export function matchesLabels(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => ownValue(labels, key) === value) &&
    matchExpressions.every((requirement) => meets(ownValue(labels, requirement.key), requirement))
  );
}

/** Returns undefined for an inherited property: a label may have a name such as "constructor". */
export function ownValue(map: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

type Requirement = Omit<LabelSelectorRequirement, 'key'>;

/** Whether the value meets the requirement. An unknown operator matches nothing. */
export function meets(value: string | undefined, { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** A selector as text for a request: "app=db,tier in (a,b),!old". The text '' selects everything. */
export function labelSelectorText(selector: LabelSelector): string {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  return [...labels, ...matchExpressions.map(expressionText)].join(',');
}

/** Handles valid operators only: a server or one of our schemas has validated them. */
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
