import { describe, expect, it } from 'vitest';

import type { ScriptedAnswer } from '../../test/fixtures/scripted-transport.ts';
import {
  added,
  configMap,
  expired,
  inTurn,
  isWatchList,
  line,
  list,
  listEnd,
  refusal,
  stream,
  report,
  versionsAsked,
  type World,
  worldOf,
} from '../../test/fixtures/watch-world.ts';
import { posixError } from '../platform/posix-error.ts';
import { listWatch } from './list-watch.ts';
import { configMaps } from './resources.ts';
import { INITIAL_EVENTS_MS } from './watch-stream.ts';

type Answers = readonly (() => ScriptedAnswer | Error)[];

/** A server that answers watch lists with `watchLists`; the watches that follow stay open. */
const withLists = (watchLists: Answers, pages: Answers = []): World =>
  worldOf(inTurn(pages, [() => stream([], 'stay')], watchLists));

const pagesAsked = ({ transport }: World): number =>
  transport.requests.filter(({ path }) => !path.includes('watch=true')).length;

describe('listWatch with watch lists', () => {
  it('asks for the initial events, and follows the changes in the same watch (KUBE-W5)', async () => {
    const events = [added('b', '4'), added('a', '3'), listEnd('5'), added('c', '6')];
    const world = withLists([() => stream(events, 'stay')]);
    const options = { namespace: 'n', labelSelector: 'x=y', fieldSelector: 'p=q' };
    expect(await report(world, 4, options)).toEqual([
      'Upsert b@4',
      'Upsert a@3',
      'Synced@5',
      'Upsert c@6',
    ]);
    expect(world.transport.requests.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/n/configmaps?watch=true&allowWatchBookmarks=true' +
        '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan' +
        '&timeoutSeconds=300&labelSelector=x%3Dy&fieldSelector=p%3Dq',
    ]);
  });

  it('resumes from the end of the list, or the event after it, when the watch breaks (KUBE-W2)', async () => {
    const world = worldOf(
      inTurn(
        [],
        [() => stream([added('b', '7')], 'break'), () => stream([added('c', '8')], 'stay')],
        [() => stream([added('a', '3'), listEnd('5')], 'break')],
      ),
    );
    expect(await report(world, 6)).toEqual([
      'Upsert a@3',
      'Synced@5',
      'Interrupted: reset (150 ms)',
      'Upsert b@7',
      'Interrupted: reset (150 ms)',
      'Upsert c@8',
    ]);
    expect(versionsAsked(world)).toEqual(['5', '7']);
  });

  it('emits changes before the end of the initial events, and no repetition of them (KUBE-W3)', async () => {
    const initial = [added('a', '3'), added('b', '2')];
    const changes = [line('MODIFIED', configMap('a', '6')), line('DELETED', configMap('b', '7'))];
    const events = [...initial, ...changes, ...initial, ...changes, listEnd('7'), ...initial];
    const world = withLists([() => stream([...events, added('d', '8')], 'stay')]);
    expect(await report(world, 6)).toEqual([
      'Upsert a@3',
      'Upsert b@2',
      'Upsert a@6',
      'Delete b@7',
      'Synced@7',
      'Upsert d@8',
    ]);
  });

  it('lists again, by a watch list, when the server forgets the position', async () => {
    const world = withLists([
      () => stream([added('a', '3'), listEnd('5'), line('ERROR', expired)]),
      () => stream([listEnd('9')], 'stay'),
    ]);
    expect(await report(world, 5)).toEqual([
      'Upsert a@3',
      'Synced@5',
      'Interrupted: too old (150 ms)',
      'Relisting',
      'Synced@9',
    ]);
    expect(pagesAsked(world)).toBe(0);
  });
});

describe('a watch list that fails', () => {
  it.each([
    ['refuses the connection', 4, (): Error => posixError('ECONNREFUSED', 'reset')],
    ['is overloaded', 4, (): ScriptedAnswer => ({ status: 429, body: 'reset' })],
    ['breaks it in the middle', 5, (): ScriptedAnswer => stream([added('a', '3')], 'break')],
  ] as const)('is retried when the server %s', async (_, count, failure) => {
    const world = withLists([failure, () => stream([added('b', '4'), listEnd('5')], 'stay')]);
    expect((await report(world, count)).slice(-4)).toEqual([
      expect.stringMatching(/^Interrupted: reset/),
      'Relisting',
      'Upsert b@4',
      'Synced@5',
    ]);
    expect(pagesAsked(world)).toBe(0);
  });

  it.each([400, 403, 422])('is replaced by pages, without an event, for %i', async (code) => {
    const world = withLists([() => refusal(code, 'Invalid')], [() => list('5', 'a')]);
    expect(await report(world, 2)).toEqual(['Upsert a@5', 'Synced@5']);
    expect(world.transport.requests.filter(isWatchList)).toHaveLength(1);
  });

  it('is replaced by pages when it breaks twice after it began', async () => {
    const broken = (): ScriptedAnswer => stream([added('a', '3')], 'break');
    const world = withLists([broken], [() => list('5', 'b')]);
    expect((await report(world, 8)).slice(3)).toEqual([
      'Upsert a@3',
      'Interrupted: reset (300 ms)',
      'Relisting',
      'Upsert b@5',
      'Synced@5',
    ]);
    expect(world.transport.requests.filter(isWatchList)).toHaveLength(2);
  });

  it.each([
    ['after initial events', [added('a', '3'), line('BOOKMARK', configMap('', '4'))]],
    ['without an event', []],
  ])('is retried once when the server ends it without the bookmark, %s', async (_, events) => {
    const world = withLists([() => stream(events)], [() => list('5', 'b')]);
    expect((await report(world, events.length === 0 ? 6 : 8)).slice(-3)).toEqual([
      'Relisting',
      'Upsert b@5',
      'Synced@5',
    ]);
    expect(world.transport.requests.filter(isWatchList)).toHaveLength(2);
  });

  it('is followed by another one when a stopping server has ended it (KUBE-W5)', async () => {
    const complete = (): ScriptedAnswer => stream([added('b', '4'), listEnd('5')], 'stay');
    const world = withLists([() => stream([added('a', '3')]), complete]);
    expect(await report(world, 5)).toEqual([
      'Upsert a@3',
      'Interrupted: the server ended it before the end of the initial events (150 ms)',
      'Relisting',
      'Upsert b@4',
      'Synced@5',
    ]);
    expect(pagesAsked(world)).toBe(0);
  });

  it('is replaced by pages when its bookmark does not come in time', async () => {
    const world = withLists([() => stream([added('a', '3')], 'stay')], [() => list('5', 'b')]);
    const reporting = report(world, 5);
    await expect
      .poll(() => world.timers.some(({ ms }) => ms === INITIAL_EVENTS_MS), { timeout: 20_000 })
      .toBe(true);
    world.timers.find(({ ms }) => ms === INITIAL_EVENTS_MS)?.fire();
    expect((await reporting).slice(1)).toEqual([
      `Interrupted: the initial events did not end within ${INITIAL_EVENTS_MS} ms (150 ms)`,
      'Relisting',
      'Upsert b@5',
      'Synced@5',
    ]);
  });

  it.each([
    [404, true],
    [500, false],
  ])(
    'is reported for the status %i as of a kind that is not served: %s',
    async (status, expected) => {
      const { connection } = withLists([() => ({ status })]);
      const { signal } = new AbortController();
      for await (const event of listWatch(connection, configMaps, { signal })) {
        expect(event).toMatchObject({ type: 'Interrupted', notServed: expected });
        break;
      }
      expect.assertions(1);
    },
  );
});
