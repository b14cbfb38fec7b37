/**
 * The rules for what a hook's pod has in place of what the template has (ROLL-C28). Where Kubernetes defines a
 * field, only what no version of it takes is refused; the rest is said by the server that makes the pod.
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
