/** What an object refers to by name, with the place of each name. Pure. */
import { fields, list, podOf, text } from '../../../lifecycles/pod/lint/pod-of.ts';
import type { DocumentPath } from '../../../model/located-document.ts';
import { groupOf } from './find-kind.ts';
import type { LintObject } from './lint-object.ts';
import type { Wanted } from './object-index.ts';

export interface Reference extends Wanted {
  readonly path: DocumentPath;
  /** Of a ConfigMap or a Secret. */
  readonly key?: string;
}

/** Where a kind names objects of another kind: `[]` stands for each item of a list. */
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

/** In the spec of the kind. */
const OF_KIND: Readonly<Record<string, Places>> = {
  'lifehook.dev/DeploymentLifecycle': [['apps/Deployment', 'deploymentName'], ...OF_STAGES],
  'lifehook.dev/ExecutionHook': [[TEMPLATE, 'executionHookTemplateName']],
  'lifehook.dev/ApplicationSnapshot': [
    ['/PersistentVolumeClaim', 'source.persistentVolumeClaimNames[]'],
    [TEMPLATE, 'executionHookInfos[].executionHookTemplateName'],
  ],
  'networking.k8s.io/Ingress': [
    ['/Service', 'rules[].http.paths[].backend.service.name'],
    ['/Service', 'defaultBackend.service.name'],
  ],
};

/** Without those that are marked as optional. */
export function referencesOf({ apiVersion, kind, value }: LintObject): readonly Reference[] {
  const pod = podOf(value);
  const own = OF_KIND[`${groupOf(apiVersion)}/${kind}`] ?? [];
  return [
    ...(pod === null ? [] : referencesIn(pod.pod['spec'], [...pod.path, 'spec'], OF_POD)),
    ...referencesIn(value['spec'], ['spec'], own),
    ...ofScaler(value),
  ].filter(({ name }) => name !== '' && name !== DEFAULT_ACCOUNT);
}

/** Each namespace has one of itself. */
const DEFAULT_ACCOUNT = 'default';

function referencesIn(value: unknown, path: DocumentPath, places: Places): readonly Reference[] {
  return places.flatMap(([target, field]) => {
    const [group = '', kind = ''] = target.split('/');
    const steps = field.replaceAll('[]', '.[]').split('.');
    return namesAt({ value, around: value, path }, steps).flatMap(
      ({ value: name, around, path: at }) => {
        const { optional, key } = fields(around);
        if (optional === true) return [];
        const wanted = { group, kind, name: text(name), path: at };
        return [text(key) === '' ? wanted : { ...wanted, key: text(key) }];
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
    return namesAt({ value: fields(value)[step], around: value, path: [...path, step] }, rest);
  }
  return list(value).flatMap((item, index) =>
    namesAt({ value: item, around: value, path: [...path, index] }, rest),
  );
}

/** A HorizontalPodAutoscaler names the kind too. */
function ofScaler(value: LintObject['value']): readonly Reference[] {
  if (value['kind'] !== 'HorizontalPodAutoscaler') return [];
  const target = fields(fields(value['spec'])['scaleTargetRef']);
  const [group, kind] = [groupOf(text(target['apiVersion'])), text(target['kind'])];
  return [{ group, kind, name: text(target['name']), path: ['spec', 'scaleTargetRef', 'name'] }];
}
