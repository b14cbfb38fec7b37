import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { checkService } from './check-service.ts';

const service = (spec: JsonObject): JsonObject => ({
  spec: {
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    ...spec,
  },
});

const faults = (spec: JsonObject, old?: JsonObject): string[] =>
  checkService(service(spec), old === undefined ? undefined : service(old)).map(fieldErrorMessage);

const NONE =
  'spec.clusterIPs[0]: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

describe('the address of a service', () => {
  it('is an IP address, None or empty', () => {
    for (const clusterIP of ['', 'None', '10.0.0.1', 'fd00::1']) {
      expect(faults({ clusterIP })).toEqual([]);
    }
    expect(faults({ clusterIP: 'here' })).toEqual([NONE]);
  });

  it('is immutable, and the error names only addresses', () => {
    const old = { clusterIP: '10.0.0.1' };
    expect(faults(old, old)).toEqual([]);
    expect(faults({ clusterIP: 'here' }, old)).toEqual([NONE]);
    expect(faults({ clusterIP: '10.0.0.2' }, old)).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    ]);
    expect(faults(old, { clusterIP: '' })).toEqual([]);
  });
});

it('a node port is refused in a ClusterIP service', () => {
  const ports = [{ port: 80, protocol: 'TCP', targetPort: 80, nodePort: 30_000 }];
  expect(faults({ ports })).toEqual([
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ]);
  expect(faults({ type: 'NodePort', ports })).toEqual([]);
});
