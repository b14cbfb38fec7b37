import { describe, expect, it } from 'vitest';

import { deferred } from '../../../test/fixtures/deferred.ts';
import { SimBench } from '../../../test/sim/controller/sim-bench.ts';
import type { EventEnvelope, Notification } from '../../model/event.ts';
import type { PostAnswer } from '../send-queue.ts';
import { Notifier, type NotifierNote, type NotifierOptions, QUEUE_MAX } from './notifier.ts';
import type { DeliveredFacts } from './reported-facts.ts';

const HOUR_MS = 3_600_000;
const TAKEN: PostAnswer = { kind: 'taken' };
const NONE: DeliveredFacts = { ids: [], open: {} };
const BUSY: PostAnswer = { kind: 'busy', why: 'down' };

function event(notification: Notification): EventEnvelope {
  const target = { namespace: 'shop', hook: 'h' };
  const place = { lifecycle: 'snapshot', target, point: null, run: 'shop/h' } as const;
  return { ...place, attempt: null, atMs: 0, notification };
}

const about = { type: 'thaw.overdue', problem: 'thaw', message: 'late' } as const;
const overdue = event({ ...about, id: 'u/overdue', state: 'open' });
const thawed = event({ ...about, id: 'u/done', type: 'thaw.done', state: 'clear' });
const good = event({ ...about, id: 's', type: 'verdict.reached', problem: 's', state: 'clear' });

interface Bench {
  readonly sim: SimBench;
  readonly notifier: Notifier;
  /** Type and id of each posted message. */
  readonly posts: readonly (readonly [string, string])[];
  readonly notes: readonly NotifierNote[];
  readonly stored: () => DeliveredFacts | null;
}

function bench(
  answers: readonly PostAnswer[] = [],
  {
    delivered = null,
    ...more
  }: Partial<NotifierOptions> & { readonly delivered?: DeliveredFacts | null } = {},
): Bench {
  const sim = new SimBench();
  const posts: [string, string][] = [];
  const notes: NotifierNote[] = [];
  let stored = delivered;
  const notifier = new Notifier({
    clock: sim.host.clock,
    timers: sim.host.timers,
    random: () => 1,
    post: async ({ type, id }) => {
      posts.push([type, id]);
      return answers[posts.length - 1] ?? answers.at(-1) ?? TAKEN;
    },
    verdicts: 'below-required',
    source: '/lifehook',
    record: {
      load: async () => stored,
      save: async (facts) => {
        stored = facts;
      },
    },
    recordedEvents: () => [],
    observe: (note) => notes.push(note),
    ...more,
  });
  return { sim, notifier, posts, notes, stored: () => stored };
}

describe('Notifier', () => {
  it('sends a fact once, and its all-clear', async () => {
    const { sim, notifier, posts } = bench();
    await notifier.begin();
    for (const each of [overdue, overdue, thawed, thawed]) notifier.observe(each);
    await sim.pass(1_000);
    expect(posts.map(([type]) => type)).toEqual(['thaw.overdue', 'thaw.done']);
  });

  it('sends no all-clear of a problem that was never open', async () => {
    const { sim, notifier, posts } = bench();
    await notifier.begin();
    notifier.observe(thawed);
    notifier.observe(good);
    await sim.pass(1_000);
    expect(posts).toEqual([]);
  });

  it('sends sufficient verdicts where all verdicts are wanted', async () => {
    const { sim, notifier, posts } = bench([], { verdicts: 'all' });
    await notifier.begin();
    for (const each of [thawed, good, good]) notifier.observe(each);
    await sim.pass(1_000);
    expect(posts.map(([type]) => type)).toEqual(['verdict.reached']);
  });

  it('identifies an all-clear without an id by what opened the problem', async () => {
    const { sim, notifier, posts } = bench();
    await notifier.begin();
    const held = event({ ...about, type: 'rollout.held', id: 'u/4/held/1', state: 'open' });
    const heldAgain = event({ ...about, type: 'rollout.held', id: 'u/4/held/2', state: 'open' });
    const resumed = event({ ...about, type: 'rollout.resumed', id: null, state: 'clear' });
    for (const each of [held, resumed, resumed, heldAgain, resumed]) notifier.observe(each);
    await sim.pass(1_000);
    expect(posts.map(([type]) => type)).toEqual([
      'rollout.held',
      'rollout.resumed',
      'rollout.held',
      'rollout.resumed',
    ]);
    expect(new Set(posts.map(([, id]) => id)).size).toBe(4);
  });
});

