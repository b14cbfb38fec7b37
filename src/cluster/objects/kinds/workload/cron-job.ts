/** Cron jobs: kept, but no clock of the local cluster starts them. */
import { humanAge } from '../../table-format-duration.ts';
import { nonNegative, oneOf, requiredTexts } from '../checks.ts';
import { AGE, integer, NAME, NONE, templateColumns, text, textField, yesNo } from '../columns.ts';
import { fieldsAt, fill, fillObject, isTrue, objectsAt, textAt } from '../fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkTemplate, dropGatedInTemplate, fillTemplate, type TemplatePath } from './template.ts';

const JOB_TEMPLATE: TemplatePath = ['spec', 'jobTemplate', 'spec', 'template'];
const SUCCESSES_KEPT = 3;
const FAILURES_KEPT = 1;

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
    yesNo('Suspend', (object) => isTrue(object, 'spec', 'suspend')),
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
      ...checkTemplate({
        object,
        old,
        context,
        path: JOB_TEMPLATE,
        restartPolicies: ['OnFailure', 'Never'],
      }),
    ];
  },
};
