/**
 * Autoscalers of autoscaling/v1 in the form of v2, in which they are stored, and back. Version 1 knows
 * one metric, the processor's; others of a stored object do not show in it.
 */
import type { Json, JsonObject } from '../../../../../../src/kube/object.ts';
import type { StoredForm } from '../../resource-definition.ts';
import {
  fieldsAt,
  isObject,
  numberAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';

const PERCENT = 'targetCPUUtilizationPercentage';
const CURRENT_PERCENT = 'currentCPUUtilizationPercentage';

export const autoscalingConversion: StoredForm = {
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
