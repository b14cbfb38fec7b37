import type { Pod, Service } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { forwardKind, readyPod, targetPort } from './find-pod.ts';

function pod(
  name: string,
  phase: string,
  more: { ready?: boolean; [field: string]: unknown } = {},
): Pod {
  const { ready = true, ...rest } = more;
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return { metadata: { name, ...rest }, status: { phase, conditions } };
}

const nameOf = (one: Pod | null): string | null => one?.metadata?.name ?? null;

describe('the pod that is forwarded to', () => {
  test('is a ready pod before a running one, and never a terminating or succeeded one', () => {
    const terminating = pod('going', 'Running', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    const ended = pod('ended', 'Succeeded');
    const running = pod('running', 'Running', { ready: false });
    expect(nameOf(readyPod([terminating, ended, running]))).toBe('running');
    expect(nameOf(readyPod([running, pod('ready', 'Running')]))).toBe('ready');
    expect(readyPod([terminating, ended])).toBeNull();
  });

  test('is the youngest of the ready pods', () => {
    const at = (name: string, creationTimestamp: string): Pod =>
      pod(name, 'Running', { creationTimestamp });
    const old = at('old', '2026-01-01T00:00:00Z');
    const young = at('young', '2026-01-02T00:00:00Z');
    expect(nameOf(readyPod([old, young]))).toBe('young');
    expect(nameOf(readyPod([young, old]))).toBe('young');
  });
});

describe('the port of the pod', () => {
  const web: Pod = {
    spec: { containers: [{ name: 'c', ports: [{ name: 'web', containerPort: 8080 }] }] },
  };
  const service = (port: object): Service => ({ spec: { ports: [port as { port: number }] } });

  test('is found by name or by number', () => {
    expect(targetPort('web', web, null)).toBe(8080);
    expect(targetPort(9000, web, null)).toBe(9000);
    expect(targetPort('nope', web, null)).toBeNull();
  });

  test('of a service is its targetPort', () => {
    const named = service({ name: 'http', port: 80, targetPort: 'web' });
    expect([80, 'http'].map((one) => targetPort(one, web, named))).toEqual([8080, 8080]);
    expect(targetPort(8080, web, named)).toBeNull();
    expect(targetPort(80, web, service({ port: 80 }))).toBe(80);
  });
});

test('forwardKind accepts the names and short names of kubectl', () => {
  expect(forwardKind('Deployment')).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment' });
  expect(['svc', 'services', 'service'].map((one) => forwardKind(one)?.kind)).toEqual([
    'Service',
    'Service',
    'Service',
  ]);
  expect(forwardKind('configmap')).toBeNull();
});
