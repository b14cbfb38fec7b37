import { expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { defineKind } from '../define-kind.ts';
import { pod as spec } from './pod.ts';

const pods = defineKind(spec);
const context = {
  gates: { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true },
  now: '2026-01-01T00:00:00Z',
};

const pod = (more: JsonObject): JsonObject =>
  pods.defaults({
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', image: 'x:1' }], ...more },
  });

const faults = (object: JsonObject, old?: JsonObject): string[] =>
  pods.validate(object, old, context).map(fieldErrorMessage);

it.each<[string, JsonObject, string[]]>([
  [
    'ephemeral containers',
    { ephemeralContainers: [{ name: 'e', image: 'y' }] },
    ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
  ],
  [
    'a node and scheduling gates',
    { nodeName: 'n', schedulingGates: [{ name: 'example.com/held' }] },
    ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
  ],
])('refuses a new pod with %s, but not an update', (_title, more, expected) => {
  expect(faults(pod(more))).toEqual(expected);
  expect(faults(pod(more), pod(more))).toEqual([]);
});
