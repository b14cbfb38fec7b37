/**
 * Tests hooks of a container as hooks of the engine: POD-K1, POD-K14 to POD-K18, POD-K21, POD-K23 to POD-K25, POD-K31.
 */
import type { Container, LifecycleHandler } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { type HookFacts, podHook } from './hook.ts';
import { httpTarget, resolvePort } from './probe.ts';

const ports = [
  { name: 'admin', containerPort: 9090 },
  { containerPort: 80 },
  { name: 'web', containerPort: 8080 },
];
const container: Container = { name: 'app', ports };
const NO_ADDRESS = 'failed to find networking container: the pod has no address yet';

describe('POD-K18: a port', () => {
  test.each([
    [8080, 8080],
    ['8080', 8080],
    [1, 1],
    [65_535, 65_535],
    ['web', 8080],
    ['admin', 9090],
    [0, 'invalid port number: 0'],
    [65_536, 'invalid port number: 65536'],
    ['70000', 'invalid port number: 70000'],
    ['', `couldn't find port "" in container app: it names admin, web`],
    ['80a', `couldn't find port "80a" in container app: it names admin, web`],
    ['a80', `couldn't find port "a80" in container app: it names admin, web`],
  ])('%j is %j', (port, expected) => {
    expect(resolvePort(port, container)).toBe(expected);
  });

  test('by name in a container without named ports says so', () => {
    const text = `couldn't find port "web" in container app: it names none`;
    expect(resolvePort('web', { name: 'app' })).toBe(text);
    expect(resolvePort('web', { name: 'app', ports: [{ containerPort: 80 }] })).toBe(text);
  });
});

describe('the request of a hook or a probe', () => {
  const target = { container, podIp: '127.10.0.1', agent: 'kube-lifecycle/1.37' };

  test('POD-K16: is sent to the address of the pod, by default over HTTP to /', () => {
    expect(httpTarget({ port: 'web' }, target)).toEqual({
      kind: 'httpGet',
      scheme: 'HTTP',
      host: '127.10.0.1',
      port: 8080,
      path: '/',
      httpHeaders: [{ name: 'User-Agent', value: 'kube-lifecycle/1.37' }],
    });
    expect(httpTarget({ port: 80 }, { ...target, podIp: null })).toBe(NO_ADDRESS);
  });

  test('POD-K17: is sent to the host that is named, for which the pod needs no address', () => {
    const action = { host: '127.0.0.1', port: 80, path: '/x', scheme: 'HTTPS' };
    expect(httpTarget(action, { ...target, podIp: null })).toMatchObject({
      host: '127.0.0.1',
      scheme: 'HTTPS',
      path: '/x',
    });
  });

  test('POD-K18: is none for a port that cannot be resolved', () => {
    expect(httpTarget({ port: 'other' }, target)).toContain(`couldn't find port "other"`);
  });

  test('POD-K21: has its own headers, and no second User-Agent', () => {
    const sent = (httpHeaders: { name: string; value: string }[]): unknown => {
      const made = httpTarget({ port: 80, httpHeaders }, target);
      return typeof made === 'string' ? made : made.httpHeaders;
    };
    const agent = { name: 'User-Agent', value: 'kube-lifecycle/1.37' };
    expect(sent([{ name: 'X-A', value: '1' }])).toEqual([agent, { name: 'X-A', value: '1' }]);
    const own = [
      { name: 'X-A', value: '1' },
      { name: 'user-AGENT', value: 'mine' },
    ];
    expect(sent(own)).toEqual(own);
  });
});

