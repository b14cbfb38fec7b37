/** Tests the effect of a change of a running container, and the report of a resize. */
import type { ContainerStatus, Pod, ResourceRequirements } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import {
  containerFacts as container,
  ended,
  podFacts,
  RUNNING,
} from '../../../test/fixtures/pod-facts.ts';
import { isResized, ranBefore, resizedAs, whyRestart } from './in-place.ts';
import { asksForResize, resizeEvent, resizeState } from './resize.ts';

const memory = (amount: string): ResourceRequirements => ({ limits: { memory: amount } });
const RAN = { image: 'one', resources: memory('64Mi') };
const restartFor = (resourceName: string) => [{ resourceName, restartPolicy: 'RestartContainer' }];
const notRequired = [{ resourceName: 'memory', restartPolicy: 'NotRequired' }];
const web = (more: object = {}) => ({
  name: 'web',
  image: 'one',
  resources: memory('64Mi'),
  ...more,
});

describe('whyRestart', () => {
  const main = 'main' as const;

  test.each([
    ['nothing has changed', web(), null],
    ['its image has', web({ image: 'two' }), 'definition'],
    ['it has no image any more', { name: 'web' }, 'definition'],
    ['its limits have, and no policy asks for it', web({ resources: memory('80Mi') }), null],
    [
      'its limits have, and the policy says that none is required',
      web({ resources: memory('80Mi'), resizePolicy: notRequired }),
      null,
    ],
    [
      'its limits have, and the policy asks for it',
      web({ resources: memory('80Mi'), resizePolicy: restartFor('memory') }),
      'resize',
    ],
    [
      'its requests have, and the policy asks for it',
      web({
        resources: { ...memory('64Mi'), requests: { memory: '1Mi' } },
        resizePolicy: restartFor('memory'),
      }),
      'resize',
    ],
    [
      'it has no resources any more',
      { ...web(), resources: undefined, resizePolicy: restartFor('memory') },
      'resize',
    ],
    [
      'another resource than that of the policy has',
      web({ resources: memory('80Mi'), resizePolicy: restartFor('cpu') }),
      null,
    ],
    [
      'one of two policies asks for it',
      web({
        resources: memory('80Mi'),
        resizePolicy: [...restartFor('cpu'), ...restartFor('memory')],
      }),
      'resize',
    ],
  ] as const)('when %s', (_, spec, why) => {
    expect(whyRestart({ role: main, spec: spec as never }, RAN)).toBe(why);
  });

  test('leaves the image of a sidecar until its next run, but not its resources', () => {
    const role = 'sidecar' as const;
    expect(whyRestart({ role, spec: web({ image: 'two' }) }, RAN)).toBeNull();
    const spec = web({ resources: memory('80Mi'), resizePolicy: restartFor('memory') });
    expect(whyRestart({ role, spec }, RAN)).toBe('resize');
  });
});

describe('resizedAs', () => {
  const now = { ...RAN, resources: memory('80Mi') };
  const asked = { role: 'main' as const, spec: web({ resources: memory('80Mi') }) };

  test('gives a process its new resources at once, and an OCI container its requests', () => {
    expect(resizedAs(asked, RAN, false)).toEqual(now);
    expect(resizedAs(asked, RAN, true)).toBe(RAN);
    const resources = { ...memory('64Mi'), requests: { cpu: '1' } };
    const requests = { role: 'main' as const, spec: web({ resources }) };
    expect(resizedAs(requests, RAN, true)).toEqual({ ...RAN, resources });
  });

  test('changes nothing of a container that is to be restarted for it', () => {
    const spec = { ...asked.spec, resizePolicy: restartFor('memory') };
    expect(resizedAs({ ...asked, spec }, RAN, false)).toBe(RAN);
    const image = { ...asked.spec, image: 'two' };
    expect(resizedAs({ ...asked, spec: image }, RAN, false)).toEqual(now);
  });
});

test.each([
  ['memory limits', memory('64Mi'), memory('80Mi')],
  ['cpu limits', { limits: { cpu: '1' } }, { limits: { cpu: '2' } }],
  ['requests', { requests: { cpu: '1' } }, {}],
])('isResized compares %s', (_, one, other) => {
  expect(isResized(web({ resources: one }), { image: '', resources: one })).toBe(true);
  expect(isResized(web({ resources: one }), { image: '', resources: other })).toBe(false);
  expect(isResized(web({ resources: other }), { image: '', resources: one })).toBe(false);
});

