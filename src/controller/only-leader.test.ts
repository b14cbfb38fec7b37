import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { noNetworkFaults } from '../../test/sim/controller/sim-client.ts';
import { ApiError } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { leases } from '../kube/resources.ts';
import type { ControllerEvent } from './controller-event.ts';
import type { Leadership } from './leadership.ts';
import { LeaseElection } from './lease.ts';
import { OnlyLeader } from './only-leader.ts';
import { scopeAnnotation } from './other-leases.ts';
import type { WatchScope } from './shared-informers.ts';

const NAME = 'sample';

let bench: SimBench;
let events: ControllerEvent[];

interface Setting {
  readonly scope?: WatchScope;
  readonly client?: (client: KubeClient) => KubeClient;
  readonly hasEnded?: (holder: string) => Promise<boolean>;
}

function candidate(namespace: string, setting: Setting = {}): OnlyLeader {
  const { scope = {}, client: change = (one) => one, hasEnded = async () => false } = setting;
  const host = bench.makeHost(`of-${namespace}`);
  const client = change(bench.makeClient(host));
  const common = {
    client,
    namespace,
    name: NAME,
    platform: host,
    observe: (event: ControllerEvent) => events.push(event),
  };
  const election = new LeaseElection({
    ...common,
    identity: host.name,
    random: () => 0,
    annotations: scopeAnnotation(scope),
  });
  return new OnlyLeader({ ...common, scope, election, hasEnded });
}

const { signal } = new AbortController();

async function lead(election: OnlyLeader): Promise<Leadership> {
  const term = await bench.until(election.acquire(signal));
  if (term === null) throw new Error('no term');
  return term;
}

const staleLease = (namespace: string): Lease => ({
  metadata: { namespace, name: NAME },
  spec: { holderIdentity: 'killed', leaseDurationSeconds: 15 },
});

const blind = (client: KubeClient): KubeClient => ({
  ...client,
  list: () =>
    Promise.reject(new ApiError(403, { reason: 'Forbidden', message: 'leases is forbidden' })),
});

beforeEach(() => {
  bench = new SimBench();
  events = [];
});

describe('OnlyLeader', () => {
  it('refuses to lead next to the renewed Lease of another namespace, before it writes its own', async () => {
    const term = await lead(candidate('one'));
    await expect(bench.until(candidate('two').acquire(signal))).rejects.toThrow(
      /LHK106: .*of-one renews the Lease one\/sample.*use --namespace one/,
    );
    expect(bench.api.find(leases, { namespace: 'two', name: NAME })).toBe(undefined);
    await bench.pass(60_000);
    expect(term.isProven()).toBe(true);
  });

  it('leads next to a Lease that was released, and to one that no process renews', async () => {
    const term = await lead(candidate('one'));
    await bench.until(term.release());
    const startMs = bench.world.elapsedMs;
    const second = await lead(candidate('two'));
    expect(bench.world.elapsedMs - startMs).toBeLessThan(500);
    await bench.until(second.release());
    bench.api.create(leases, staleLease('three'));
    expect((await lead(candidate('two'))).isProven()).toBe(true);
  });

  it('does not look twice at a Lease whose process is known to have ended', async () => {
    bench.api.create(leases, staleLease('one'));
    const startMs = bench.world.elapsedMs;
    await lead(candidate('two', { hasEnded: async (holder) => holder === 'killed' }));
    expect(bench.world.elapsedMs - startMs).toBeLessThan(500);
  });

  it('lets two controllers of one namespace each lead, and none of them next to one of all', async () => {
    const one = await lead(candidate('one', { scope: { namespace: 'one' } }));
    const two = await lead(candidate('two', { scope: { namespace: 'two' } }));
    await bench.pass(60_000);
    expect([one.isProven(), two.isProven()]).toEqual([true, true]);
    await expect(bench.until(candidate('all').acquire(signal))).rejects.toThrow('LHK106');
  });

  it('ends its term when another leader appears that could not see it', async () => {
    const election = candidate('one');
    const term = await lead(election);
    const other = await lead(candidate('two', { client: blind }));
    await bench.pass(15_000);
    expect([term.isProven(), term.signal.aborted, other.isProven()]).toEqual([false, true, true]);
    expect(events).toContainEqual({
      type: 'LeadershipLost',
      lease: 'one/sample',
      reason: 'of-two leads by the Lease of namespace two',
    });
    await bench.until(term.release());
    const { spec } = bench.api.get(leases, { namespace: 'one', name: NAME });
    expect(spec).toMatchObject({ holderIdentity: '' });
    await expect(bench.until(election.acquire(signal))).rejects.toThrow(/LHK106: .*of-two renews/);
  });

  it('campaigns where the server does not answer, or does not let it look', async () => {
    expect((await lead(candidate('one', { client: blind }))).isProven()).toBe(true);
    bench.faults = { ...noNetworkFaults, refused: 1 };
    const slow = candidate('one').acquire(signal);
    await bench.pass(30_000);
    expect(events.some(({ type }) => type === 'LeaseTroubled')).toBe(true);
    bench.faults = noNetworkFaults;
    expect(await bench.until(slow)).not.toBe(null);
  });
});
