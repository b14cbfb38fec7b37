import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { defineKind } from '../define-kind.ts';
import { service } from './service-kind.ts';

const services = defineKind(service);
const gates = { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true };
const context = { gates, now: '2026-01-01T00:00:00Z' };

const updated = (spec: JsonObject, before: JsonObject): unknown => {
  const [object, old] = [spec, before].map((each) => services.defaults({ spec: each }));
  return services.prepareForUpdate(object ?? {}, old ?? {}, context)['spec'];
};

describe('a service', () => {
  it('loses its externalTrafficPolicy when it becomes a ClusterIP service', () => {
    const outside = { type: 'NodePort', externalTrafficPolicy: 'Local' };
    const inside = { ...outside, type: 'ClusterIP' };
    expect(updated(inside, outside)).not.toHaveProperty('externalTrafficPolicy');
    expect(updated({ ...inside, externalTrafficPolicy: 'Cluster' }, outside)).toMatchObject({
      externalTrafficPolicy: 'Cluster',
    });
    expect(updated(outside, inside)).toMatchObject({ externalTrafficPolicy: 'Local' });
  });

  it('loses its node ports when it becomes a ClusterIP service, unless the update changes them', () => {
    const ports = [{ name: 'a', port: 80, nodePort: 30_000 }];
    const outside = { type: 'NodePort', ports };
    const inside = { type: 'ClusterIP', ports };
    expect(updated(inside, outside)).not.toHaveProperty(['ports', 0, 'nodePort']);
    const moved = { ...inside, ports: [{ name: 'a', port: 80, nodePort: 30_001 }] };
    expect(updated(moved, outside)).toMatchObject({ ports: [{ nodePort: 30_001 }] });
  });

  it('keeps the node port of each port that an update names without one', () => {
    const before = {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 80, nodePort: 30_000 },
        { name: 'b', port: 81, nodePort: 30_001 },
      ],
    };
    const ports = [
      { name: 'b', port: 82 },
      { name: 'c', port: 83, nodePort: 30_000 },
      { name: 'a', port: 80 },
    ];
    const now = updated({ type: 'LoadBalancer', ports }, before);
    expect(now).toMatchObject({ ports: [{ nodePort: 30_001 }, { nodePort: 30_000 }, {}] });
    expect(now).not.toHaveProperty(['ports', 2, 'nodePort']);
  });

  it('has an affinity timeout only with ClientIP affinity', () => {
    const sticky = { sessionAffinity: 'ClientIP' };
    expect(services.defaults({ spec: sticky })['spec']).toMatchObject({
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    });
    const config = { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } };
    expect(services.defaults({ spec: config })['spec']).not.toHaveProperty('sessionAffinityConfig');
  });
});
