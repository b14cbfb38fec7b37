import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { withOwnersAfterScale, withScaleOwners } from './scale-owners.ts';

const entry = (manager: string, more: JsonObject): JsonObject => ({
  manager,
  operation: 'Update',
  apiVersion: 'apps/v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  ...more,
});

const object = (...managedFields: JsonObject[]): JsonObject => ({ metadata: { managedFields } });

const scaled = (live: JsonObject): Parameters<typeof withScaleOwners>[1] => ({
  live,
  apiVersion: 'apps/v1',
  path: ['spec', 'replicas'],
});

const both = { fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } };
const paused = { fieldsV1: { 'f:spec': { 'f:paused': {} } } };
const scale = { apiVersion: 'autoscaling/v1' };

describe('the owners of a scale', () => {
  it('are those of the number of replicas, in the version of the scale', () => {
    const live = object(
      entry('one', both),
      entry('two', paused),
      entry('three', { apiVersion: 'extensions/v1beta1' }),
      entry('four', { apiVersion: 'apps/v1beta2' }),
    );
    expect(withScaleOwners({}, scaled(live))).toEqual(
      object(entry('four', scale), entry('one', scale)),
    );
  });
});

describe('the owners of an object after its scale was written', () => {
  it('have the writer of the scale, without a time, and not the owner that lost the number', () => {
    const live = object(entry('one', both));
    const written = object(entry('two', { ...scale, subresource: 'scale' }));
    const { time: _time, ...two } = entry('two', { subresource: 'scale' });
    expect(withOwnersAfterScale({}, written, scaled(live))).toEqual(
      object(two, entry('one', paused)),
    );
  });

  it('keep an applier that did not lose the number as it was', () => {
    const applier = { operation: 'Apply' };
    const live = object(entry('one', { ...both, ...applier }));
    const written = object(entry('one', { ...scale, ...applier }));
    expect(withOwnersAfterScale({}, written, scaled(live))).toEqual(live);
  });

  it('lose an entry that is left without a field', () => {
    const live = object(entry('one', {}));
    expect(withOwnersAfterScale({}, object(), scaled(live))).toEqual({});
  });
});
