/** Terms that end by themselves, and the events that campaigns and terms emit: CTRL-L1, CTRL-L4, CTRL-L5, CTRL-L6. */
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { refuses } from '../../test/sim/controller/server-rules.ts';
import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { noNetworkFaults } from '../../test/sim/controller/sim-client.ts';
import type { SimHost } from '../../test/sim/controller/sim-host.ts';
import { ApiError } from '../kube/api-error.ts';
import { leases } from '../kube/resources.ts';
import type { ControllerEvent } from './controller-event.ts';
import type { Leadership } from './leadership.ts';
import { LeaseElection, type LeaseOptions } from './lease.ts';
import { DEFAULT_LEASE_TIMES, type LeaseTimes } from './lease-record.ts';

const KEY = { namespace: 'system', name: 'sample' };
const WHAT = 'system/sample';

let bench: SimBench;
let events: ControllerEvent[];
let host: SimHost;

function election(identity: string, more: Partial<LeaseOptions> = {}): LeaseElection {
  host = bench.makeHost(identity);
  return new LeaseElection({
    ...KEY,
    client: bench.makeClient(host),
    identity,
    platform: host,
    random: () => 0,
    observe: (event) => events.push(event),
    ...more,
  });
}

async function lead(who: LeaseElection): Promise<Leadership> {
  const term = await bench.until(who.acquire(new AbortController().signal));
  if (term === null) throw new Error('no term');
  return term;
}

const lease = (): Lease => bench.api.get(leases, KEY) as Lease;
const reported = (type: ControllerEvent['type']): ControllerEvent[] =>
  events.filter((event) => event.type === type);

function change(spec: object, metadata: object = {}): void {
  const now = lease();
  const changed = { metadata: { ...now.metadata, ...metadata }, spec: { ...now.spec, ...spec } };
  bench.api.replace(leases, { ...now, ...changed }, 'object');
}

beforeEach(() => {
  bench = new SimBench();
  events = [];
});

describe('the term of an isolated leader', () => {
  it('CTRL-L1: ends by its own timer 10 s after its last renewal was sent', async () => {
    const term = await lead(election('a'));
    await bench.pass(5_000);
    const renewedMs = Date.parse(lease().spec?.renewTime ?? '') - bench.world.wallMs;
    const sentMs = bench.world.elapsedMs + renewedMs;
    let endedMs = -1;
    term.signal.addEventListener('abort', () => (endedMs = bench.world.elapsedMs));
    host.cutOffFor(120_000);
    await bench.pass(30_000);
    expect(Math.abs(endedMs - (sentMs + 10_000))).toBeLessThan(2);
    expect(reported('LeadershipLost')).toEqual([
      { type: 'LeadershipLost', lease: WHAT, reason: 'it could not be renewed for 10000 ms' },
    ]);
  });

  it('reports each renewal that fails', async () => {
    await lead(election('a'));
    bench.faults = { ...noNetworkFaults, refused: 1 };
    await bench.pass(5_000);
    expect(reported('LeaseTroubled').length).toBeGreaterThan(0);
    expect(reported('LeaseTroubled')[0]).toMatchObject({ lease: WHAT });
    expect(reported('LeadershipLost')).toEqual([]);
  });
});

describe('a term that another process ends', () => {
  it('names the process that has taken the Lease', async () => {
    const term = await lead(election('a'));
    change({ holderIdentity: 'b', leaseTransitions: 1 });
    await bench.pass(2_500);
    expect([term.isProven(), term.signal.aborted]).toEqual([false, true]);
    expect(reported('LeadershipLost')).toEqual([
      { type: 'LeadershipLost', lease: WHAT, reason: 'b has taken it' },
    ]);
  });

  it('ends when the Lease was created again with the same content', async () => {
    const term = await lead(election('a'));
    const { spec } = lease();
    bench.api.delete(leases, KEY, {});
    bench.api.create(leases, { metadata: KEY, ...(spec === undefined ? {} : { spec }) });
    await bench.pass(2_500);
    expect(term.isProven()).toBe(false);
  });

  it.each(['', undefined])('says so where the Lease was released (%j)', async (holderIdentity) => {
    await lead(election('a'));
    change({ holderIdentity });
    await bench.pass(2_500);
    expect(reported('LeadershipLost')).toMatchObject([
      { reason: 'another process has released it' },
    ]);
  });

  it('is not released once it is lost', async () => {
    const term = await lead(election('a'));
    change({ holderIdentity: 'b', leaseTransitions: 1 });
    await bench.pass(2_500);
    const { revision } = bench.api;
    await bench.until(term.release());
    expect(bench.api.revision).toBe(revision);
  });
});

