/** Checks a job. The restart policy Always is refused, because the pods of a job must end. */
import { selectorOf } from './template.ts';
import { notNegative, oneOf, immutable } from '../field-checks.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { type FieldError, forbidden, invalid, required } from '../../field-error.ts';
import { type Rule, unchanged } from '../interpret.ts';
import {
  at,
  fieldsAt,
  isTrue,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';

export const JOB_NUMBERS: readonly string[] = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
];
/** All restart policies. A job refuses Always in its own check, with another message. */
export const ANY_POLICY: readonly string[] = ['Always', 'OnFailure', 'Never'];
/** Fields that are refused, because our job controller does not support them. */
const ABSENT = ['backoffLimitPerIndex', 'podFailurePolicy', 'successPolicy', 'managedBy'];

export const jobRules: readonly Rule[] = [
  [`spec.{${JOB_NUMBERS.join(',')}}`, notNegative],
  ['spec.completionMode', oneOf('NonIndexed', 'Indexed')],
  (object) => refuseAbsent(fieldsAt(object, 'spec')),
  ['spec.podReplacementPolicy', oneOf('Failed', 'TerminatingOrFailed')],
  selectorOf('job'),
  'template',
  (object) => checkRestarts(fieldsAt(object, 'spec'), 'spec'),
  (object, old) => (old === undefined ? checkOwnLabels(object) : []),
  ['spec.{completions,selector}', unchanged],
  (object, old) =>
    old === undefined ? [] : checkTemplateUpdate(fieldsAt(object, 'spec'), fieldsAt(old, 'spec')),
];

/** The start time can be changed or cleared only while the job is suspended. */
export function checkJobStatus(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [start, before] = [object, old].map((each) => at(each, 'status', 'startTime'));
  if (before === undefined || start === before || isTrue(old, 'spec', 'suspend')) return [];
  return [invalid('status.startTime', start, 'field is immutable for unsuspended job once set')];
}

/** Without `manualSelector`, the selector must be the one that the server generated. */
function checkOwnLabels(object: JsonObject): readonly FieldError[] {
  const selector = objectAt(object, 'spec', 'selector');
  const labels = Object.keys(fieldsAt(selector, 'matchLabels'));
  const isOwn = labels.length === 1 && objectsAt(selector, 'matchExpressions').length === 0;
  if (isTrue(object, 'spec', 'manualSelector') || selector === undefined || isOwn) return [];
  return [invalid('spec.selector', selector, '`selector` not auto-generated')];
}

/** Refuses the restart policy Always. `field`: path of the job's spec in errors. */
export function checkRestarts(spec: JsonObject, field: string): readonly FieldError[] {
  const policy = textAt(spec, 'template', 'spec', 'restartPolicy');
  return policy === 'Always'
    ? [required(`${field}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"')]
    : [];
}

function refuseAbsent(spec: JsonObject): readonly FieldError[] {
  const indexed = textAt(spec, 'completionMode') === 'Indexed' ? ['completionMode'] : [];
  return [...indexed, ...ABSENT.filter((name) => at(spec, name) !== undefined)].map((name) =>
    forbidden(`spec.${name}`, 'the local cluster does not act on it'),
  );
}

/** The template cannot change. While the job is suspended, the fields that decide the placement of pods can. */
function checkTemplateUpdate(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const waiting = isTrue(before, 'suspend') && isTrue(spec, 'suspend');
  const template = fieldsAt(spec, 'template');
  const compared = waiting ? withPlacement(template, fieldsAt(before, 'template')) : template;
  return immutable('spec.template', compared, before['template']);
}

function withPlacement(template: JsonObject, before: JsonObject): JsonObject {
  const names = ['affinity', 'nodeSelector', 'tolerations', 'schedulingGates'];
  const old = fieldsAt(before, 'spec');
  const placement = Object.fromEntries(names.map((name) => [name, old[name] ?? null]));
  return { ...template, spec: { ...fieldsAt(template, 'spec'), ...placement } };
}
