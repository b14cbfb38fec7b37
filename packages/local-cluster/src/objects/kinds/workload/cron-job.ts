/** The kind CronJob: stored, but the local cluster never starts its jobs. */
import { needed, notNegative, oneOf } from '../field-checks.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid } from '../../field-errors.ts';
import { humanAge } from '../../table-format.ts';
import { AGE, integer, NAME, NONE, templateColumns, text, textField } from '../columns.ts';
import {
  fieldsAt,
  isTrue,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { ANY_POLICY, checkRestarts, JOB_NUMBERS } from './check-job.ts';
import { type TemplatePath } from './template.ts';

const JOB_TEMPLATE: TemplatePath = ['spec', 'jobTemplate', 'spec', 'template'];
const JOB_SPEC = 'spec.jobTemplate.spec';
const NUMBERS = ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'];
const SUCCESSES_KEPT = 3;
const FAILURES_KEPT = 1;
/** The names of its jobs are 11 characters longer. */
const NAME_MAX = 52;

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
