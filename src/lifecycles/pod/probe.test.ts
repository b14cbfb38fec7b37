/** Probes of a container as handlers, and what a row of their results means. */
import type { Container, Probe } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { addResult, freshProbe } from './probe.ts';
import { probeHandler } from './probe-handler.ts';

const container: Container = { name: 'app', ports: [{ name: 'web', containerPort: 8080 }] };

describe('probeHandler', () => {
  const handlerOf = (probe: Probe, podIp: string | null = '127.10.0.1'): unknown =>
    probeHandler(probe, { container, podIp });

  test('runs a command in the container of the probe', () => {
    const exec = { kind: 'exec', namespace: '', pod: '', container: 'app' };
    expect(handlerOf({ exec: { command: ['check'] } })).toEqual({ ...exec, command: ['check'] });
    expect(handlerOf({ exec: {} })).toEqual({ ...exec, command: [] });
  });

  test('asks over HTTP as the kubelet does', () => {
    expect(handlerOf({ httpGet: { port: 80 } })).toMatchObject({
      host: '127.10.0.1',
      httpHeaders: [{ name: 'User-Agent', value: 'kube-probe/1.37' }],
    });
  });

  test('connects to the address of the pod, or to the host that is named', () => {
    const tcp = { kind: 'tcpSocket', host: '127.10.0.1', port: 8080 };
    expect(handlerOf({ tcpSocket: { port: 'web' } })).toEqual(tcp);
    const named = { host: 'db', port: 1 };
    expect(handlerOf({ tcpSocket: named }, null)).toEqual({ kind: 'tcpSocket', ...named });
    expect(handlerOf({ tcpSocket: { port: 1 } }, null)).toBe('the pod has no address yet');
    expect(handlerOf({ tcpSocket: { port: 'x' } })).toContain(`couldn't find port "x"`);
  });

  test('says what cannot be probed', () => {
    expect(handlerOf({})).toBe('the probe names no handler');
    expect(handlerOf({ grpc: { port: 1 } })).toBe(
      'gRPC probes are not supported on this node; use httpGet, tcpSocket or exec',
    );
  });
});

describe('the verdict of a probe', () => {
  const after = (results: string, probe: Probe = {}): string[] => {
    let state = freshProbe;
    return results.split('').map((result) => {
      state = addResult(state, result === '+', probe);
      return state.verdict;
    });
  };

  test('is failing after three failures in a row, and passing after one success, by default', () => {
    expect(after('--')).toEqual(['unknown', 'unknown']);
    expect(after('+--+--')).toEqual(Array.from({ length: 6 }, () => 'passing'));
    expect(after('+---+')).toEqual(['passing', 'passing', 'passing', 'failing', 'passing']);
  });

  test('follows thresholds of its own, of unbroken rows', () => {
    const probe = { failureThreshold: 1, successThreshold: 2 };
    expect(after('+-+-++', probe)).toEqual([
      'unknown',
      'failing',
      'failing',
      'failing',
      'failing',
      'passing',
    ]);
  });
});
