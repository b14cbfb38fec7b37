/** Checks names that refer to no object of the files, or to one without the requested key. Pure. */
import { fieldsAt, textAt, listAt } from '../../../kube/fields.ts';
import { podOf } from '../../../kube/paths.ts';
import { groupOf } from '../../../kube/object.ts';
import type { DocumentPath } from '../../../model/located-document.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { Problem } from '../../../model/problem.ts';
import { shownPath } from '../../convert/conversion.ts';
import { findingOf, type LintObject, titleOf } from './lint-object.ts';
import type { ObjectIndex, Wanted } from './object-index.ts';

/**
 * Reports references to objects or keys that the files do not have. `strict`: the files contain all objects, so that a
 * reference to any other object is an error.
 */
export function checkReferences(
  object: LintObject,
  index: ObjectIndex,
  strict: boolean,
): readonly Problem[] {
  return referencesOf(object).flatMap((reference) => {
    const [first, ...others] = index.findAll(reference, object);
    if (first !== undefined) return missingKey(object, reference, [first, ...others]);
    if (index.isGenerated(reference) || isByTemplate(reference, object, index)) return [];
    return [unresolved(object, reference, { meant: index.meant(reference, object), strict })];
  });
}

/** True: a StatefulSet creates the claim, whose name is TEMPLATE-SET-NUMBER. */
function isByTemplate({ kind, name }: Reference, object: LintObject, index: ObjectIndex): boolean {
  if (kind !== 'PersistentVolumeClaim') return false;
  return index.ofKind('apps', 'StatefulSet', object).some((set) => {
    const templates = fieldsAt(set.value, 'spec')['volumeClaimTemplates'];
    if (!Array.isArray(templates)) return false;
    return templates.some((one) => {
      const prefix = `${textAt(one, 'metadata', 'name')}-${set.name}-`;
      return name.startsWith(prefix) && /^\d+$/u.test(name.slice(prefix.length));
    });
  });
}

function unresolved(
  object: LintObject,
  { kind, name, path }: Reference,
  { meant, strict }: { readonly meant: string | null; readonly strict: boolean },
): Problem {
  return findingOf(object, {
    code: meant === null ? 'LHM011' : 'LHM010',
    severity: meant === null && !strict ? 'warning' : 'error',
    path,
    message: `${shownPath(path)} names the ${kind} ${JSON.stringify(name)}, which is not among the files.`,
    next:
      meant === null
        ? `Add it to the files, or make sure that the cluster has it before this ${object.kind}.`
        : `Did you mean ${JSON.stringify(meant)}?`,
  });
}

/**
 * Reports a key that no found object has. `found`: all objects of that name, such as those of several overlays. One of
 * them must have the key.
 */
function missingKey(
  object: LintObject,
  reference: Reference,
  found: readonly [LintObject, ...LintObject[]],
): Problem[] {
  const { key, kind, path } = reference;
  if (key === undefined || !['ConfigMap', 'Secret'].includes(kind)) return [];
  const keys = found.flatMap(({ value }) =>
    ['data', 'stringData', 'binaryData'].flatMap((field) => Object.keys(fieldsAt(value, field))),
  );
  if (keys.includes(key)) return [];
  const near = nearestWord(key, keys);
  const at = [...path.slice(0, -1), 'key'];
  return [
    findingOf(object, {
      code: 'LHM012',
      severity: 'error',
      path: at,
      message: `${shownPath(at)} is ${JSON.stringify(key)}, but the ${titleOf(found[0])} has no such key.`,
      next:
        near === null
          ? `Its keys: ${keys.join(', ') || 'none'}.`
          : `Did you mean ${JSON.stringify(near)}?`,
    }),
  ];
}

export interface Reference extends Wanted {
  readonly path: DocumentPath;
  /** Key of a ConfigMap or a Secret. */
  readonly key?: string;
}

/** The fields of a kind that name objects of another kind. `[]` stands for each item of a list. */
type Places = readonly (readonly [target: string, field: string])[];

const OF_ENV: Places = [
  ['/ConfigMap', 'env[].valueFrom.configMapKeyRef.name'],
  ['/Secret', 'env[].valueFrom.secretKeyRef.name'],
  ['/ConfigMap', 'envFrom[].configMapRef.name'],
  ['/Secret', 'envFrom[].secretRef.name'],
];

const OF_POD: Places = [
  ...OF_ENV.map(([target, field]) => [target, `containers[].${field}`] as const),
  ...OF_ENV.map(([target, field]) => [target, `initContainers[].${field}`] as const),
  ['/ConfigMap', 'volumes[].configMap.name'],
  ['/Secret', 'volumes[].secret.secretName'],
  ['/PersistentVolumeClaim', 'volumes[].persistentVolumeClaim.claimName'],
  ['/ConfigMap', 'volumes[].projected.sources[].configMap.name'],
  ['/Secret', 'volumes[].projected.sources[].secret.name'],
  ['/ServiceAccount', 'serviceAccountName'],
];

