import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { defineKind } from '../define-kind.ts';
import { pod as spec } from './pod.ts';

const pods = defineKind(spec);
const context = {
  gates: { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true },
  now: '2026-01-01T00:00:00Z',
};

describe('the quality of service of a pod', () => {
  const classOf = (resources: JsonObject, ofPod?: JsonObject): unknown => {
    const containers = [{ name: 'c', image: 'x:1', resources }];
    const more = ofPod === undefined ? {} : { resources: ofPod };
    const pod = pods.defaults({ metadata: { name: 'a' }, spec: { containers, ...more } });
    return (pods.prepareForCreate(pod, context)['status'] as JsonObject)['qosClass'];
  };

  it('depends on its requests and limits', () => {
    expect(classOf({})).toBe('BestEffort');
    expect(classOf({ limits: { cpu: '1', memory: '1Gi' } })).toBe('Guaranteed');
    expect(classOf({ limits: { cpu: '1' } })).toBe('Burstable');
    expect(classOf({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } })).toBe(
      'Burstable',
    );
  });

  it('depends on the resources of the pod as a whole where it has any', () => {
    const limits = { cpu: '1', memory: '1Gi' };
    expect(classOf({ limits }, { requests: { cpu: '1' } })).toBe('Burstable');
    expect(classOf({}, { limits, requests: limits })).toBe('Guaranteed');
    expect(classOf({ limits }, {})).toBe('Guaranteed');
  });
});
