import { describe, expect, it } from 'vitest';
import { builtinDefinitions } from './definitions.ts';

describe('kinds with two versions', () => {
  it('convert an event of events.k8s.io to the stored one, and back', () => {
    const newer = builtinDefinitions().find(({ group }) => group === 'events.k8s.io');
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      regarding: { name: 'p' },
      note: 'n',
      reportingController: 'c',
    };
    const stored = newer?.conversion?.toStored(event) ?? {};
    expect(stored).toMatchObject({
      apiVersion: 'v1',
      involvedObject: { name: 'p' },
      message: 'n',
      reportingComponent: 'c',
    });
    expect(newer?.conversion?.fromStored(stored)).toEqual(event);
    expect(newer?.storageName).toBe('events');
  });

  it('convert an autoscaling/v1 autoscaler to the stored one, and back', () => {
    const older = builtinDefinitions().find(
      ({ kind, version: v }) => kind === 'HorizontalPodAutoscaler' && v === 'v1',
    );
    const scaler = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 80 },
    };
    const stored = older?.conversion?.toStored(scaler) ?? {};
    expect(stored).toHaveProperty('spec.metrics[0].resource.target.averageUtilization', 80);
    expect(older?.conversion?.fromStored(stored)).toEqual(scaler);
  });
});
