/** Sets defaults in pod templates and checks them, for all kinds that have one. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../field-error.ts';
import { validateAnnotations, validateLabels } from '../../metadata.ts';
import type { StrategyContext, ScalePaths } from '../../resource-definition.ts';
import { matchesSelector, requirementsOf, validateSelector } from '../../selector-object.ts';
import {
  fieldsAt,
  fillObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
} from '../../../../../../src/kube/fields.ts';
import { checkPodSpec } from '../pod/check-pod-spec.ts';
import { fillPodSpec } from '../pod/fill-pod-spec.ts';
import { allowsZeroSleep } from '../pod/gated-pod-fields.ts';

/** Path of the template, such as `['spec', 'template']`. */
export type TemplatePath = readonly string[];

export const SPEC_TEMPLATE: TemplatePath = ['spec', 'template'];

export interface TemplateToCheck {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly context: StrategyContext;
  readonly path: TemplatePath;
  readonly restartPolicies: readonly string[];
  /**
   * Kind to name in the error about activeDeadlineSeconds, such as "ReplicaSet"; absent if pods may have that deadline.
   */
  readonly withoutDeadlineIn?: string;
}

export function fillTemplate(draft: JsonObject, path: TemplatePath): void {
  const template = path.reduce(fillObject, draft);
  fillObject(template, 'metadata');
  fillPodSpec(fillObject(template, 'spec'));
}

export function checkTemplate(options: TemplateToCheck): readonly FieldError[] {
  const { object, old, context, path, restartPolicies } = options;
  const field = path.join('.');
  const spec = fieldsAt(object, ...path, 'spec');
  const zeroSleep = allowsZeroSleep(objectAt(old, ...path, 'spec'), context.gates);
  const restart = textAt(spec, 'restartPolicy');
  return [
    ...validateLabels(fieldsAt(object, ...path, 'metadata', 'labels'), `${field}.labels`),
    ...validateAnnotations(
      fieldsAt(object, ...path, 'metadata', 'annotations'),
      `${field}.annotations`,
    ),
    ...checkPodSpec({ spec, field: `${field}.spec`, zeroSleep }),
    ...(objectsAt(spec, 'ephemeralContainers').length > 0
      ? [
          forbidden(
            `${field}.spec.ephemeralContainers`,
            'ephemeral containers not allowed in pod template',
          ),
        ]
      : []),
    ...(restartPolicies.includes(restart)
      ? []
      : [notSupported(`${field}.spec.restartPolicy`, restart, restartPolicies)]),
    ...checkDeadline(spec, options),
  ];
}

/** Checks the selector: it must not be empty, and must match the labels of the template. `kind`: for error messages. */
export function selectorOf(kind: string): (object: JsonObject) => readonly FieldError[] {
  return (object) => checkSelector(object, kind);
}

function checkSelector(object: JsonObject, kind: string): readonly FieldError[] {
  const field = 'spec.selector';
  const selector = objectAt(object, ...field.split('.'));
  const labels = textMapAt(object, ...SPEC_TEMPLATE, 'metadata', 'labels');
  const mismatch = invalid(
    'spec.template.metadata.labels',
    { ...labels },
    '`selector` does not match template `labels`',
  );
  // As on a real server, a DaemonSet does not get the error "required".
  if (selector === undefined)
    return kind === 'daemonset' ? [mismatch] : [required(field), mismatch];
  const faults = validateSelector(selector, field);
  if (faults.length > 0) return [...faults, invalid(field, selector, 'invalid label selector')];
  if (requirementsOf(selector).length === 0) {
    return [invalid(field, selector, `empty selector is invalid for ${kind}`)];
  }
  return matchesSelector(selector, labels) ? [] : [mismatch];
}

function checkDeadline(
  spec: JsonObject,
  { path, withoutDeadlineIn }: TemplateToCheck,
): readonly FieldError[] {
  const seconds = numberAt(spec, 'activeDeadlineSeconds');
  if (withoutDeadlineIn === undefined || seconds === undefined) return [];
  return [
    forbidden(
      `${path.join('.')}.spec.activeDeadlineSeconds`,
      `activeDeadlineSeconds in ${withoutDeadlineIn} is not Supported`,
    ),
  ];
}

/** Paths of the scale subresource in kinds of the group apps. */
export const REPLICA_SCALE: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  labelSelector: '.spec.selector',
};
