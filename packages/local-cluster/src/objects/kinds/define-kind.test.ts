import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { builtinDefinitions } from './definitions.ts';

const gates = { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true };
const context = { gates, now: '2026-01-01T00:00:00Z' };

const find = (kind: string): ResourceDefinition => {
  const found = builtinDefinitions().find((definition) => definition.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
};

const owner = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Node', name, uid: name });

const metadata = (value: string): JsonObject => ({
  name: 'a',
  labels: { from: value },
  annotations: { from: value },
  ownerReferences: [owner(value)],
});

/** Names of the metadata fields that a status update stores as the client sent them. */
const taken = (kind: string): string[] => {
  const object = { metadata: metadata('new'), spec: { from: 'new' }, status: { from: 'new' } };
  const old = { metadata: metadata('old'), spec: { from: 'old' }, status: { from: 'old' } };
  const next = find(kind).prepareForStatusUpdate(object, old, context);
  expect(next).toMatchObject({ spec: { from: 'old' }, status: { from: 'new' } });
  return Object.entries(next['metadata'] as JsonObject)
    .filter(([, value]) => JSON.stringify(value).includes('new'))
    .map(([name]) => name);
};

describe('a status update', () => {
  it.each([
    ['Node', ['labels', 'annotations', 'ownerReferences']],
    ['Pod', ['labels', 'annotations']],
    ['Deployment', ['annotations', 'ownerReferences']],
    ['VolumeAttachment', []],
    ['CustomResourceDefinition', []],
  ])('of a %s accepts, besides the status, only the metadata %j', (kind, expected) => {
    expect(taken(kind)).toEqual(expected);
  });

  it('excludes the fields from ownership that it does not write', () => {
    expect(find('Node').statusLeaves).toEqual([['spec']]);
    expect(find('Deployment').statusLeaves).toEqual([['spec'], ['metadata', 'labels']]);
    expect(find('VolumeAttachment').statusLeaves).toEqual([['spec'], ['metadata']]);
  });
});

describe('the generation of a new object', () => {
  it.each([
    ['Deployment', 1],
    ['ConfigMap', 7],
  ])('of a %s with the generation 7 is %i', (kind, generation) => {
    const object = find(kind).defaults({ metadata: { name: 'a', generation: 7 } });
    expect(find(kind).prepareForCreate(object, context)).toHaveProperty(
      'metadata.generation',
      generation,
    );
  });
});

describe('a removed status', () => {
  it.each([
    ['ReplicaSet', {}, {}],
    ['Namespace', {}, { phase: 'Active' }],
    ['Node', { status: { capacity: { cpu: '4' } } }, { allocatable: { cpu: '4' } }],
    ['ConfigMap', {}, undefined],
  ])('is replaced by the default status of a %s', (kind, object, status) => {
    const filled = find(kind).defaults({ metadata: {}, ...object });
    if (status === undefined) expect(filled).not.toHaveProperty('status');
    else expect(filled['status']).toMatchObject(status);
  });
});
