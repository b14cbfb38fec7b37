/** The kinds Job and CronJob, and the labels that connect a job with its pods. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { type FieldError, invalid } from '../../field-error.ts';
import { humanAge, humanDuration } from '../../table-format.ts';
import {
  AGE,
  integer,
  NAME,
  NONE,
  SELECTOR,
  templateColumns,
  text,
  textField,
} from '../columns.ts';
import {
  fieldsAt,
  fillObject,
  isTrue,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import { needed, notNegative, oneOf } from '../field-checks.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { ANY_POLICY, checkJobStatus, checkRestarts, JOB_NUMBERS, jobRules } from './check-job.ts';
import type { TemplatePath } from './template.ts';

/** Default of backoffLimit, and the labels of a job's pods. */
const BACKOFF_LIMIT = 6;
const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';
/** Names of the same labels in older versions. Both are set, because clients may select by either. */
const OLD_UID_LABEL = 'controller-uid';
const OLD_NAME_LABEL = 'job-name';

/** Makes the job select its own pods by its uid, unless `manualSelector` is set. metadata.uid must be set. */
function selectOwnPods(job: JsonObject): void {
  const spec = fillObject(job, 'spec');
  if (!isTrue(spec, 'manualSelector')) addLabels(job, spec);
}

/** Copies the labels of the template to a job without labels. */
function fillJobLabels(job: JsonObject): void {
  const metadata = fillObject(job, 'metadata');
  const labels = fieldsAt(job, 'spec', 'template', 'metadata', 'labels');
  if (isEmpty(fieldsAt(metadata, 'labels')) && !isEmpty(labels)) metadata['labels'] = { ...labels };
}

/**
 * Copies the labels of the pod template, now with the job's uid, to a new job after its validation. `given`: the job as
 * the client sent it; if it has labels, nothing is copied.
 */
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
  // Fields of the feature gate WorkloadWithJob, which is off.
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

/** The condition to show; the first that applies wins. */
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

const JOB_TEMPLATE: TemplatePath = ['spec', 'jobTemplate', 'spec', 'template'];
const JOB_SPEC = 'spec.jobTemplate.spec';
const NUMBERS = ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'];
const SUCCESSES_KEPT = 3;
const FAILURES_KEPT = 1;
/** Maximum number of characters of a CronJob's name: the names of its jobs have 11 more, and a name has at most 63. */
const NAME_MAX = 52;

/** The kind CronJob: stored, but no controller starts its jobs. */
export const cronJob: KindSpec = {
  ...inNamespace('batch/v1', 'CronJob', 'cj'),
  categories: ['all'],
  status: true,
  inert: true,
  generationOf: ['spec'],
  columns: [
    NAME,
    textField('Schedule', 'spec', 'schedule'),
    text('Timezone', (object) => textAt(object, 'spec', 'timeZone') || NONE),
    {
      ...text('Suspend', (object) => (isTrue(object, 'spec', 'suspend') ? 'True' : 'False')),
      type: 'boolean',
    },
    integer('Active', (object) => objectsAt(object, 'status', 'active').length),
    text('Last Schedule', (object, now) => {
      const last = textAt(object, 'status', 'lastScheduleTime');
      return last === '' ? NONE : humanAge(last, now);
    }),
    AGE,
    ...templateColumns(...JOB_TEMPLATE),
    {
      ...text('Selector', () => NONE),
      priority: 1,
    },
  ],
  defaults: [
    ['spec.concurrencyPolicy', 'Allow'],
    ['spec.suspend', false],
    ['spec.successfulJobsHistoryLimit', SUCCESSES_KEPT],
    ['spec.failedJobsHistoryLimit', FAILURES_KEPT],
    ['spec.jobTemplate.metadata', {}],
  ],
  template: { path: JOB_TEMPLATE, restartPolicies: ANY_POLICY },
  rules: [
    ['spec.schedule', needed()],
    [`spec.{${NUMBERS.join(',')}}`, notNegative],
    ['spec.concurrencyPolicy', oneOf('Allow', 'Forbid', 'Replace')],
    (object) => checkName(textAt(object, 'metadata', 'name')),
    [`${JOB_SPEC}.{${JOB_NUMBERS.join(',')}}`, notNegative],
    (object) => checkNoSelector(objectAt(object, ...JOB_SPEC.split('.'), 'selector')),
    'template',
    (object) => checkRestarts(fieldsAt(object, ...JOB_SPEC.split('.')), JOB_SPEC),
  ],
};

function checkName(name: string): readonly FieldError[] {
  if (name.length <= NAME_MAX) return [];
  return [invalid('metadata.name', name, `must be no more than ${NAME_MAX} characters`)];
}

function checkNoSelector(selector: JsonObject | undefined): readonly FieldError[] {
  if (selector === undefined) return [];
  return [invalid(`${JOB_SPEC}.selector`, selector, '`selector` will be auto-generated')];
}
