import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { compileRules } from '../interpret.ts';
import { daemonSet, statefulSet } from './inert-sets.ts';

const context = {
  gates: { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true },
  now: '2026-01-01T00:00:00Z',
};

const template = {
  metadata: { labels: { a: 'b' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'x',
        imagePullPolicy: 'Always',
        terminationMessagePolicy: 'File',
      },
    ],
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
  },
};
const selector = { matchLabels: { a: 'b' } };
const set = (more: JsonObject = {}): JsonObject => ({ spec: { selector, template, ...more } });

describe('an update of a StatefulSet', () => {
  const faults = (change: JsonObject): string[] =>
    compileRules(statefulSet)(set(change), set(), context).map(fieldErrorMessage);

  it('may change the replicas and the update strategy, but neither serviceName nor selector', () => {
    expect(faults({ replicas: 3, updateStrategy: { type: 'OnDelete' } })).toEqual([]);
    expect(faults({ updateStrategy: { type: 'OnDelete', rollingUpdate: {} } })).toEqual([
      "spec.updateStrategy.rollingUpdate: Invalid value: {}: only allowed for updateStrategy 'RollingUpdate'",
    ]);
    expect(faults({ serviceName: 'other' })).toEqual([
      'spec.serviceName: Invalid value: "other": field is immutable',
    ]);
    const matchLabels = { a: 'c' };
    const other = { ...template, metadata: { labels: matchLabels } };
    expect(faults({ selector: { matchLabels }, template: other })).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable',
    ]);
  });
});

describe('a DaemonSet', () => {
  const faults = (object: JsonObject, old?: JsonObject): string[] =>
    compileRules(daemonSet)(object, old, context).map(fieldErrorMessage);

  it('has an immutable selector', () => {
    const matchLabels = { a: 'c' };
    const other = { ...template, metadata: { labels: matchLabels } };
    expect(faults(set({ selector: { matchLabels }, template: other }), set())).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable',
    ]);
  });

  it('without a selector is refused, since it does not match its template', () => {
    expect(faults({ spec: { template } })).toEqual([
      'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
    ]);
  });
});

describe('a StatefulSet with claim templates', () => {
  const mounting = (name: string): JsonObject => ({
    ...template,
    spec: {
      ...template.spec,
      containers: [
        { ...template.spec.containers[0], volumeMounts: [{ name, mountPath: '/data' }] },
      ],
    },
  });
  const faults = (name: string): string[] => {
    const claims = { volumeClaimTemplates: [{ metadata: { name: 'data' } }] };
    const object = set({ ...claims, template: mounting(name) });
    return compileRules(statefulSet)(object, undefined, context).map(fieldErrorMessage);
  };

  it('may mount what they make, and no other volume that it does not have', () => {
    expect(faults('data')).toEqual([]);
    expect(faults('other')).toEqual([
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "other"',
    ]);
  });
});