describe('podHook', () => {
  const facts = (
    handler: LifecycleHandler | undefined,
    more: Partial<HookFacts> = {},
  ): HookFacts => {
    const point = more.point ?? 'preStop';
    const lifecycle = handler === undefined ? {} : { [point]: handler };
    const pod = { metadata: { namespace: 'shop', name: 'db-0' } };
    const known = { pod, container: { ...container, lifecycle }, point, podIp: '127.10.0.1' };
    return { ...known, sleepEnabled: true, ...more };
  };
  const handlerOf = (handler: LifecycleHandler, more?: Partial<HookFacts>): unknown => {
    const made = podHook(facts(handler, more));
    return made.kind === 'hook' ? made.hook.handler : made;
  };

  test('is none without a handler at that point', () => {
    expect(podHook(facts(undefined))).toEqual({ kind: 'none' });
    const bare = facts(undefined);
    expect(podHook({ ...bare, container })).toEqual({ kind: 'none' });
    expect(podHook({ ...facts({ sleep: { seconds: 1 } }), point: 'postStart' })).toEqual({
      kind: 'none',
    });
  });

  test('POD-K1: runs the argv in the container once, without a timeout, and names its place', () => {
    expect(podHook(facts({ exec: { command: ['flush', '-a'] } }))).toEqual({
      kind: 'hook',
      hook: {
        name: 'preStop',
        target: { namespace: 'shop', pod: 'db-0', container: 'app' },
        handler: {
          kind: 'exec',
          command: ['flush', '-a'],
          namespace: 'shop',
          pod: 'db-0',
          container: 'app',
        },
        policy: {
          timeoutSeconds: null,
          retry: { limit: 0, backoffSeconds: 0 },
          failurePolicy: 'Abort',
        },
        source: { kind: 'object', object: 'Pod shop/db-0, container app, lifecycle.preStop' },
      },
    });
    expect(handlerOf({ exec: {} })).toMatchObject({ command: [] });
  });

  test('POD-K15, POD-K23: bounds and retries an HTTP hook of postStart, and no other', () => {
    const limits = (handler: LifecycleHandler, point: HookFacts['point']): unknown => {
      const made = podHook(facts(handler, { point }));
      if (made.kind !== 'hook') return made;
      const { timeoutSeconds, retry } = made.hook.policy;
      return { timeoutSeconds, retry };
    };
    const once = { timeoutSeconds: null, retry: { limit: 0, backoffSeconds: 0 } };
    const http = { httpGet: { port: 80 } };
    expect(limits(http, 'postStart')).toEqual({
      timeoutSeconds: 30,
      retry: { limit: 4, backoffSeconds: 0.5 },
    });
    expect(limits(http, 'preStop')).toEqual(once);
    expect(limits({ exec: { command: ['x'] } }, 'postStart')).toEqual(once);
  });

  test('POD-K14: accepts any status, unless the annotation says which', () => {
    expect(handlerOf({ httpGet: { port: 80 } })).toMatchObject({
      expect: 'any',
      host: '127.10.0.1',
    });
    const annotations = { 'lifehook.dev/http-hook-expect': '2xx' };
    const pod = { metadata: { annotations } };
    expect(handlerOf({ httpGet: { port: 80 } }, { pod })).toMatchObject({ expect: '2xx' });
    expect(handlerOf({ httpGet: { port: 80 } }, { pod: {} })).toMatchObject({ expect: 'any' });
  });

  test('POD-K21: names itself as a hook in the User-Agent', () => {
    expect(handlerOf({ httpGet: { port: 80 } })).toMatchObject({
      httpHeaders: [{ name: 'User-Agent', value: 'kube-lifecycle/1.37' }],
    });
  });

  test('POD-K16, POD-K24, POD-K25: is invalid with its reason where there is nothing to run', () => {
    expect(handlerOf({ httpGet: { port: 80 } }, { podIp: null })).toEqual({
      kind: 'invalid',
      reason: NO_ADDRESS,
    });
    const reason = 'invalid handler: it is none of exec, httpGet and sleep';
    expect(handlerOf({ tcpSocket: { port: 80 } })).toEqual({ kind: 'invalid', reason });
    expect(handlerOf({})).toEqual({ kind: 'invalid', reason });
  });

  test('POD-K31: sleeps, unless the feature gate is off at the node', () => {
    expect(handlerOf({ sleep: { seconds: 5 } })).toEqual({ kind: 'sleep', seconds: 5 });
    const off = { sleepEnabled: false };
    expect(handlerOf({ sleep: { seconds: 5 } }, off)).toEqual({ kind: 'sleep', seconds: 0 });
  });
});
