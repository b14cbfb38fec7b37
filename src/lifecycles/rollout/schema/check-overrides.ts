/**
 * The rules for the overrides of a hook's pod (ROLL-C28). In a field that Kubernetes defines, only values that no
 * version accepts are refused; the server that creates the pod checks the rest.
 */
import type { LocalObjectReference, Toleration } from 'kubernetes-types/core/v1.js';

import { checkLabels } from '../../../controller/definitions/check-labels.ts';
import { checkObjectName } from '../../../controller/definitions/check-names.ts';
import { type FieldProblem, notSupported } from '../../../controller/definitions/field-problem.ts';
import type { HookPodOverrides } from '../kinds.ts';
import { checkEnvFrom } from './check-env.ts';

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