const STAGES = [
  'rollingUpdate.pre',
  'rollingUpdate.post',
  'recreate.pre',
  'recreate.mid',
  'recreate.post',
];

const OF_STAGES: Places = STAGES.flatMap((stage) => [
  ...OF_ENV.map(([target, field]) => [target, `${stage}.execNewPod.${field}`] as const),
  ...OF_ENV.map(([target, field]) => [target, `${stage}.execNewPod.overrides.${field}`] as const),
  ['/ServiceAccount', `${stage}.execNewPod.overrides.serviceAccountName`] as const,
]);

const TEMPLATE = 'lifehook.dev/ExecutionHookTemplate';

/** The fields of each kind that refer to other objects, relative to the spec of the kind. */
const OF_KIND: Readonly<Record<string, Places>> = {
  'lifehook.dev/DeploymentLifecycle': [['apps/Deployment', 'deploymentName'], ...OF_STAGES],
  'lifehook.dev/ExecutionHook': [[TEMPLATE, 'executionHookTemplateName']],
  'lifehook.dev/ApplicationSnapshot': [
    ['/PersistentVolumeClaim', 'source.persistentVolumeClaimNames[]'],
    [TEMPLATE, 'executionHookInfos[].executionHookTemplateName'],
  ],
  'lifehook.dev/SnapshotSchedule': [
    ['/PersistentVolumeClaim', 'snapshotTemplate.spec.source.persistentVolumeClaimNames[]'],
    [TEMPLATE, 'snapshotTemplate.spec.executionHookInfos[].executionHookTemplateName'],
  ],
  'lifehook.dev/SnapshotGuard': [[TEMPLATE, 'executionHookInfos[].executionHookTemplateName']],
  'networking.k8s.io/Ingress': [
    ['/Service', 'rules[].http.paths[].backend.service.name'],
    ['/Service', 'defaultBackend.service.name'],
  ],
};

/**
 * The objects that an object refers to by name, with the place of each name. Optional references are left out. Pure.
 */
function referencesOf({ apiVersion, kind, value }: LintObject): readonly Reference[] {
  const pod = podOf(value);
  const own = OF_KIND[`${groupOf(apiVersion)}/${kind}`] ?? [];
  return [
    ...(pod === null ? [] : referencesIn(pod.pod['spec'], [...pod.path, 'spec'], OF_POD)),
    ...referencesIn(value['spec'], ['spec'], own),
    ...ofScaler(value),
  ].filter((one) => one.name !== '' && !isAlwaysThere(one));
}

/** True: the control plane creates the object in every namespace. */
function isAlwaysThere({ kind, name }: Reference): boolean {
  if (kind === 'ConfigMap') return name === 'kube-root-ca.crt';
  return kind === 'ServiceAccount' && name === 'default';
}

function referencesIn(value: unknown, path: DocumentPath, places: Places): readonly Reference[] {
  return places.flatMap(([target, field]) => {
    const [group = '', kind = ''] = target.split('/');
    const steps = field.replaceAll('[]', '.[]').split('.');
    return namesAt({ value, around: value, path }, steps).flatMap(
      ({ value: name, around, path: at }) => {
        const { optional, key } = fieldsAt(around);
        if (optional === true) return [];
        const wanted = { group, kind, name: textAt(name), path: at };
        return [textAt(key) === '' ? wanted : { ...wanted, key: textAt(key) }];
      },
    );
  });
}

interface Place {
  readonly value: unknown;
  readonly around: unknown;
  readonly path: DocumentPath;
}

function namesAt(place: Place, steps: readonly string[]): readonly Place[] {
  const [step, ...rest] = steps;
  const { value, path } = place;
  if (step === undefined) return value === undefined ? [] : [place];
  if (step !== '[]') {
    return namesAt({ value: fieldsAt(value)[step], around: value, path: [...path, step] }, rest);
  }
  return listAt(value).flatMap((item, index) =>
    namesAt({ value: item, around: value, path: [...path, index] }, rest),
  );
}

/** The reference of a HorizontalPodAutoscaler to its target, which has the kind of the target besides the name. */
function ofScaler(value: LintObject['value']): readonly Reference[] {
  if (value['kind'] !== 'HorizontalPodAutoscaler') return [];
  const target = fieldsAt(fieldsAt(value['spec'])['scaleTargetRef']);
  const [group, kind] = [groupOf(textAt(target['apiVersion'])), textAt(target['kind'])];
  return [{ group, kind, name: textAt(target['name']), path: ['spec', 'scaleTargetRef', 'name'] }];
}
