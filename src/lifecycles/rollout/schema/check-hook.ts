/** The rules for one hook: its command and its pod. */
import {
  checkContainerName,
  checkOnce,
  checkVolumeName,
} from '../../../controller/definitions/check-names.ts';
import { checkCommand, checkWord } from '../../../controller/definitions/check-values.ts';
import { type FieldProblem, invalid } from '../../../controller/definitions/field-problem.ts';
import type { LifecycleHook } from '../kinds.ts';
import { checkEnv } from './check-env.ts';
import { checkPodAnnotations, checkPodLabels } from './check-marks.ts';
import { checkOverrides } from './check-overrides.ts';
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
