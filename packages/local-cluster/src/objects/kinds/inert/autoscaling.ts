/** The kind HorizontalPodAutoscaler in both versions. It is stored, but no controller acts on it. */
import type { JsonObject, Json } from '../../../../../../src/kube/object.ts';
import { AGE, NAME, NONE, text } from '../columns.ts';
import {
  fillObject,
  numberAt,
  objectsAt,
  textAt,
  fieldsAt,
  isObject,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import type { StoredForm } from '../../resource-definition.ts';

const PERCENT = 'targetCPUUtilizationPercentage';
const CURRENT_PERCENT = 'currentCPUUtilizationPercentage';

/**
 * Converts autoscaling/v1 to the stored version v2, and back. Version v1 has only one metric, cpu utilization; it omits
 * the other metrics, the behavior and the conditions of a stored object.
 */
const autoscalingConversion: StoredForm = {
  toStored(object) {
    const { [PERCENT]: target, ...spec } = fieldsAt(object, 'spec');
    const { [CURRENT_PERCENT]: current, ...status } = fieldsAt(object, 'status');
    return {
      ...object,
      apiVersion: 'autoscaling/v2',
      spec: { ...spec, ...listed('metrics', cpu('target', target, { type: 'Utilization' })) },
      ...(isObject(object['status'])
        ? { status: { ...status, ...listed('currentMetrics', cpu('current', current, {})) } }
        : {}),
    };
  },
  fromStored(stored) {
    const { metrics, behavior: _behavior, ...spec } = fieldsAt(stored, 'spec');
    const { currentMetrics, conditions: _conditions, ...status } = fieldsAt(stored, 'status');
    return {
      ...stored,
      apiVersion: 'autoscaling/v1',
      spec: { ...spec, ...percent(PERCENT, { metrics: metrics ?? [] }, 'target') },
      ...(isObject(stored['status'])
        ? {
            status: {
              ...status,
              ...percent(CURRENT_PERCENT, { metrics: currentMetrics ?? [] }, 'current'),
            },
          }
        : {}),
    };
  },
};

function cpu(field: string, value: Json | undefined, more: JsonObject): readonly JsonObject[] {
  if (typeof value !== 'number') return [];
  const resource = { name: 'cpu', [field]: { ...more, averageUtilization: value } };
  return [{ type: 'Resource', resource }];
}

function listed(name: string, metrics: readonly JsonObject[]): JsonObject {
  return metrics.length === 0 ? {} : { [name]: [...metrics] };
}

function percent(name: string, holder: JsonObject, field: string): JsonObject {
  const metric = objectsAt(holder, 'metrics').find(
    (entry) => textAt(entry, 'resource', 'name') === 'cpu',
  );
  const value = numberAt(metric, 'resource', field, 'averageUtilization');
  return value === undefined ? {} : { [name]: value };
}

const CPU_PERCENT = 80;
const UP_PODS = 4;
const UP_PERCENT = 100;
const DOWN_PERCENT = 100;
const PERIOD_SECONDS = 15;

const general = {
  ...inNamespace('autoscaling/v1', 'HorizontalPodAutoscaler', 'hpa'),
  categories: ['all'],
  status: true,
  generationOf: ['spec'],
  columns: [
    NAME,
    text('Reference', reference),
    text('Targets', targetCell),
    text('MinPods', (object) => String(numberAt(object, 'spec', 'minReplicas') ?? '<unset>')),
    text('MaxPods', (object) => numberAt(object, 'spec', 'maxReplicas') ?? 0),
    text('Replicas', (object) => numberAt(object, 'status', 'currentReplicas') ?? 0),
    AGE,
  ],
} as const;

export const horizontalPodAutoscalerV1: KindSpec = {
  ...general,
  defaults: [
    ['spec.minReplicas', 1],
    ['spec.targetCPUUtilizationPercentage', CPU_PERCENT],
  ],
  conversion: autoscalingConversion,
};

export const horizontalPodAutoscalerV2: KindSpec = {
  ...general,
  version: 'v2',
  defaults: [
    ['spec.minReplicas', 1],
    ['spec.behavior?.scaleUp.stabilizationWindowSeconds', 0],
    ['spec.behavior?.scaleUp.selectPolicy', 'Max'],
    ['spec.behavior?.scaleUp.policies', [policy('Pods', UP_PODS), policy('Percent', UP_PERCENT)]],
    ['spec.behavior?.scaleDown.selectPolicy', 'Max'],
    ['spec.behavior?.scaleDown.policies', [policy('Percent', DOWN_PERCENT)]],
  ],
  fill(draft) {
    const spec = fillObject(draft, 'spec');
    if (objectsAt(spec, 'metrics').length === 0) spec['metrics'] = [cpuMetric(CPU_PERCENT)];
  },
};

function cpuMetric(averageUtilization: number): JsonObject {
  const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization } };
  return { type: 'Resource', resource };
}

function policy(type: string, value: number): JsonObject {
  return { type, value, periodSeconds: PERIOD_SECONDS };
}

function reference(object: JsonObject): string {
  const path = ['spec', 'scaleTargetRef'];
  return `${textAt(object, ...path, 'kind')}/${textAt(object, ...path, 'name')}`;
}

/** Shows only the target value, because the local cluster measures no usage. */
function targetCell(object: JsonObject): string {
  const metric = objectsAt(object, 'spec', 'metrics').find(
    (entry) => textAt(entry, 'resource', 'name') === 'cpu',
  );
  const wanted =
    numberAt(object, 'spec', 'targetCPUUtilizationPercentage') ??
    numberAt(metric, 'resource', 'target', 'averageUtilization');
  return wanted === undefined ? NONE : `cpu: <unknown>/${wanted}%`;
}
