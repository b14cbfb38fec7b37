/** Autoscalers, in both of their versions: kept only. */
import type { JsonObject } from '../../../../kube/object.ts';
import { AGE, NAME, NONE, text } from '../columns.ts';
import { fillObject, numberAt, objectsAt, textAt } from '../fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { autoscalingConversion } from './autoscaling-conversion.ts';

const CPU_PERCENT = 80;

const general = {
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  status: true,
  inert: true,
  generationOf: ['spec'],
  columns: [
    NAME,
    text('Reference', reference),
    text('Targets', target),
    text('MinPods', (object) => String(numberAt(object, 'spec', 'minReplicas') ?? '<unset>')),
    text('MaxPods', (object) => numberAt(object, 'spec', 'maxReplicas') ?? 0),
    text('Replicas', (object) => numberAt(object, 'status', 'currentReplicas') ?? 0),
    AGE,
  ],
  fill(draft: JsonObject): void {
    fillObject(draft, 'spec')['minReplicas'] ??= 1;
  },
} as const;

export const horizontalPodAutoscalerV1: KindSpec = {
  ...general,
  version: 'v1',
  fill(draft) {
    general.fill(draft);
    fillObject(draft, 'spec')['targetCPUUtilizationPercentage'] ??= CPU_PERCENT;
  },
  conversion: autoscalingConversion,
};

export const horizontalPodAutoscalerV2: KindSpec = { ...general, version: 'v2' };

function reference(object: JsonObject): string {
  const path = ['spec', 'scaleTargetRef'];
  return `${textAt(object, ...path, 'kind')}/${textAt(object, ...path, 'name')}`;
}

/** Nothing measures here, so that what is wanted is all there is to show. */
function target(object: JsonObject): string {
  const metric = objectsAt(object, 'spec', 'metrics').find(
    (entry) => textAt(entry, 'resource', 'name') === 'cpu',
  );
  const wanted =
    numberAt(object, 'spec', 'targetCPUUtilizationPercentage') ??
    numberAt(metric, 'resource', 'target', 'averageUtilization');
  return wanted === undefined ? NONE : `cpu: <unknown>/${wanted}%`;
}
