import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import type { SimHost } from '../../test/sim/controller/sim-host.ts';
import { leases } from '../kube/resources.ts';
import { LeaseElection, type LeaseOptions } from './lease.ts';
import type { Leadership } from './leadership.ts';

const KEY = { namespace: 'system', name: 'sample' };

let bench: SimBench;

interface Candidate {
  readonly host: SimHost;
  readonly election: LeaseElection;
  term: Leadership | null;
  /** Time at which the candidate won, milliseconds of the simulated clock; -1: not yet. */
  wonMs: number;
}

type More = Partial<Pick<LeaseOptions, 'whenHeld' | 'hasEnded' | 'annotations'>>;

function candidate(identity: string, more: More = {}): Candidate {
  const host = bench.makeHost(identity);
  const client = bench.makeClient(host);
  const about = { ...KEY, client, identity, platform: host, random: () => 0 };
  return { host, election: new LeaseElection({ ...about, ...more }), term: null, wonMs: -1 };
}

const { signal } = new AbortController();

function campaign(who: Candidate): void {
  void win(who);
}

async function win(who: Candidate): Promise<void> {
  who.term = await who.election.acquire(signal);
  who.wonMs = bench.world.elapsedMs;
}

const lease = (): Lease => bench.api.get(leases, KEY) as Lease;

function need(term: Leadership | null): Leadership {
  if (term === null) throw new Error('no term');
  return term;
}

function lostMs(term: Leadership): { at: number } {
  const lost = { at: -1 };
  term.signal.addEventListener('abort', () => (lost.at = bench.world.elapsedMs));
  return lost;
}

beforeEach(() => {
  bench = new SimBench();
});

describe('LeaseElection, where the Lease is held', () => {
  it('CTRL-L7: does not wait for a Lease that another process renews, and names the holder', async () => {
    const [a, b] = [candidate('a'), candidate('b', { whenHeld: 'refuse' })];
    campaign(a);
    await bench.pass(100);
    await expect(bench.until(b.election.acquire(signal))).rejects.toThrow(
      /LHK105: Another controller is the leader: a renews the Lease system\/sample/,
    );
    expect([a.term?.isProven(), lease().spec?.holderIdentity]).toEqual([true, 'a']);
  });

  it('CTRL-L7: takes the Lease of a holder that renews no more, after its whole duration', async () => {
    const [a, b] = [candidate('a'), candidate('b', { whenHeld: 'refuse' })];
    campaign(a);
    await bench.pass(100);
    const lost = lostMs(need(a.term));
    a.host.cutOffFor(600_000);
    const beganMs = bench.world.elapsedMs;
    campaign(b);
    await bench.pass(60_000);
    expect(b.term?.isProven()).toBe(true);
    expect(b.wonMs - beganMs).toBeGreaterThanOrEqual(15_000);
    expect(b.wonMs).toBeGreaterThan(lost.at);
  });

  it('CTRL-L7: stops when another process has taken the Lease, instead of waiting for it again', async () => {
    const a = candidate('a', { whenHeld: 'refuse' });
    campaign(a);
    await bench.pass(100);
    const lost = lostMs(need(a.term));
    const b = candidate('b', { hasEnded: () => Promise.resolve(true) });
    campaign(b);
    await bench.pass(6_000);
    expect([lost.at > 0, b.term?.isProven()]).toEqual([true, true]);
    await expect(bench.until(a.election.acquire(signal))).rejects.toThrow(/LHK105.*: b renews/);
  });

  it('CTRL-L7: leads again after its Lease was deleted', async () => {
    const a = candidate('a', { whenHeld: 'refuse' });
    campaign(a);
    await bench.pass(100);
    const lost = lostMs(need(a.term));
    bench.api.delete(leases, KEY, {});
    await bench.pass(6_000);
    expect(lost.at).toBeGreaterThan(0);
    campaign(a);
    await bench.pass(100);
    expect(a.term?.isProven()).toBe(true);
  });

  it('CTRL-L8: takes the Lease at once from a holder whose process is known to have ended', async () => {
    const asked: string[] = [];
    const hasEnded = (holder: string): Promise<boolean> => {
      asked.push(holder);
      return Promise.resolve(holder === 'a');
    };
    const [a, b] = [candidate('a'), candidate('b', { hasEnded })];
    campaign(a);
    await bench.pass(100);
    a.host.process.alive = false;
    campaign(b);
    await bench.pass(100);
    expect([asked, b.term?.token.transitions]).toEqual([['a'], 1]);
  });

  it('puts its annotations on a Lease that it creates or takes, and keeps others', async () => {
    const a = candidate('a', { annotations: { of: 'a' } });
    campaign(a);
    await bench.pass(100);
    expect(lease().metadata?.annotations).toEqual({ of: 'a' });
    await bench.until(need(a.term).release());
    const b = candidate('b', { annotations: { by: 'b' } });
    campaign(b);
    await bench.pass(100);
    expect(lease().metadata?.annotations).toEqual({ of: 'a', by: 'b' });
  });
});
