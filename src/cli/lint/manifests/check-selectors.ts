/** Checks selectors that match no pod of the files, and containers that the selected pods lack. Pure. */
import { fieldsAt, textMapAt, listAt, textAt } from '../../../kube/fields.ts';
import { matchesLabels } from '../../../kube/label-selector.ts';
import { podOf } from '../../../kube/paths.ts';
import { groupOf } from '../../../kube/object.ts';
import type { DocumentPath } from '../../../model/located-document.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { Problem } from '../../../model/problem.ts';
import { shownPath } from '../../convert/conversion.ts';
import { manifestRules } from '../../lifecycle-manifests.ts';
import { findingOf, type LintObject, titleOf } from './lint-object.ts';
import type { PodSelector } from './manifest-rules.ts';
import { nearName, sameNamespace } from './object-index.ts';
import { isOwn } from './own-kinds.ts';

export interface LabelledPod {
  readonly owner: LintObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly containers: readonly string[];
}

interface Selection {
  readonly selector: Parameters<typeof matchesLabels>[0] & object;
  readonly path: DocumentPath;
  readonly container?: PodSelector['container'];
}

/** Reports selectors that match no pod in the files. `all`: the pods of all objects. */
export function checkSelectors(
  object: LintObject,
  all: readonly LabelledPod[],
): readonly Problem[] {
  const selections = selectionsOf(object);
  if (selections.length === 0) return [];
  const pods = all.filter(({ owner }) => sameNamespace(owner, object));
  // If the files have no pods, nothing can be checked: the selected pods may be elsewhere.
  const [first, ...others] = pods;
  if (first === undefined) return [];
  return selections.flatMap((selection) => {
    const selected = pods.filter(({ labels }) => matchesLabels(selection.selector, labels));
    if (selected.length === 0) return [selectsNone(object, selection, [first, ...others])];
    return missingContainer(object, selection, selected);
  });
}

function selectionsOf(object: LintObject): readonly Selection[] {
  const { apiVersion, kind, value } = object;
  const spec = fieldsAt(value, 'spec');
  switch (`${groupOf(apiVersion)}/${kind}`) {
    case '/Service': {
      const matchLabels = textMapAt(spec, 'selector');
      if (Object.keys(matchLabels).length === 0) return [];
      return [{ selector: { matchLabels }, path: ['spec', 'selector'] }];
    }
    case 'policy/PodDisruptionBudget':
      return selectionIn({ holder: spec, path: ['spec'], field: 'selector' });
    default:
      return isOwn(object) ? ownSelections(object) : [];
  }
}

function ownSelections(object: LintObject): readonly Selection[] {
  return Object.values(manifestRules).flatMap(({ selectorsOf }) =>
    (selectorsOf?.(object) ?? []).flatMap(selectionIn),
  );
}

function selectionIn({
  holder,
  path,
  field,
  ...container
}: Omit<PodSelector, 'container'> & Pick<Selection, 'container'>): readonly Selection[] {
  const selector = holder[field];
  if (typeof selector !== 'object' || selector === null || Array.isArray(selector)) return [];
  const expressions = listAt(fieldsAt(selector)['matchExpressions']).map((one) => ({
    key: textAt(fieldsAt(one)['key']),
    operator: textAt(fieldsAt(one)['operator']),
    values: listAt(fieldsAt(one)['values']).map(String),
  }));
  const matchLabels = textMapAt(selector, 'matchLabels');
  return [
    {
      selector: { matchLabels, matchExpressions: expressions },
      path: [...path, field],
      ...container,
    },
  ];
}

/** The pods of all objects. They are found once, since each selector is compared with each of them. */
export function labelledPods(all: readonly LintObject[]): readonly LabelledPod[] {
  return all.flatMap((owner) => {
    const found = podOf(owner.value);
    if (found === null) return [];
    const spec = fieldsAt(found.pod['spec']);
    const containers = ['initContainers', 'containers'].flatMap((field) =>
      listAt(spec[field]).map((one) => textAt(fieldsAt(one)['name'])),
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

/** The most similar label of the pods, such as "app: web"; null: no label is similar. */
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
  { container }: Selection,
  selected: readonly LabelledPod[],
): Problem[] {
  const { name = '', path: at = [] } = container ?? {};
  const names = selected.flatMap(({ containers }) => containers);
  if (name === '' || names.includes(name)) return [];
  const near = nearestWord(name, names);
  return [
    findingOf(object, {
      code: 'LHM014',
      severity: 'error',
      path: at,
      message: `${shownPath(at)} is ${JSON.stringify(name)}, but no selected pod has such a container.`,
      next:
        near === null
          ? `Name one of ${names.join(', ')}.`
          : `Did you mean ${JSON.stringify(near)}?`,
    }),
  ];
}