describe('after a restart (ENG-N1)', () => {
  it('repeats with the same id what is not known to be delivered', async () => {
    const before = bench([BUSY]);
    await before.notifier.begin();
    before.notifier.observe(overdue);
    await before.sim.pass(1);
    const delivered = before.stored();
    expect(delivered).toEqual({ ids: [], open: {} });
    const after = bench([], { delivered, recordedEvents: () => [overdue] });
    await after.notifier.begin();
    await after.sim.pass(1);
    expect(after.posts).toEqual(before.posts);
    expect(after.posts.length).toBe(1);
  });

  it('repeats nothing that is recorded as delivered, and sends its all-clear', async () => {
    const before = bench();
    await before.notifier.begin();
    before.notifier.observe(overdue);
    await before.sim.pass(1);
    const after = bench([], { delivered: before.stored(), recordedEvents: () => [overdue] });
    await after.notifier.begin();
    await after.sim.pass(1);
    expect(after.posts).toEqual([]);
    const later = bench([], { delivered: after.stored(), recordedEvents: () => [thawed] });
    await later.notifier.begin();
    await later.sim.pass(1);
    expect(later.posts.map(([type]) => type)).toEqual(['thaw.done']);
    expect(later.stored()?.open).toEqual({});
  });

  it('asks for the ends of the last day if there is a record, else for none of the past', async () => {
    const asked: number[] = [];
    const recordedEvents = (sinceMs: number): [] => {
      asked.push(sinceMs);
      return [];
    };
    const first = bench([], { recordedEvents });
    await first.notifier.begin();
    const nowMs = first.sim.host.clock.nowMs();
    await bench([], { recordedEvents, delivered: { ids: [], open: {} } }).notifier.begin();
    expect(asked).toEqual([nowMs, nowMs - 24 * HOUR_MS]);
  });

  it('keeps events that are observed before the record is read, and counts those beyond its queue', async () => {
    const { sim, notifier, posts, notes } = bench();
    notifier.observe(overdue);
    for (let count = 0; count < QUEUE_MAX; count += 1) notifier.observe(overdue);
    expect(notes).toMatchObject([{ type: 'NotificationDropped', count: 1 }]);
    await notifier.begin();
    await sim.pass(1);
    expect(posts.length).toBe(1);
  });

  it('does not overwrite a record that it could not read, and sends what that record lacks', async () => {
    let answers = 0;
    let stored: DeliveredFacts = { ids: ['before'], open: { other: 'before' } };
    const record = {
      load: async () => {
        answers += 1;
        if (answers === 1) throw new Error('timeout');
        return stored;
      },
      save: async (facts: DeliveredFacts) => {
        stored = facts;
      },
    };
    const bad = event({ ...about, id: 'v', type: 'verdict.reached', problem: 'v', state: 'open' });
    const { sim, notifier } = bench([], {
      record,
      recordedEvents: (sinceMs) => (sinceMs < sim.host.clock.nowMs() - HOUR_MS ? [bad] : []),
    });
    await notifier.begin();
    notifier.observe(overdue);
    await sim.pass(1);
    expect(stored.ids).toContain('before');
    expect(Object.keys(stored.open).toSorted()).toEqual(['other', 'thaw', 'v']);
  });

  it('reads the record anew in each term, since another leader may have delivered meanwhile', async () => {
    const other = bench([], { recordedEvents: () => [overdue], delivered: NONE });
    const record = { load: async () => other.stored(), save: () => Promise.resolve() };
    let seen: readonly EventEnvelope[] = [];
    const { sim, notifier, posts } = bench([], { record, recordedEvents: () => seen });
    await notifier.begin();
    await other.notifier.begin();
    await other.sim.pass(1);
    expect(other.posts.length).toBe(1);
    seen = [overdue];
    await notifier.begin();
    await sim.pass(1);
    expect(posts).toEqual([]);
  });

  it('sends also if the record can be neither read nor written', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('forbidden'));
    const { sim, notifier, posts, notes } = bench([], { record: { load: fail, save: fail } });
    await notifier.begin();
    notifier.observe(overdue);
    await sim.pass(1);
    expect(posts.length).toBe(1);
    expect(notes).toContainEqual({ type: 'DeliveryNotRecorded', why: 'Error: forbidden' });
  });
});

