/** The rules for one hook: its command, its pod, and the overrides of its pod. */
import type { LocalObjectReference, Toleration } from 'kubernetes-types/core/v1.js';

import {
  checkContainerName,
  checkLabels,
  checkObjectName,
  checkOnce,
  checkVolumeName,
} from '../../../controller/definitions/check-names.ts';
import { checkCommand, checkWord } from '../../../controller/definitions/check-values.ts';
import {
  type FieldProblem,
  invalid,
  notSupported,
} from '../../../controller/definitions/field-problem.ts';
import type { HookPodOverrides, LifecycleHook } from '../kinds.ts';
import { checkEnv, checkEnvFrom } from './check-env.ts';
import { checkPodAnnotations, checkPodLabels } from './check-marks.ts';
import { HOOK_BYTES_MAX } from './limits.ts';

/** `field`: the path of the hook: "spec.recreate.pre". */
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
  const detail = `must have at most ${HOOK_BYTES_MAX} bytes as JSON: put what is long into a ConfigMap, and name the volume that has it`;
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
 * The rules for the overrides of a hook's pod (ROLL-C28). In a field that Kubernetes defines, only values that no
 * version accepts are refused; the server that creates the pod checks the rest.
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
