/** Checks one hook: its command, its pod, and the overrides of its pod. */
import type { LocalObjectReference, Toleration } from 'kubernetes-types/core/v1.js';

import {
  checkContainerName,
  checkLabels,
  checkObjectName,
  checkOnce,
  checkVolumeName,
  checkLabelKey,
} from '../../../controller/definitions/check-names.ts';
import { checkCommand, checkWord } from '../../../controller/definitions/check-values.ts';
import {
  type FieldProblem,
  invalid,
  notSupported,
  forbidden,
} from '../../../controller/definitions/field-problem.ts';
import type { HookPodOverrides, LifecycleHook } from '../kinds.ts';
import { checkEnv, checkEnvFrom } from './check-env.ts';
import { HOOK_BYTES_MAX, ANNOTATIONS_MAX, LABELS_MAX } from './limits.ts';

/** Checks one hook. `field`: the path of the hook, such as "spec.recreate.pre". */
export function checkHook(field: string, hook: LifecycleHook): FieldProblem[] {
  const { command, args = [], env = [], volumes = [], containerName, ...rest } = hook.execNewPod;
  const { labels = {}, annotations = {}, overrides = {} } = rest;
  const at = `${field}.execNewPod`;
  return [
    ...checkSize(field, hook),
    ...(command === undefined ? [] : checkCommand(`${at}.command`, command)),
    ...args.flatMap((word, index) => checkWord(`${at}.args[${index}]`, word)),
    ...checkEnv(`${at}.env`, env),
    ...checkContainerName(`${at}.containerName`, containerName),
    ...checkVolumes(`${at}.volumes`, volumes),
    ...checkPodLabels(`${at}.labels`, labels),
    ...checkPodAnnotations(`${at}.annotations`, annotations),
    ...checkOverrides(`${at}.overrides`, overrides),
  ];
}

function checkSize(field: string, hook: LifecycleHook): FieldProblem[] {
  const bytes = new TextEncoder().encode(JSON.stringify(hook)).length;
  if (bytes <= HOOK_BYTES_MAX) return [];
  const detail = `must have at most ${HOOK_BYTES_MAX} bytes as JSON: put long values into a ConfigMap, and name the volume that has it`;
  return [invalid(field, `${bytes} bytes`, detail)];
}

/** ROLL-DH7: a name that the template does not have is ignored, so it is no error here. */
function checkVolumes(field: string, volumes: readonly string[]): FieldProblem[] {
  const at = (index: number): string => `${field}[${index}]`;
  return [
    ...volumes.flatMap((name, index) => checkVolumeName(at(index), name)),
    ...checkOnce(volumes, at),
  ];
}

/**
 * Checks the overrides of a hook's pod (ROLL-C28). In a field that Kubernetes defines, only values that no version of
 * Kubernetes accepts are refused. The server that creates the pod checks the rest.
 */
export function checkOverrides(field: string, overrides: HookPodOverrides): FieldProblem[] {
  const { serviceAccountName, priorityClassName, runtimeClassName } = overrides;
  const { nodeSelector = {}, tolerations = [], imagePullSecrets = [], envFrom = [] } = overrides;
  const named = (name: string, value: string | undefined, what: string): FieldProblem[] =>
    value === undefined ? [] : checkObjectName(`${field}.${name}`, value, what);
  return [
    ...named('serviceAccountName', serviceAccountName, 'the service account'),
    ...named('priorityClassName', priorityClassName, 'the priority class'),
    ...named('runtimeClassName', runtimeClassName, 'the runtime class'),
    ...checkLabels(`${field}.nodeSelector`, nodeSelector),
    ...checkTolerations(`${field}.tolerations`, tolerations),
    ...checkPullSecrets(`${field}.imagePullSecrets`, imagePullSecrets),
    ...checkEnvFrom(`${field}.envFrom`, envFrom),
  ];
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function checkTolerations(field: string, tolerations: readonly Toleration[]): FieldProblem[] {
  return tolerations.flatMap(({ effect = '' }, index) =>
    effect === '' || EFFECTS.includes(effect)
      ? []
      : [notSupported(`${field}[${index}].effect`, effect, EFFECTS)],
  );
}

function checkPullSecrets(field: string, secrets: readonly LocalObjectReference[]): FieldProblem[] {
  return secrets.flatMap(({ name = '' }, index) =>
    checkObjectName(`${field}[${index}].name`, name, 'the Secret'),
  );
}

/** The labels or the annotations that a hook adds to its pod. */
type Marks = Readonly<Record<string, string>>;

/** Prefix of Lifehook's labels and annotations, which identify the pod and its hook. */
const RESERVED_PREFIX = 'lifehook.dev/';
/** ROLL-E14, ROLL-E24: with this label a ReplicaSet would adopt the pod and delete it as surplus. */
const POD_TEMPLATE_HASH = 'pod-template-hash';

export function checkPodLabels(field: string, labels: Marks): FieldProblem[] {
  const detail = 'a ReplicaSet would adopt the pod and delete it: remove this label';
  const hashed = POD_TEMPLATE_HASH in labels;
  return [
    ...checkCount(field, labels, LABELS_MAX),
    ...checkReserved(field, labels),
    ...(hashed ? [forbidden(`${field}[${POD_TEMPLATE_HASH}]`, detail)] : []),
    ...checkLabels(field, labels),
  ];
}

export function checkPodAnnotations(field: string, annotations: Marks): FieldProblem[] {
  return [
    ...checkCount(field, annotations, ANNOTATIONS_MAX),
    ...checkReserved(field, annotations),
    ...Object.keys(annotations).flatMap((key) => checkLabelKey(field, key)),
  ];
}

function checkReserved(field: string, marks: Marks): FieldProblem[] {
  const detail = `keys that begin with ${RESERVED_PREFIX} are reserved for the controllers: choose another`;
  return Object.keys(marks)
    .filter((key) => key.startsWith(RESERVED_PREFIX))
    .map((key) => forbidden(`${field}[${key}]`, detail));
}

function checkCount(field: string, marks: Marks, max: number): FieldProblem[] {
  const count = Object.keys(marks).length;
  return count <= max ? [] : [invalid(field, count, `must have at most ${max} keys`)];
}
