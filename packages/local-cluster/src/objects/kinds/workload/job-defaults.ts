/** What a job says where it is silent, and the labels by which it knows its own pods. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fill, fieldsAt, fillObject, isTrue, textAt } from '../../../../../../src/kube/fields.ts';

const BACKOFF_LIMIT = 6;
const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';
/** As older versions named them; both are kept, for those who select by them. */
const OLD_UID_LABEL = 'controller-uid';
const OLD_NAME_LABEL = 'job-name';

export function fillJobSpec(spec: JsonObject): void {
  if (isAbsent(spec, 'completions') && isAbsent(spec, 'parallelism')) spec['completions'] = 1;
  spec['parallelism'] ??= 1;
  spec['backoffLimit'] ??= BACKOFF_LIMIT;
  fill(spec, 'completionMode', 'NonIndexed');
  spec['suspend'] ??= false;
  fill(spec, 'podReplacementPolicy', 'TerminatingOrFailed');
}

/** Needs metadata.uid. With `manualSelector` the selector is the user's own affair. */
export function selectOwnPods(job: JsonObject): void {
  const spec = fillObject(job, 'spec');
  if (!isTrue(spec, 'manualSelector')) addLabels(job, spec);
}

/** A job without labels of its own has those of its pods. */
export function fillJobLabels(job: JsonObject): void {
  const metadata = fillObject(job, 'metadata');
  const labels = fieldsAt(job, 'spec', 'template', 'metadata', 'labels');
  if (isEmpty(fieldsAt(metadata, 'labels')) && !isEmpty(labels)) metadata['labels'] = { ...labels };
}

/** Gives a valid new job that was `given` without labels those of its pods, its own uid among them. */
export function withLabelsOfPods(job: JsonObject, given: JsonObject): JsonObject {
  if (!isEmpty(fieldsAt(given, 'metadata', 'labels'))) return job;
  const own = fieldsAt(job, 'metadata', 'labels');
  const labels = { ...fieldsAt(job, 'spec', 'template', 'metadata', 'labels'), ...own };
  return isEmpty(labels) ? job : { ...job, metadata: { ...fieldsAt(job, 'metadata'), labels } };
}

function isEmpty(labels: JsonObject): boolean {
  return Object.keys(labels).length === 0;
}

function addLabels(job: JsonObject, spec: JsonObject): void {
  const uid = textAt(job, 'metadata', 'uid');
  const name = textAt(job, 'metadata', 'name');
  const template = fillObject(fillObject(spec, 'template'), 'metadata');
  template['labels'] = {
    ...fieldsAt(template, 'labels'),
    [UID_LABEL]: uid,
    [NAME_LABEL]: name,
    [OLD_UID_LABEL]: uid,
    [OLD_NAME_LABEL]: name,
  };
  const selector = fillObject(spec, 'selector');
  selector['matchLabels'] = { ...fieldsAt(selector, 'matchLabels'), [UID_LABEL]: uid };
}

function isAbsent(spec: JsonObject, name: string): boolean {
  return spec[name] === undefined || spec[name] === null;
}
