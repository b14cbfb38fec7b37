import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { ApiError } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { leases } from '../kube/resources.ts';
import { OtherLeases, type OtherLeasesOptions, scopeAnnotation } from './other-leases.ts';

const NAME = 'sample';
const NONE = { held: false, leader: null, allowed: true };

let bench: SimBench;

function others(more: Partial<OtherLeasesOptions> = {}): OtherLeases {
  const hasEnded = async (): Promise<boolean> => false;
  const own = { client: bench.client, namespace: 'own', name: NAME, scope: {}, hasEnded };
  return new OtherLeases({ ...own, ...more });
}

function create(namespace: string, more: { holder?: string; annotations?: object } = {}): void {
  const { holder = `of-${namespace}`, annotations = {} } = more;
  const lease: Lease = {
    metadata: { namespace, name: NAME, annotations: { ...annotations } },
    spec: { holderIdentity: holder, renewTime: '2026-01-01T00:00:00.000000Z' },
  };
  bench.api.create(leases, lease);
}

function renew(namespace: string): void {
  const lease = bench.api.get(leases, { namespace, name: NAME }) as Lease;
  const spec = { ...lease.spec, renewTime: '2026-01-01T00:00:02.000000Z' };
  const renewed: Lease = { ...lease, spec };
  bench.api.replace(leases, renewed, 'object');
}

const look = (of: OtherLeases): Promise<unknown> => bench.until(of.look());

beforeEach(() => {
  bench = new SimBench();
});

describe('a look at the Leases of other namespaces', () => {
  it('finds no other where there is none but the own', async () => {
    expect(await look(others())).toEqual(NONE);
    create('own');
    expect(await look(others())).toEqual(NONE);
  });

  it('finds a leader only by a renewal between two looks', async () => {
    create('one');
    create('two');
    const all = others();
    const held = { ...NONE, held: true };
    expect(await look(all)).toEqual(held);
    expect(await look(all)).toEqual(held);
    renew('two');
    expect(await look(all)).toEqual({ ...held, leader: { namespace: 'two', holder: 'of-two' } });
    expect(await look(all)).toEqual(held);
  });

  it('takes one that was created between two looks for no leader yet', async () => {
    const all = others();
    await look(all);
    create('one');
    expect(await look(all)).toEqual({ ...NONE, held: true });
  });

  it('takes one that another process has created anew between two looks for no leader yet', async () => {
    create('one', { holder: 'killed' });
    const all = others();
    await look(all);
    bench.api.delete(leases, { namespace: 'one', name: NAME }, {});
    create('one');
    expect(await look(all)).toEqual({ ...NONE, held: true });
    renew('one');
    expect(await look(all)).toMatchObject({ leader: { namespace: 'one' } });
  });

  it('asks for Leases of its own name', async () => {
    const asked: unknown[] = [];
    const client: KubeClient = {
      ...bench.client,
      list: (...request) => {
        asked.push(request[1]);
        return bench.client.list(...request);
      },
    };
    await look(others({ client }));
    expect(asked).toEqual([{ fieldSelector: 'metadata.name=sample' }]);
  });

  it('leaves out a Lease without a holder, or whose process has ended', async () => {
    create('two', { holder: '' });
    create('three');
    bench.api.create(leases, { metadata: { namespace: 'four', name: NAME } });
    const asked: string[] = [];
    const hasEnded = async (holder: string): Promise<boolean> => {
      asked.push(holder);
      return holder === 'of-three';
    };
    expect(await look(others({ hasEnded }))).toEqual(NONE);
    expect(asked).toEqual(['of-three']);
  });

  it('compares processes of two single namespaces with each other never, and with one of all always', async () => {
    const single = { namespace: 'own' };
    const cases = [
      [single, single, false],
      [single, {}, true],
      [{}, single, true],
      [{}, {}, true],
    ] as const;
    for (const [scope, foreign, held] of cases) {
      bench = new SimBench();
      create('one', { annotations: scopeAnnotation(foreign) });
      expect(await look(others({ scope }))).toEqual({ ...NONE, held });
    }
    expect(scopeAnnotation(single)).toEqual({ 'lifehook.dev/lease-scope': 'Namespace' });
    expect(scopeAnnotation({})).toEqual({ 'lifehook.dev/lease-scope': 'Cluster' });
  });

  it('counts a Lease without the annotation as one of all namespaces', async () => {
    create('one');
    const scope = { namespace: 'own' };
    expect(await look(others({ scope }))).toEqual({ ...NONE, held: true });
  });
});

describe('a look that the server does not answer', () => {
  const refusing = (error: Error): KubeClient => ({
    ...bench.client,
    list: async () => {
      throw error;
    },
  });

  it('sees nothing where it is forbidden, and says so', async () => {
    const client = refusing(new ApiError(403, { reason: 'Forbidden' }));
    expect(await look(others({ client }))).toEqual({ held: false, leader: null, allowed: false });
  });

  it('rejects for any other reason', async () => {
    const client = refusing(new ApiError(500, { reason: 'InternalError' }));
    await expect(look(others({ client }))).rejects.toMatchObject({ code: 500 });
  });
});
