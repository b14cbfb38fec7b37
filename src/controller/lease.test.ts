import { beforeEach, describe, expect, it } from 'vitest';

import type { Lease } from 'kubernetes-types/coordination/v1.js';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { noNetworkFaults } from '../../test/sim/controller/sim-client.ts';
import type { SimHost } from '../../test/sim/controller/sim-host.ts';
import { leases } from '../kube/resources.ts';
import type { ControllerEvent } from './controller-event.ts';
import type { Leadership } from './leadership.ts';
import { LeaseElection } from './lease.ts';

const KEY = { namespace: 'system', name: 'sample' };

let bench: SimBench;
let events: ControllerEvent[];

interface Candidate {
  readonly host: SimHost;
  readonly election: LeaseElection;
  readonly stop: AbortController;
  term: Leadership | null;
  /** Time at which the candidate won, milliseconds of the simulated clock; -1: not yet. */
  wonMs: number;
}

function candidate(name: string, clock: { rate?: number; skewMs?: number } = {}): Candidate {
  const host = bench.makeHost(name, clock);
  const election = new LeaseElection({
    ...KEY,
    client: bench.makeClient(host),
    identity: name,
    platform: host,
    random: () => 0,
    observe: (event) => events.push(event),
  });
  return { host, election, stop: new AbortController(), term: null, wonMs: -1 };
}

function campaign(who: Candidate): void {
  void win(who);
}

async function win(who: Candidate): Promise<void> {
  who.term = await who.election.acquire(who.stop.signal);
  who.wonMs = bench.world.elapsedMs;
}

const lease = (): Lease => bench.api.get(leases, KEY) as Lease;

const lostMs = (term: Leadership): { at: number } => {
  const lost = { at: -1 };
  term.signal.addEventListener('abort', () => (lost.at = bench.world.elapsedMs));
  return lost;
};

const need = (term: Leadership | null): Leadership => {
  if (term === null) throw new Error('no term');
  return term;
};

beforeEach(() => {
  bench = new SimBench();
  events = [];
});

