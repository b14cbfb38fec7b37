import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { type ContainerRule, selectContainers, targetName } from './select-containers.ts';

interface Shape {
  readonly namespace?: string;
  readonly containers?: Readonly<Record<string, string>>;
  readonly state?: 'running' | 'waiting' | 'terminated';
  readonly phase?: string;
  readonly deleted?: boolean;
  readonly restartPolicy?: string;
}

function pod(name: string, shape: Shape = {}): Pod {
  const { namespace = 'shop', containers = { app: 'web:1' }, state = 'running' } = shape;
  const names = Object.keys(containers);
  return {
    metadata: {
      name,
      namespace,
      ...(shape.deleted === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: {
      restartPolicy: shape.restartPolicy ?? 'Always',
      containers: names.map((one) => ({ name: one, image: containers[one] ?? '' })),
    },
    status: {
      phase: shape.phase ?? 'Running',
      containerStatuses: names.map((one) => ({
        name: one,
        image: '',
        imageID: '',
        ready: true,
        restartCount: 0,
        state: { [state]: {} },
      })),
    },
  };
}

function select(rule: Partial<ContainerRule>, pods: readonly Pod[]): string[] {
  const whole = { action: {}, namespaces: ['shop'], image: null, ...rule };
  return selectContainers(whole, pods).running.map((target) => targetName(target));
}

describe('the containers of a hook', () => {
  test('are selected by podPrefix as a plain prefix, and by podName as a glob (PIPE-S8)', () => {
    const pods = [pod('bar-7f-x'), pod('foobar-7f-x'), pod('bar')];
    expect(select({ action: { podPrefix: 'bar' } }, pods)).toEqual([
      'shop/bar/app',
      'shop/bar-7f-x/app',
    ]);
    expect(select({ action: { podPrefix: 'ba*' } }, pods)).toEqual([]);
    expect(select({ action: { podName: '*bar-*' } }, pods)).toEqual([
      'shop/bar-7f-x/app',
      'shop/foobar-7f-x/app',
    ]);
    expect(select({ action: { podName: '[' } }, pods)).toEqual([]);
  });

  test('of a sync hook are those with exactly the built image', () => {
    const pods = [pod('a', { containers: { app: 'web:1', side: 'web:12', old: 'other/web:1' } })];
    expect(select({ image: 'web:1' }, pods)).toEqual(['shop/a/app']);
  });

  test('are those that containerName matches, or all without it', () => {
    const pods = [pod('a', { containers: { app: 'x', db: 'y' } })];
    expect(select({}, pods)).toEqual(['shop/a/app', 'shop/a/db']);
    expect(select({ action: { containerName: 'd*' } }, pods)).toEqual(['shop/a/db']);
  });

  test('PIPE-CASE29: exclude a pod of the same name in a namespace that was not deployed to', () => {
    const pods = [pod('web'), pod('web', { namespace: 'elsewhere' })];
    expect(select({ action: { podName: 'web' } }, pods)).toEqual(['shop/web/app']);
  });

  test('exclude those of a terminating, succeeded or failed pod', () => {
    const pods = [
      pod('a', { deleted: true }),
      pod('b', { phase: 'Succeeded' }),
      pod('c', { phase: 'Failed' }),
    ];
    expect(selectContainers({ action: {}, namespaces: ['shop'], image: null }, pods)).toEqual({
      running: [],
      waiting: [],
    });
  });

  test('that do not run yet are waiting, and running once they started (PIPE-B2)', () => {
    const rule = { action: {}, namespaces: ['shop'], image: null };
    const target = { namespace: 'shop', pod: 'a', container: 'app' };
    const pending = pod('a', { state: 'waiting', phase: 'Pending' });
    expect(selectContainers(rule, [pending])).toEqual({ running: [], waiting: [target] });
    expect(selectContainers(rule, [pod('a')])).toEqual({ running: [target], waiting: [] });
    const noStatus: Pod = {
      metadata: pending.metadata ?? {},
      ...(pending.spec ? { spec: pending.spec } : {}),
    };
    expect(selectContainers(rule, [noStatus])).toEqual({ running: [], waiting: [target] });
  });

  test('that terminated are waiting only when the restart policy restarts them', () => {
    const rule = { action: {}, namespaces: ['shop'], image: null };
    const again = selectContainers(rule, [pod('a', { state: 'terminated' })]);
    expect(again.waiting).toHaveLength(1);
    const never = selectContainers(rule, [
      pod('a', { state: 'terminated', restartPolicy: 'Never' }),
    ]);
    expect(never).toEqual({ running: [], waiting: [] });
  });

  test('are in the order of namespace, pod and place in the pod', () => {
    const namespaces = ['shop', 'a', 'z'];
    const pods = [
      pod('web', { namespace: 'z' }),
      pod('b', { containers: { two: 'x', one: 'x' } }),
      pod('a'),
      pod('web', { namespace: 'a' }),
    ];
    const expected = ['a/web/app', 'shop/a/app', 'shop/b/two', 'shop/b/one', 'z/web/app'];
    expect(select({ namespaces }, pods)).toEqual(expected);
    expect(select({ namespaces }, pods.toReversed())).toEqual(expected);
  });

  test('have to match every part of the rule', () => {
    const pods = [pod('bar-1'), pod('bar-2'), pod('foo-1')];
    expect(select({ action: { podPrefix: 'bar', podName: '*-1' } }, pods)).toEqual([
      'shop/bar-1/app',
    ]);
    expect(select({ action: { containerName: '[' } }, pods)).toEqual([]);
  });

  test('are none of a pod without metadata, spec or status of its own', () => {
    expect(select({}, [{}])).toEqual([]);
    const bare: Pod = { metadata: { name: 'a', namespace: 'shop' } };
    expect(selectContainers({ action: {}, namespaces: ['shop'], image: null }, [bare])).toEqual({
      running: [],
      waiting: [],
    });
  });

  test('are judged each by its own state', () => {
    const two = pod('a', { containers: { app: 'x', side: 'x' } });
    const [app, side] = two.status?.containerStatuses ?? [];
    if (app === undefined || side === undefined) throw new Error('the pod has two containers');
    const status = { containerStatuses: [app, { ...side, state: { waiting: {} } }] };
    const found = selectContainers({ action: {}, namespaces: ['shop'], image: null }, [
      { ...two, status },
    ]);
    const target = { namespace: 'shop', pod: 'a' };
    expect(found).toEqual({
      running: [{ ...target, container: 'app' }],
      waiting: [{ ...target, container: 'side' }],
    });
  });
});
