import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { defineKind } from '../define-kind.ts';
import { pod as spec } from './pod.ts';

const pods = defineKind(spec);
const context = {
  gates: { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true },
  now: '2026-01-01T00:00:00Z',
};
const C = 'spec.containers[0]';
const KEPT: JsonObject = { resourceName: 'cpu', restartPolicy: 'NotRequired' };
const RESTARTED: JsonObject = { ...KEPT, restartPolicy: 'RestartContainer' };

const faults = (container: JsonObject, more: JsonObject): string[] => {
  const containers = [{ name: 'c', image: 'x:1', ...container }];
  const pod = pods.defaults({ metadata: { name: 'a' }, spec: { containers, ...more } });
  return pods.validate(pod, undefined, context).map(fieldErrorMessage);
};

describe('a pod', () => {
  it.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'with an empty resize policy',
      { resizePolicy: [{}] },
      {},
      [`${C}.resizePolicy: Required value`, `${C}.resizePolicy: Required value`],
    ],
    [
      'with unknown words in its resize policy',
      { resizePolicy: [{ resourceName: 'disk', restartPolicy: 'X' }] },
      {},
      [
        `${C}.resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"`,
        `${C}.resizePolicy: Unsupported value: "X": supported values: "NotRequired", "RestartContainer"`,
      ],
    ],
    [
      'with a resize policy that names a resource twice',
      { resizePolicy: [KEPT, KEPT] },
      {},
      [`${C}.resizePolicy[1]: Duplicate value: "cpu"`],
    ],
    [
      'with a resize policy that restarts what never restarts',
      { resizePolicy: [RESTARTED] },
      {
        restartPolicy: 'Never',
        initContainers: [{ name: 'i', image: 'x', resizePolicy: [RESTARTED] }],
      },
      [
        `${C}.resizePolicy: Invalid value: "RestartContainer": must be 'NotRequired' when pod \`restartPolicy\` is 'Never'`,
        `spec.initContainers[0].resizePolicy: Invalid value: "RestartContainer": must be 'NotRequired' when pod \`restartPolicy\` is 'Never'`,
        'spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to \'RestartContainer\' for non-sidecar initContainers',
      ],
    ],
  ])('%s is refused', (...row) => {
    const [, container, more, expected] = row;
    expect(faults(container, more)).toEqual(expected);
  });

  it('may have containers and sidecars that restart for a resize', () => {
    const init = { name: 'i', image: 'x', restartPolicy: 'Always', resizePolicy: [RESTARTED] };
    expect(faults({ resizePolicy: [RESTARTED] }, { initContainers: [init] })).toEqual([]);
  });
});
