import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import type { KubeClient } from '../kube/client.ts';
import { leases } from '../kube/resources.ts';
import { sleep } from '../platform/sleep.ts';
import type { ControllerEvent } from './controller-event.ts';
import { LeaseElection } from './lease.ts';
import { DEFAULT_LEASE_TIMES } from './lease-record.ts';
import type { Leadership } from './leadership.ts';

const KEY = { namespace: 'system', name: 'sample' };
const { retryMs, renewDeadlineMs } = DEFAULT_LEASE_TIMES;

let bench: SimBench;
let events: ControllerEvent[];
/** The times at which the renewals were sent, in milliseconds of the simulated clock. */
let sentMs: number[];

/** A term whose renewals take effect at once, while their answers arrive `answerMs` later. */
async function termWith(answerMs: number): Promise<Leadership> {
  const { client, host } = bench;
  const replace: KubeClient['replace'] = async (...args) => {
    sentMs.push(bench.world.elapsedMs);
    const answer = await client.replace(...args);
    await sleep(host.timers, answerMs);
    return answer;
  };
  return termOf({ ...client, replace });
}

async function termOf(client: KubeClient): Promise<Leadership> {
  const { host } = bench;
  const observe = (event: ControllerEvent): void => void events.push(event);
  const common = { ...KEY, identity: 'a', platform: host, random: () => 0, observe };
  const election = new LeaseElection({ ...common, client });
  const term = await bench.until(election.acquire(new AbortController().signal));
  if (term === null) throw new Error('no term');
  return term;
}

beforeEach(() => {
  bench = new SimBench();
  events = [];
  sentMs = [];
});

describe('a term of leadership', () => {
  it('lasts from the sending of its last renewal, not from the answer (CTRL-L1)', async () => {
    const term = await termWith(4_000);
    let lostMs = 0;
    term.signal.addEventListener('abort', () => {
      lostMs = bench.world.elapsedMs;
    });
    await bench.pass(retryMs + 4_500);
    const [firstMs = 0, ...later] = sentMs;
    expect(later).toEqual([]);
    bench.faults = { ...bench.faults, refused: 1 };
    await bench.pass(renewDeadlineMs);
    expect(lostMs - firstMs).toBe(renewDeadlineMs);
  });

  it('is released after the renewal that is running, which would conflict with it', async () => {
    const term = await termWith(1_000);
    await bench.pass(retryMs + 500);
    expect(sentMs).toHaveLength(1);
    await bench.until(term.release());
    expect((bench.api.get(leases, KEY) as Lease).spec?.holderIdentity).toBe('');
    expect(events.filter(({ type }) => type === 'LeaseTroubled')).toEqual([]);
  });

  it('CTRL-S2: ends at once when the Lease is deleted between a conflict and the next write', async () => {
    const { client, api } = bench;
    let deletes = false;
    const get: KubeClient['get'] = async (...args) => {
      const found = await client.get(...args);
      if (deletes) api.delete(leases, KEY, {});
      return found;
    };
    const term = await termOf({ ...client, get });
    const held = api.find(leases, KEY) as Lease;
    api.replace(leases, { ...held, metadata: { ...held.metadata, labels: { a: 'b' } } }, 'object');
    deletes = true;
    await bench.pass(retryMs + 100);
    expect(term.isProven()).toBe(false);
    expect(events.at(-1)).toMatchObject({ type: 'LeadershipLost', reason: 'it was deleted' });
  });
});