describe('LeaseElection', () => {
  it('creates the Lease when there is none, with times of six decimals', async () => {
    const a = candidate('a');
    campaign(a);
    await bench.pass(100);
    expect(a.term?.token).toEqual({ leaseUid: 'uid-1', transitions: 0 });
    expect(lease().spec).toMatchObject({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    expect(lease().spec?.renewTime).toMatch(/^2026-01-01T00:00:00\.\d{3}000Z$/);
  });

  it('renews while it leads, and no other candidate acquires the Lease', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    campaign(a);
    await bench.pass(100);
    campaign(b);
    await bench.pass(600_000);
    expect([a.term?.isProven(), b.term]).toEqual([true, null]);
    expect(lease().spec?.holderIdentity).toBe('a');
  });

  it('CTRL-L2: keeps one leader when the wall clocks differ by days', async () => {
    const a = candidate('a', { skewMs: -86_400_000 });
    const b = candidate('b', { skewMs: 86_400_000 });
    campaign(a);
    await bench.pass(100);
    campaign(b);
    await bench.pass(60_000);
    expect([a.term?.isProven(), b.term]).toEqual([true, null]);
  });

  it('CTRL-L1: ends the term of an isolated leader before another wins, at any rate of the clocks', async () => {
    for (const [rateA, rateB] of [
      [1, 1],
      [0.9, 1.1],
      [1.1, 0.9],
    ] as const) {
      bench = new SimBench();
      const [a, b] = [candidate('a', { rate: rateA }), candidate('b', { rate: rateB })];
      campaign(a);
      await bench.pass(100);
      campaign(b);
      await bench.pass(5_000);
      const lost = lostMs(need(a.term));
      a.host.cutOffFor(120_000);
      await bench.pass(60_000);
      expect(lost.at).toBeGreaterThan(0);
      expect(b.wonMs).toBeGreaterThan(lost.at);
      expect([a.term?.isProven(), b.term?.token.transitions]).toEqual([false, 1]);
    }
  });

  it('CTRL-L1: disproves the term of a process that was paused, before any timer fires', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    campaign(a);
    await bench.pass(100);
    campaign(b);
    await bench.pass(3_000);
    const term = need(a.term);
    a.host.stopFor(60_000);
    await bench.pass(59_999);
    expect(b.term).not.toBe(null);
    expect(term.isProven()).toBe(false);
  });

  it('CTRL-L1: ends a term when the wall clock jumps ahead, as it does after a suspended night', async () => {
    const a = candidate('a');
    campaign(a);
    await bench.pass(100);
    a.host.setClock(3_600_000);
    expect(need(a.term).isProven()).toBe(false);
    // The same process wins the Lease again at once, since no other process has written it.
    campaign(a);
    await bench.pass(200);
    expect(need(a.term).token.transitions).toBe(1);
  });

  it('CTRL-L3: gives every term its own number, also to the same process', async () => {
    const a = candidate('a');
    const numbers: number[] = [];
    for (let terms = 0; terms < 3; terms += 1) {
      const term = need(await bench.until(a.election.acquire(a.stop.signal)));
      numbers.push(term.token.transitions);
      await bench.until(term.release());
    }
    expect(numbers).toEqual([0, 1, 2]);
  });

  it('empties the holder on release, so that the next candidate wins within one retry', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    campaign(a);
    await bench.pass(100);
    campaign(b);
    await bench.pass(5_000);
    const releasedMs = bench.world.elapsedMs;
    await bench.until(need(a.term).release());
    expect(lease().spec?.holderIdentity).toBe('');
    await bench.pass(2_500);
    expect(b.wonMs - releasedMs).toBeLessThan(2_200);
    expect(need(a.term).signal.aborted).toBe(true);
  });

  it('CTRL-L5: acquires again at once a Lease that it won in a lost response', async () => {
    const a = candidate('a');
    bench.onWrite = () => {
      bench.faults = { ...noNetworkFaults, answerLost: 1 };
    };
    campaign(a);
    await bench.pass(1_000);
    bench.faults = noNetworkFaults;
    bench.onWrite = () => {};
    expect([a.term, lease().spec?.holderIdentity]).toEqual([null, 'a']);
    await bench.pass(8_000);
    expect(a.term?.token.transitions).toBe(1);
  });

  it('CTRL-L5: acquires again at once a Lease that lapsed in an outage and has no other holder', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    campaign(a);
    await bench.pass(5_000);
    bench.faults = { ...noNetworkFaults, refused: 1 };
    await bench.pass(20_000);
    expect(need(a.term).isProven()).toBe(false);
    campaign(a);
    campaign(b);
    await bench.pass(1_000);
    bench.faults = noNetworkFaults;
    await bench.pass(2_500);
    expect([a.term?.token.transitions, a.term?.isProven(), b.term]).toEqual([1, true, null]);
  });

  it('CTRL-L5: waits for another process with the same identity', async () => {
    const [a, twin] = [candidate('a'), candidate('a')];
    campaign(a);
    await bench.pass(100);
    campaign(twin);
    await bench.pass(60_000);
    expect([a.term?.isProven(), twin.term]).toEqual([true, null]);
  });

  it('keeps leading when responses to renewals are lost, until one arrives in time', async () => {
    const a = candidate('a');
    campaign(a);
    await bench.pass(100);
    bench.faults = { ...noNetworkFaults, answerLost: 1 };
    await bench.pass(6_000);
    bench.faults = noNetworkFaults;
    await bench.pass(60_000);
    expect([a.term?.isProven(), a.term?.token.transitions]).toEqual([true, 0]);
    expect(events.some(({ type }) => type === 'LeaseTroubled')).toBe(true);
  });

  it('keeps leading when the Lease is labelled, and loses it when the Lease is deleted', async () => {
    const a = candidate('a');
    campaign(a);
    await bench.pass(100);
    const labelled = { ...lease().metadata, labels: { some: 'label' } };
    bench.api.replace(leases, { ...lease(), metadata: labelled }, 'object');
    await bench.pass(10_000);
    expect(a.term?.isProven()).toBe(true);
    bench.api.delete(leases, KEY, {});
    await bench.pass(2_100);
    expect(a.term?.isProven()).toBe(false);
    expect(events.at(-1)).toMatchObject({
      type: 'LeadershipLost',
      reason: 'it was deleted',
    });
  });

  it('waits for the duration in the Lease, whatever its own duration is', async () => {
    const a = candidate('a');
    campaign(a);
    await bench.pass(100);
    bench.api.replace(
      leases,
      { ...lease(), spec: { ...lease().spec, leaseDurationSeconds: 60 } } as Lease,
      'object',
    );
    a.host.process.alive = false;
    const b = candidate('b');
    campaign(b);
    const beganMs = bench.world.elapsedMs;
    await bench.pass(90_000);
    expect(b.wonMs - beganMs).toBeGreaterThan(60_000);
    expect(b.wonMs - beganMs).toBeLessThan(63_000);
  });

  it('CTRL-L6: retries while the server refuses', async () => {
    const a = candidate('a');
    bench.faults = { ...noNetworkFaults, refused: 1 };
    campaign(a);
    await bench.pass(60_000);
    expect(a.term).toBe(null);
    bench.faults = noNetworkFaults;
    await bench.pass(2_100);
    expect(a.term?.isProven()).toBe(true);
  });

  it('returns null when the campaign is aborted', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    campaign(a);
    await bench.pass(100);
    const ended = b.election.acquire(b.stop.signal);
    b.stop.abort();
    expect(await bench.until(ended)).toBe(null);
  });

  it('refuses durations that could allow two leaders', () => {
    const { host } = candidate('a');
    const times = { durationMs: 10_000, renewDeadlineMs: 10_000, retryMs: 2_000 };
    const options = {
      ...KEY,
      client: bench.client,
      identity: 'a',
      platform: host,
      random: () => 0,
    };
    expect(() => new LeaseElection({ ...options, times })).toThrow(
      /LHK103.*2000, 10000 and 10000 ms/,
    );
  });
});