describe('a dead receiver (ENG-N2)', () => {
  it('gets a message again, at most every five minutes and for one day', async () => {
    const { sim, notifier, posts, notes } = bench([BUSY]);
    await notifier.begin();
    notifier.observe(overdue);
    await sim.pass(HOUR_MS);
    // Pauses of 1, 2, 4, … 256 s and then 300 s: 10 posts in the first 511 s, and 10 in the rest.
    expect(posts.length).toBe(20);
    expect(notifier.waiting).toBe(1);
    await sim.pass(24 * HOUR_MS);
    expect(notifier.waiting).toBe(0);
    expect(notes.at(-1)).toEqual({ type: 'NotificationDropped', count: 1, why: 'down' });
  });

  it('gets the next message after the shortest pause, once it has taken one', async () => {
    const { sim, notifier, posts } = bench([BUSY, BUSY, BUSY, TAKEN, BUSY, TAKEN]);
    await notifier.begin();
    notifier.observe(overdue);
    await sim.pass(7_001);
    expect(posts.length).toBe(4);
    notifier.observe(thawed);
    await sim.pass(1_001);
    expect(posts.length).toBe(6);
  });

  it('that fails on one message gets the others, in the order of each problem', async () => {
    const posts: string[] = [];
    const { sim, notifier } = bench([], {
      post: async ({ type, problem }) => {
        posts.push(`${problem} ${type}`);
        return problem === 'bad' && posts.length < 6 ? BUSY : TAKEN;
      },
    });
    await notifier.begin();
    for (const problem of ['bad', 'good']) {
      notifier.observe(event({ ...about, id: `${problem}1`, problem, state: 'open' }));
      const done = { ...about, type: 'thaw.done', problem } as const;
      notifier.observe(event({ ...done, id: `${problem}2`, state: 'clear' }));
    }
    await sim.pass(HOUR_MS);
    expect(posts).toEqual([
      'bad thaw.overdue',
      'good thaw.overdue',
      'good thaw.done',
      'bad thaw.overdue',
      'bad thaw.overdue',
      'bad thaw.overdue',
      'bad thaw.done',
    ]);
    expect(notifier.waiting).toBe(0);
  });

  it('fills a bounded queue, and the rest is counted', async () => {
    const { sim, notifier, notes } = bench([BUSY]);
    await notifier.begin();
    for (let count = 0; count <= QUEUE_MAX; count += 1) {
      notifier.observe(event({ ...about, id: `${count}`, state: 'open' }));
    }
    expect(notifier.waiting).toBe(QUEUE_MAX);
    expect(notes).toEqual([
      { type: 'NotificationDropped', count: 1, why: '1000 notifications wait already' },
    ]);
    await sim.pass(1);
    await notifier.stop();
    expect(notes.at(-1)).toMatchObject({ count: QUEUE_MAX, why: 'the program ends: down' });
  });
});

describe('stop', () => {
  it('waits until the last delivery is recorded', async () => {
    const written = deferred<void>();
    const record = { load: () => Promise.resolve(null), save: () => written.promise };
    const { notifier, posts } = bench([], { record });
    await notifier.begin();
    notifier.observe(overdue);
    const ended: string[] = [];
    const stopped = notifier.stop().then(() => ended.push('stopped'));
    await new Promise((resolve) => void setImmediate(resolve));
    expect([posts.length, ended]).toEqual([1, []]);
    written.resolve();
    await stopped;
  });
});
