/** The kind Job: pods that run to completion. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { humanDuration } from '../../table-format.ts';
import { AGE, NAME, SELECTOR, templateColumns, text } from '../columns.ts';
import {
  fillObject,
  isTrue,
  numberAt,
  objectsAt,
  textAt,
  fieldsAt,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { ANY_POLICY, checkJobStatus, jobRules } from './check-job.ts';

/** Defaults of a job, and the labels of its own pods. */
const BACKOFF_LIMIT = 6;
const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';
/** The labels of older versions; both are set, for clients that select by them. */
const OLD_UID_LABEL = 'controller-uid';
const OLD_NAME_LABEL = 'job-name';

/** Needs metadata.uid. With `manualSelector` the user sets the selector. */
function selectOwnPods(job: JsonObject): void {
  const spec = fillObject(job, 'spec');
  if (!isTrue(spec, 'manualSelector')) addLabels(job, spec);
}

/** A job without labels gets those of its pods. */
function fillJobLabels(job: JsonObject): void {
  const metadata = fillObject(job, 'metadata');
  const labels = fieldsAt(job, 'spec', 'template', 'metadata', 'labels');
  if (isEmpty(fieldsAt(metadata, 'labels')) && !isEmpty(labels)) metadata['labels'] = { ...labels };
}

/** Gives a valid new job that was `given` without labels those of its pods, including its own uid. */
function withLabelsOfPods(job: JsonObject, given: JsonObject): JsonObject {
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

export const job: KindSpec = {
  ...inNamespace('batch/v1', 'Job'),
  categories: ['all'],
  status: true,
  // WorkloadWithJob
  gated: [['spec.scheduling']],
  generationOf: ['spec'],
  columns: [
    NAME,
    text('Status', jobStatus),
    text('Completions', completions),
    text('Duration', duration),
    AGE,
    ...templateColumns('spec', 'template'),
    SELECTOR,
  ],
  fieldSelectors: {
    'status.successful': (object) => String(numberAt(object, 'status', 'succeeded') ?? 0),
  },
  unknownField: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  defaults: [
    ['spec.completions', 1, ['spec.parallelism', null]],
    ['spec.parallelism', 1],
    ['spec.backoffLimit', BACKOFF_LIMIT],
    ['spec.completionMode', 'NonIndexed'],
    ['spec.suspend', false],
    ['spec.podReplacementPolicy', 'TerminatingOrFailed'],
  ],
  template: { restartPolicies: ANY_POLICY },
  fill: fillJobLabels,
  onCreate: selectOwnPods,
  complete: withLabelsOfPods,
  rules: jobRules,
  checkStatus: checkJobStatus,
};

/** The conditions in order of precedence. */
function jobStatus(object: JsonObject): string {
  const has = (type: string): boolean =>
    objectsAt(object, 'status', 'conditions').some(
      (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
    );
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (textAt(object, 'metadata', 'deletionTimestamp') !== '') return 'Terminating';
  if (has('Suspended') || isTrue(object, 'spec', 'suspend')) return 'Suspended';
  if (has('FailureTarget')) return 'FailureTarget';
  return has('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

function completions(object: JsonObject): string {
  const done = numberAt(object, 'status', 'succeeded') ?? 0;
  const wanted = numberAt(object, 'spec', 'completions');
  if (wanted !== undefined) return `${done}/${wanted}`;
  const parallel = numberAt(object, 'spec', 'parallelism') ?? 0;
  return parallel > 1 ? `${done}/1 of ${parallel}` : `${done}/1`;
}

function duration(object: JsonObject, now: string): string {
  const started = textAt(object, 'status', 'startTime');
  if (started === '') return '';
  const ended = textAt(object, 'status', 'completionTime') || now;
  return humanDuration(Date.parse(ended) - Date.parse(started));
}
