/** Checks selectors that match no pod of the files, and containers that the selected pods lack. Pure. */
import { fieldsAt, textMapAt } from '../../../kube/fields.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { matchesLabels } from '../../../kube/matches-labels.ts';
import { fields, list, podOf, text } from '../../../kube/pod-of.ts';
import { CONTAINER_NAME_KEY } from '../../../lifecycles/snapshot/schema/check-targets.ts';
import type { DocumentPath } from '../../../model/located-document.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { Problem } from '../../../model/problem.ts';
import { shownPath } from '../../convert/conversion.ts';
import { groupOf } from './find-kind.ts';
import { findingOf, type LintObject, titleOf } from './lint-object.ts';
import { nearName, type ObjectIndex, sameNamespace } from './object-index.ts';

interface LabelledPod {
  readonly owner: LintObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly containers: readonly string[];
}

interface Selection {
  readonly selector: Parameters<typeof matchesLabels>[0] & object;
  readonly path: DocumentPath;
  readonly containerSelector?: unknown;
}

export function checkSelectors(object: LintObject, index: ObjectIndex): readonly Problem[] {
  const selections = selectionsOf(object);
  if (selections.length === 0) return [];
  const pods = podsOf(object, index);
  // Nothing is known about pods that are not in the files.
  const [first, ...others] = pods;
  if (first === undefined) return [];
  return selections.flatMap((selection) => {
    const selected = pods.filter(({ labels }) => matchesLabels(selection.selector, labels));
    if (selected.length === 0) return [selectsNone(object, selection, [first, ...others])];
    return missingContainer(object, selection, selected);
  });
}

function selectionsOf({ apiVersion, kind, value }: LintObject): readonly Selection[] {
  const spec = fieldsAt(value, 'spec');
  switch (`${groupOf(apiVersion)}/${kind}`) {
    case '/Service': {
      const matchLabels = textMapAt(spec, 'selector');
      if (Object.keys(matchLabels).length === 0) return [];
      return [{ selector: { matchLabels }, path: ['spec', 'selector'] }];
    }
    case 'policy/PodDisruptionBudget':
      return selectionIn(spec, ['spec'], 'selector');
    case 'lifehook.dev/ExecutionHook':
      return selectionIn(spec, ['spec'], 'podSelector');
    case 'lifehook.dev/ApplicationSnapshot':
      return list(spec['executionHookInfos']).flatMap((info, index) =>
        selectionIn(fields(info), ['spec', 'executionHookInfos', index], 'podSelector'),
      );
    default:
      return [];
  }
}

function selectionIn(
  holder: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  field: string,
): readonly Selection[] {
  const selector = holder[field];
  if (typeof selector !== 'object' || selector === null || Array.isArray(selector)) return [];
  const expressions = list(fields(selector)['matchExpressions']).map((one) => ({
    key: text(fields(one)['key']),
    operator: text(fields(one)['operator']),
    values: list(fields(one)['values']).map(String),
  }));
  const matchLabels = textMapAt(selector as JsonObject, 'matchLabels');
  return [
    {
      selector: { matchLabels, matchExpressions: expressions },
      path: [...path, field],
      containerSelector: holder['containerSelector'],
    },
  ];
}

function podsOf(object: LintObject, index: ObjectIndex): readonly LabelledPod[] {
  return index.all.flatMap((owner) => {
    const found = podOf(owner.value);
    if (found === null || !sameNamespace(owner, object)) return [];
    const spec = fields(found.pod['spec']);
    const containers = ['initContainers', 'containers'].flatMap((field) =>
      list(spec[field]).map((one) => text(fields(one)['name'])),
    );
    const labels = textMapAt(owner.value, ...found.path.map(String), 'metadata', 'labels');
    return [{ owner, labels, containers }];
  });
}

function selectsNone(
  object: LintObject,
  { selector, path }: Selection,
  pods: readonly [LabelledPod, ...LabelledPod[]],
): Problem {
  const near = nearLabel(selector.matchLabels ?? {}, pods);
  const [{ owner, labels }] = pods;
  return findingOf(object, {
    code: 'LHM013',
    severity: near === null ? 'warning' : 'error',
    path,
    message: `${shownPath(path)} selects no pod of the files.`,
    next:
      near === null
        ? `Compare it with the labels of the pods: those of ${titleOf(owner)} are ${JSON.stringify(labels)}.`
        : `Did you mean ${near}?`,
  });
}

/** Example: "app: web"; null: no label is similar. */
function nearLabel(
  wanted: Readonly<Record<string, string>>,
  pods: readonly LabelledPod[],
): string | null {
  const [[label, value] = ['', '']] = Object.entries(wanted);
  const values = pods.flatMap(({ labels }) => labels[label] ?? []);
  const near = nearName(value, values);
  return near === null || near === value ? null : `${label}: ${near}`;
}

function missingContainer(
  object: LintObject,
  { path, containerSelector }: Selection,
  selected: readonly LabelledPod[],
): Problem[] {
  const name = text(fields(containerSelector)[CONTAINER_NAME_KEY]);
  const names = selected.flatMap(({ containers }) => containers);
  if (name === '' || names.includes(name)) return [];
  const near = nearestWord(name, names);
  const at = [...path.slice(0, -1), 'containerSelector', CONTAINER_NAME_KEY];
  return [
    findingOf(object, {
      code: 'LHM014',
      severity: 'error',
      path: at,
      message: `${shownPath(at)} is ${JSON.stringify(name)}, and no pod that is selected has such a container.`,
      next:
        near === null
          ? `Name one of ${names.join(', ')}.`
          : `Did you mean ${JSON.stringify(near)}?`,
    }),
  ];
}
