/** Cron jobs: kept, but no clock of the local cluster starts them. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid } from '../../field-errors.ts';
import type { StrategyContext } from '../../resource-definition.ts';
import { humanAge } from '../../table-format.ts';
import { nonNegative, oneOf, requiredTexts } from '../checks.ts';
import { AGE, integer, NAME, NONE, templateColumns, text, textField } from '../columns.ts';
import {
  fieldsAt,
  fill,
  fillObject,
  isTrue,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { ANY_POLICY, checkRestarts, JOB_NUMBERS } from './check-job.ts';
import { checkTemplate, dropGatedInTemplate, fillTemplate, type TemplatePath } from './template.ts';

const JOB_TEMPLATE: TemplatePath = ['spec', 'jobTemplate', 'spec', 'template'];
const SUCCESSES_KEPT = 3;
const FAILURES_KEPT = 1;
/** The names of its jobs are eleven characters longer. */
const NAME_MAX = 52;

export const cronJob: KindSpec = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
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
  fill(draft) {
    const spec = fillObject(draft, 'spec');
    fill(spec, 'concurrencyPolicy', 'Allow');
    spec['suspend'] ??= false;
    spec['successfulJobsHistoryLimit'] ??= SUCCESSES_KEPT;
    spec['failedJobsHistoryLimit'] ??= FAILURES_KEPT;
    fillObject(fillObject(spec, 'jobTemplate'), 'metadata');
    fillTemplate(draft, JOB_TEMPLATE);
  },
  onCreate(draft, context) {
    dropGatedInTemplate(draft, { path: JOB_TEMPLATE, old: undefined, context });
  },
  onUpdate(draft, old, context) {
    dropGatedInTemplate(draft, { path: JOB_TEMPLATE, old, context });
  },
  check(object, old, context) {
    const spec = fieldsAt(object, 'spec');
    return [
      ...requiredTexts(spec, 'spec', ['schedule']),
      ...nonNegative(spec, 'spec', [
        'startingDeadlineSeconds',
        'successfulJobsHistoryLimit',
        'failedJobsHistoryLimit',
      ]),
      ...oneOf('spec.concurrencyPolicy', textAt(spec, 'concurrencyPolicy'), [
        'Allow',
        'Forbid',
        'Replace',
      ]),
      ...checkName(textAt(object, 'metadata', 'name')),
      ...checkJobTemplate(object, old, context),
    ];
  },
};

function checkName(name: string): readonly FieldError[] {
  if (name.length <= NAME_MAX) return [];
  return [invalid('metadata.name', name, `must be no more than ${NAME_MAX} characters`)];
}

function checkJobTemplate(
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
): readonly FieldError[] {
  const field = 'spec.jobTemplate.spec';
  const spec = fieldsAt(object, ...field.split('.'));
  const selector = objectAt(spec, 'selector');
  return [
    ...nonNegative(spec, field, JOB_NUMBERS),
    ...(selector === undefined
      ? []
      : [invalid(`${field}.selector`, selector, '`selector` will be auto-generated')]),
    ...checkTemplate({ object, old, context, path: JOB_TEMPLATE, restartPolicies: ANY_POLICY }),
    ...checkRestarts(spec, field),
  ];
}
