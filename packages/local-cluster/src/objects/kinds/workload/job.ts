/** Jobs: pods that run to their end. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { humanDuration } from '../../table-format-duration.ts';
import { AGE, NAME, SELECTOR, templateColumns, text } from '../columns.ts';
import {
  fillObject,
  isTrue,
  numberAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkJob, checkJobStatus } from './check-job.ts';
import { fillJobLabels, fillJobSpec, selectOwnPods, withLabelsOfPods } from './job-defaults.ts';
import { dropGatedInTemplate, fillTemplate, SPEC_TEMPLATE } from './template.ts';

export const job: KindSpec = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  namespaced: true,
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
  fill(draft) {
    fillJobSpec(fillObject(draft, 'spec'));
    fillTemplate(draft, SPEC_TEMPLATE);
    fillJobLabels(draft);
  },
  onCreate(draft, context) {
    dropGatedInTemplate(draft, { path: SPEC_TEMPLATE, old: undefined, context });
    selectOwnPods(draft);
  },
  onUpdate(draft, old, context) {
    dropGatedInTemplate(draft, { path: SPEC_TEMPLATE, old, context });
  },
  complete: withLabelsOfPods,
  check: checkJob,
  checkStatus: checkJobStatus,
};

/** The order in which conditions outweigh each other. */
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
