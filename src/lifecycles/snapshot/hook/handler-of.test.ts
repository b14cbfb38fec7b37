import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { target } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { HookAction } from '../action-kinds.ts';
import { handlerOf } from './handler-of.ts';

const pod = {
  spec: { containers: [{ name: 'x', ports: [{ name: 'admin', containerPort: 81 }] }] },
  status: { podIP: '10.0.0.7' },
} as unknown as Pod;

const choose = (action: HookAction, of: Pod | undefined = pod): unknown =>
  handlerOf({ actionTimeoutSeconds: 30, ...action }, target('a/x'), { namespace: 'ns', pod: of });

describe('handlerOf', () => {
  it('runs a command in the container of the target', () => {
    const place = { namespace: 'ns', pod: 'a', container: 'x' };
    expect(choose({ exec: { command: ['f'] } })).toEqual({
      handler: { kind: 'exec', command: ['f'], ...place },
    });
  });

  it('addresses the pod IP, at a port number or name', () => {
    expect(choose({ httpGet: { port: 'admin', path: '/freeze' } })).toMatchObject({
      handler: { kind: 'httpGet', host: '10.0.0.7', port: 81, path: '/freeze', scheme: 'HTTP' },
    });
    expect(choose({ tcpSocket: { port: '5432', host: 'db' } })).toEqual({
      handler: { kind: 'tcpSocket', host: 'db', port: 5432 },
    });
  });

  it('names a missing port or pod address', () => {
    expect(choose({ httpGet: { port: 'web' } })).toEqual({
      problem: 'The container x has no port named web.',
    });
    expect(choose({ tcpSocket: { port: 1 } }, {})).toEqual({
      problem: 'The pod a has no address yet.',
    });
  });
});