describe('the release of a term', () => {
  it('reports that the Lease could not be released', async () => {
    const term = await lead(election('a'));
    bench.faults = { ...noNetworkFaults, refused: 1 };
    await bench.until(term.release());
    expect(reported('LeaseTroubled').at(-1)).toMatchObject({
      lease: WHAT,
      reason: expect.stringMatching(/^it could not be released: ./) as string,
    });
    expect(lease().spec?.holderIdentity).toBe('a');
  });
});

describe('a campaign', () => {
  it.each(['', undefined])(
    'reports each holder that it sees once, and the term that it wins of a Lease whose holder is %j',
    async (none) => {
      await lead(election('a'));
      events = [];
      const stop = new AbortController();
      const waiting = election('b').acquire(stop.signal);
      await bench.pass(10_000);
      expect(events).toEqual([{ type: 'LeaderSeen', lease: WHAT, holder: 'a' }]);
      change({ holderIdentity: none });
      await bench.until(waiting);
      expect(events.slice(1).filter(({ type }) => type !== 'LeadershipLost')).toEqual([
        { type: 'LeaderSeen', lease: WHAT, holder: 'b' },
        { type: 'LeadershipGained', lease: WHAT, transitions: 1 },
      ]);
    },
  );

  it('CTRL-L4: takes it for no trouble that another process was faster', async () => {
    const both = [election('a'), election('b')].map((one) =>
      one.acquire(new AbortController().signal),
    );
    await bench.pass(10_000);
    expect(reported('LeadershipGained')).toHaveLength(1);
    expect(reported('LeaseTroubled')).toEqual([]);
    expect(both).toHaveLength(2);
  });

  it('CTRL-L6: reports trouble with the server, and continues', async () => {
    bench.faults = { ...noNetworkFaults, refused: 1 };
    const winning = election('a').acquire(new AbortController().signal);
    await bench.pass(5_000);
    bench.faults = noNetworkFaults;
    expect(await bench.until(winning)).not.toBeNull();
    expect(reported('LeaseTroubled').length).toBeGreaterThan(0);
    expect(reported('LeaseTroubled')[0]).toMatchObject({ lease: WHAT });
  });

  it('CTRL-L7: does not lead where the namespace of its Lease terminates, and says which process can', async () => {
    const message =
      'unable to create new content in namespace system because it is being terminated';
    const details = { causes: [{ reason: 'NamespaceTerminating' }] };
    const refusal = new ApiError(403, { reason: 'Forbidden', message, details });
    bench.api.rules.add(({ verb }) => (verb === 'create' ? refuses(refusal) : null));
    const stop = new AbortController();
    const campaign = election('a').acquire(stop.signal);
    await bench.pass(30_000);
    expect(reported('LeadershipGained')).toEqual([]);
    expect(reported('LeaseTroubled')[0]).toMatchObject({
      lease: WHAT,
      reason: `${message}. No process can be the leader by a Lease in that namespace: to thaw what is frozen in namespace system, run \`lifehook controller --namespace OTHER\`, without --namespaced`,
    });
    stop.abort();
    expect(await bench.until(campaign)).toBeNull();
  });

  it('spreads its tries by a fifth of their interval', async () => {
    await lead(election('a'));
    const { revision } = bench.api;
    const looks: number[] = [];
    const { client } = bench;
    const counting: typeof client = {
      ...client,
      get: (...request: Parameters<typeof client.get>) => {
        looks.push(bench.world.elapsedMs);
        return client.get(...request);
      },
    } as typeof client;
    const stop = new AbortController();
    const waiting = election('b', { client: counting, random: () => 1 }).acquire(stop.signal);
    await bench.pass(10_000);
    stop.abort();
    expect(await bench.until(waiting)).toBeNull();
    expect(revision).toBeGreaterThan(0);
    const [first = 0, second = 0] = looks;
    expect(second - first).toBeGreaterThanOrEqual(2_400);
    expect(second - first).toBeLessThan(2_700);
  });
});

describe('the times of a Lease', () => {
  const withTimes = (times: Partial<LeaseTimes>): (() => unknown) => {
    return () => election('a', { times: { ...DEFAULT_LEASE_TIMES, ...times } });
  };

  it.each([
    ['no pause between two tries', { retryMs: 0 }],
    [
      'tries that with their spread are as long as the deadline',
      { retryMs: 2_000, renewDeadlineMs: 2_400 },
    ],
    ['a deadline as long as the duration', { renewDeadlineMs: 15_000 }],
  ])('CTRL-L1: are refused with %s', (_, times) => {
    expect(withTimes(times)).toThrow(
      /LHK103: A lease needs a retry interval that \(with 20 % added\) is shorter than its renew deadline/,
    );
  });

  it('CTRL-L1: are accepted where each is shorter than the next', () => {
    expect(withTimes({ retryMs: 1_999, renewDeadlineMs: 2_400, durationMs: 2_401 })).not.toThrow();
  });
});
