import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { checkCustomResourceDefinition } from './check-custom-resource-definition.ts';

const version = (name: string, more: JsonObject): JsonObject => ({
  name,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});

function faults(...versions: JsonObject[]): string[] {
  const names = { plural: 'as', singular: 'a', kind: 'A', listKind: 'AList' };
  const spec = { group: 'example.com', scope: 'Cluster', names, versions };
  const object = { metadata: { name: 'as.example.com' }, spec };
  return checkCustomResourceDefinition(object, undefined).map(fieldErrorMessage);
}

describe('what is wrong with a column or a scale', () => {
  const wrong = {
    additionalPrinterColumns: [{ name: 'a', type: 'string' }],
    subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: 'status' } },
  };
  const path = 'must be a simple json path starting with .';

  it('is a fault of the whole definition if all versions are alike', () => {
    const expected = [
      'spec.additionalPrinterColumns[0].JSONPath: Required value',
      `spec.subresources.scale.statusReplicasPath: Invalid value: "status": ${path}`,
    ];
    expect(faults(version('v1', wrong))).toEqual(expected);
    expect(faults(version('v1', wrong), version('v2', wrong))).toEqual(expected);
  });

  it('is a fault of a version that differs from another', () => {
    expect(faults(version('v1', {}), version('v2', wrong))).toEqual([
      'spec.versions[1].additionalPrinterColumns[0].JSONPath: Required value',
      `spec.versions[1].subresources.scale.statusReplicasPath: Invalid value: "status": ${path}`,
    ]);
  });
});
