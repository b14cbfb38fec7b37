import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { target } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { HookAction } from '../kinds.ts';
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

  it('asks for / over HTTP, without headers, where nothing else is said', () => {
    expect(choose({ httpGet: { port: 80 } })).toEqual({
      handler: {
        kind: 'httpGet',
        scheme: 'HTTP',
        path: '/',
        httpHeaders: [],
        host: '10.0.0.7',
        port: 80,
      },
    });
  });

  it('finds a named port in the container of the target alone, also in a sidecar', () => {
    const ports = (containerPort: number) => [{ name: 'admin', containerPort }];
    const other = { name: 'other', ports: ports(1) };
    const own = { name: 'x', ports: [{ name: 'web', containerPort: 2 }, ...ports(3)] };
    const { status } = pod;
    const portIn = (spec: object, port = 'admin'): unknown =>
      choose({ tcpSocket: { port } }, { spec, status } as unknown as Pod);
    const found = { handler: { kind: 'tcpSocket', host: '10.0.0.7', port: 3 } };
    expect(portIn({ containers: [other, own] })).toEqual(found);
    expect(portIn({ containers: [other], initContainers: [own] })).toEqual(found);
    const missing = (name: string) => ({ problem: `The container x has no port named ${name}.` });
    expect(portIn({ containers: [other] })).toEqual(missing('admin'));
    expect(portIn({ containers: [own] }, '8a')).toEqual(missing('8a'));
    expect(portIn({ containers: [own] }, 'a8')).toEqual(missing('a8'));
    expect(portIn({ containers: [{ name: 'x' }] })).toEqual(missing('admin'));
  });
});
