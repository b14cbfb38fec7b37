/**
 * The rules for the targets of a hook (SNAP-R2, SNAP-R3, SNAP-R5). A list takes precedence over selectors (SNAP-R4),
 * with a warning; unused fields are checked too.
 */
import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';

import {
  checkContainerName,
  checkLabelKey,
  checkLabels,
  checkLabelValue,
  checkObjectName,
  checkOnce,
} from '../../../controller/definitions/check-names.ts';
import {
  type FieldProblem,
  invalid,
  notSupported,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { HookTargets, PodContainerNames } from '../kinds.ts';

/** The only key of a containerSelector: containers have no labels. */
export const CONTAINER_NAME_KEY = 'ContainerName';

/** Checks the targets of a hook. `field`: the path of the targets, "spec". */
export function checkTargets(field: string, targets: HookTargets): FieldProblem[] {
  const { podContainerNamesList: list, podSelector, containerSelector } = targets;
  return [
    ...(list === undefined ? [] : checkList(`${field}.podContainerNamesList`, list)),
    ...(podSelector === undefined ? [] : checkLabelSelector(`${field}.podSelector`, podSelector)),
    ...(containerSelector === undefined
      ? []
      : checkContainerSelector(`${field}.containerSelector`, containerSelector)),
  ];
}

/** SNAP-R3: a hook without any target cannot run. */
export function checkSomeTarget(field: string, targets: HookTargets): FieldProblem[] {
  const { podContainerNamesList: list, podSelector, containerSelector } = targets;
  if ([list, podSelector, containerSelector].some((given) => given !== undefined)) return [];
  const detail = 'name the pods and containers here, or give a podSelector or a containerSelector';
  return [required(`${field}.podContainerNamesList`, detail)];
}

export function targetWarnings(field: string, targets: HookTargets): string[] {
  const { podContainerNamesList: list, podSelector, containerSelector } = targets;
  const unused = podSelector !== undefined || containerSelector !== undefined;
  if (list !== undefined && unused) {
    return [`${field}.podContainerNamesList: only this list counts, the selectors are not used`];
  }
  const all = podSelector !== undefined && isEmpty(podSelector) && containerSelector === undefined;
  return all ? [`${field}.podSelector: it is empty, which selects every pod of the namespace`] : [];
}

function checkList(field: string, list: readonly PodContainerNames[]): FieldProblem[] {
  const names = list.map(({ podName }) => podName);
  return [
    ...list.flatMap((pod, index) => checkPod(`${field}[${index}]`, pod)),
    ...checkOnce(names, (index) => `${field}[${index}].podName`),
  ];
}

function checkPod(field: string, { podName, containerNames }: PodContainerNames): FieldProblem[] {
  const containers = `${field}.containerNames`;
  const problems = checkObjectName(`${field}.podName`, podName, 'the pod');
  const at = (index: number): string => `${containers}[${index}]`;
  problems.push(...containerNames.flatMap((name, index) => checkContainerName(at(index), name)));
  return [...problems, ...checkOnce(containerNames, at)];
}

function checkContainerSelector(
  field: string,
  selector: Readonly<Record<string, string>>,
): FieldProblem[] {
  const entries = Object.entries(selector);
  const detail = `the only key is ${CONTAINER_NAME_KEY}, whose value is the name of a container`;
  if (entries.length === 0) return [required(field, detail)];
  return entries.flatMap(([key, value]) =>
    key === CONTAINER_NAME_KEY
      ? checkContainerName(`${field}.${key}`, value)
      : [invalid(field, key, detail)],
  );
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Checks a label selector of a hook, or the claimSelector of a guard. */
export function checkLabelSelector(field: string, selector: LabelSelector): FieldProblem[] {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return [
    ...checkLabels(`${field}.matchLabels`, matchLabels),
    ...matchExpressions.flatMap((each, index) =>
      checkExpression(`${field}.matchExpressions[${index}]`, each),
    ),
  ];
}

function checkExpression(
  field: string,
  { key, operator, values = [] }: LabelSelectorRequirement,
): FieldProblem[] {
  const problems = [
    ...checkLabelKey(`${field}.key`, key),
    ...values.flatMap((value) => checkLabelValue(`${field}.values`, value)),
  ];
  if (!OPERATORS.includes(operator))
    return [...problems, notSupported(`${field}.operator`, operator, OPERATORS)];
  const wantsValues = operator === 'In' || operator === 'NotIn';
  if (wantsValues === values.length > 0) return problems;
  const detail = wantsValues ? `give the values of ${operator}` : `${operator} takes no values`;
  return [...problems, invalid(`${field}.values`, values, detail)];
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