test('isResized ignores other resources than cpu and memory, which cannot be resized', () => {
  const disk = { limits: { 'ephemeral-storage': '1Gi' } };
  expect(isResized(web({ resources: disk }), { image: '', resources: {} })).toBe(true);
});

describe('ranBefore', () => {
  const status = (name: string): ContainerStatus & { resources?: ResourceRequirements } => ({
    name,
    containerID: `sim://u_${name}_1`,
    image: 'one',
    imageID: '',
    ready: true,
    restartCount: 1,
    resources: memory('64Mi'),
  });
  const { containerID: _, ...withoutId } = status('web');

  test('reads what a run was started with from the status of that very run', () => {
    const known = {
      containerStatuses: [withoutId, status('web')],
      initContainerStatuses: [status('log')],
    };
    expect(ranBefore(known, 'u_web_1')).toEqual(RAN);
    expect(ranBefore(known, 'u_log_1')).toEqual(RAN);
    expect(ranBefore(known, 'u_web_2')).toBeNull();
    expect(ranBefore(known, 'web_1')).toBeNull();
    expect(ranBefore({}, 'u_web_1')).toBeNull();
  });

  test('knows of no resources where the API has none', () => {
    const { resources: __, ...bare } = status('web');
    expect(ranBefore({ containerStatuses: [bare] }, 'u_web_1')).toEqual({
      image: 'one',
      resources: {},
    });
  });
});

describe('resizeState', () => {
  const lacking = (name: string, more: object = {}) =>
    container(name, RUNNING, {
      spec: web({ name: name.split(':').at(-1), resources: memory('80Mi'), ...more }),
      ran: RAN,
    });
  const restarting = { resizePolicy: restartFor('memory') };

  test.each([
    [
      'null of a pod whose containers have their resources',
      [container('web', RUNNING, { spec: web(), ran: RAN })],
      null,
    ],
    ['null of a container that does not run', [{ ...lacking('web'), state: ended(0) }], null],
    ['null of a container of which nothing runs yet', [{ ...lacking('web'), ran: null }], null],
    ['null of an init container', [lacking('init:web')], null],
    [
      'Deferred for the first that has to wait',
      [lacking('web'), lacking('api')],
      { kind: 'Deferred', container: 'web' },
    ],
    [
      'InProgress while one restarts for it',
      [lacking('api'), lacking('web', restarting)],
      { kind: 'InProgress', container: 'web' },
    ],
    ['seen of a sidecar, too', [lacking('sidecar:log')], { kind: 'Deferred', container: 'log' }],
  ])('is %s', (_, containers, expected) => {
    expect(resizeState(podFacts(containers))).toEqual(expected);
  });
});

describe('asksForResize', () => {
  const pod = (resources: ResourceRequirements, more: object = {}): Pod => ({
    metadata: {},
    spec: { containers: [{ name: 'web' }, web({ resources })], ...more },
  });

  test('sees changed resources of a container and of the pod', () => {
    const before = pod(memory('64Mi'));
    expect(asksForResize(pod(memory('64Mi')), before)).toBe(false);
    expect(asksForResize(pod(memory('80Mi')), before)).toBe(true);
    expect(asksForResize(pod(memory('64Mi'), { resources: memory('1Gi') }), before)).toBe(true);
    expect(asksForResize({ metadata: {} }, { metadata: {} })).toBe(false);
  });

  test('sees none in a pod that is deleted', () => {
    const deleted = {
      ...pod(memory('80Mi')),
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
    };
    expect(asksForResize(deleted, pod(memory('64Mi')))).toBe(false);
  });
});

test('resizeEvent lists init containers, containers and the generation, as the kubelet does', () => {
  const pod: Pod = {
    metadata: { generation: 2 },
    spec: { initContainers: [{ name: 'log' }], containers: [web()] },
  };
  expect(resizeEvent('Completed', pod)).toEqual({
    type: 'Normal',
    reason: 'ResizeCompleted',
    message:
      'Pod resize completed: {"initContainers":[{"name":"log","resources":{}}],"containers":[{"name":"web","resources":{"limits":{"memory":"64Mi"}}}],"generation":2}',
  });
  expect(resizeEvent('Started', {}).message).toBe('Pod resize started: {"containers":[]}');
});
