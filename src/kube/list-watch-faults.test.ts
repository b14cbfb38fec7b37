import { describe, expect, it } from 'vitest';

import type { ScriptedAnswer } from '../../test/fixtures/scripted-transport.ts';
import {
  added,
  configMap,
  expired,
  inTurn,
  isWatch,
  line,
  list,
  never,
  stream,
  report,
  versionsAsked,
  worldOf,
} from '../../test/fixtures/watch-world.ts';
import { posixError } from '../platform/posix-error.ts';
import { listWatch, STALL_MARGIN_MS } from './list-watch.ts';
import { configMaps } from './resources.ts';

describe('listWatch after a failure', () => {
  it.each([
    ['as a status', (): ScriptedAnswer => ({ status: 410, body: expired })],
    ['as an event', (): ScriptedAnswer => stream([line('ERROR', expired)], 'stay')],
  ])(
    'lists again when the resource version is too old, reported %s (KUBE-W2)',
    async (_, refusal) => {
      const world = worldOf(
        inTurn([() => list('5', 'a'), () => list('20', 'b')], [refusal, () => stream([], 'stay')]),
      );
      expect(await report(world, 6)).toEqual([
        'Upsert a@5',
        'Synced@5',
        'Interrupted: too old (150 ms)',
        'Relisting',
        'Upsert b@20',
        'Synced@20',
      ]);
    },
  );

  it('lists again when the server rejects the resource version as too large', async () => {
    const details = { causes: [{ reason: 'ResourceVersionTooLarge', message: 'too large' }] };
    const refusal = { status: 504, body: { ...expired, code: 504, reason: 'Timeout', details } };
    const world = worldOf(inTurn([() => list('5')], [() => refusal]));
    expect((await report(world, 4)).slice(1)).toEqual([
      'Interrupted: too old (150 ms)',
      'Relisting',
      'Synced@5',
    ]);
  });

  it('keeps its resource version while the server refuses temporarily, and obeys Retry-After', async () => {
    const busy = { status: 429, headers: { 'retry-after': '7' }, body: 'later' };
    const world = worldOf(
      inTurn([() => list('5')], [() => busy, () => ({ status: 401 }), () => stream([], 'stay')]),
    );
    const reported = await report(world, 3);
    expect(reported[1]).toBe('Interrupted: later (HTTP 429) (7150 ms)');
    expect(reported[2]).toContain('Interrupted: the API server answered 401 (300 ms)');
    expect(
      world.transport.requests.filter(({ path }) => !path.includes('watch=true')),
    ).toHaveLength(1);
  });

  it('lists again after a failed list, also one that failed between two pages', async () => {
    const first = {
      body: { metadata: { resourceVersion: '5', continue: 't' }, items: [configMap('a', '5')] },
    };
    const world = worldOf(
      inTurn(
        [
          () => posixError('ECONNRESET', 'reset'),
          () => first,
          () => ({ status: 500 }),
          () => list('6', 'b'),
        ],
        [() => stream([], 'stay')],
      ),
    );
    expect(await report(world, 7)).toEqual([
      'Interrupted: reset (150 ms)',
      'Relisting',
      'Upsert a@5',
      'Interrupted: the API server answered 500 (300 ms)',
      'Relisting',
      'Upsert b@6',
      'Synced@6',
    ]);
  });

  it('does not emit events whose resource version is not after its own (KUBE-W3)', async () => {
    const repeated = [
      added('a', '5'),
      added('b', '6'),
      added('b', '6'),
      added('a', '4'),
      added('c', '10'),
    ];
    const bookmark = line('BOOKMARK', configMap('', '3'));
    const world = worldOf(
      inTurn([() => list('5', 'a')], [() => stream([...repeated, bookmark], 'break')]),
    );
    expect((await report(world, 5)).slice(1)).toEqual([
      'Synced@5',
      'Upsert b@6',
      'Upsert c@10',
      'Interrupted: reset (150 ms)',
    ]);
  });

  it.each([
    ['a truncated line', '{"type":"ADDED","obj'],
    ['a line that is not an object', 'null\n'],
    ['an event of an unknown type', line('FROBBED', configMap('z', '9'))],
    ['an event without an object', '{"type":"ADDED"}\n'],
    ['an event whose object is null', '{"type":"ADDED","object":null}\n'],
    ['an error that is null', '{"type":"ERROR","object":null}\n'],
    ['an object whose metadata is null', '{"type":"ADDED","object":{"metadata":null}}\n'],
    ['an object without a version', line('ADDED', { metadata: {} })],
  ])('resumes after the last good event when the stream has %s', async (_, broken) => {
    const world = worldOf(
      inTurn(
        [() => list('5')],
        [() => stream([added('a', '6'), broken]), () => stream([added('b', '7')], 'stay')],
      ),
    );
    const reported = await report(world, 4);
    expect(reported[2]).toMatch(/^Interrupted/);
    expect(reported[3]).toBe('Upsert b@7');
    expect(versionsAsked(world)).toEqual(['5', '6']);
  });

  it('aborts a watch that is still open long after its timeout, and watches again', async () => {
    const world = worldOf(
      inTurn(
        [() => list('5')],
        [() => stream([], 'stay'), () => stream([added('a', '6')], 'stay')],
      ),
    );
    const reporting = report(world, 3, { watchSeconds: 100 });
    const stallMs = 100_000 + STALL_MARGIN_MS;
    await expect
      .poll(() => world.timers.some(({ ms }) => ms === stallMs), { timeout: 20_000 })
      .toBe(true);
    // The real transport rejects the pending read when the signal aborts. The scripted stream hangs, so check the
    // signal.
    const aborted = world.transport.requests.find(isWatch)?.signal;
    world.timers.find(({ ms }) => ms === stallMs)?.fire();
    expect(aborted?.aborted).toBe(true);
    expect(await reporting).toEqual([
      'Synced@5',
      `Interrupted: the stalled watch did not end within ${stallMs} ms (150 ms)`,
      'Upsert a@6',
    ]);
  });

  it('stops on its signal while it waits, lists and watches (KUBE-W1)', async () => {
    const refused = (): Error => posixError('ECONNRESET', 'reset');
    for (const script of [
      inTurn([refused], []),
      (): Promise<never> => never,
      inTurn([() => list('5')], [() => stream([], 'stay')]),
    ]) {
      const controller = new AbortController();
      const { connection } = worldOf(script);
      const { signal } = controller;
      setTimeout(() => {
        controller.abort();
      }, 10);
      const types: string[] = [];
      for await (const { type } of listWatch(connection, configMaps, { signal })) types.push(type);
      expect(types.filter((type) => type !== 'Interrupted' && type !== 'Relisting')).toEqual(
        types.includes('Synced') ? ['Synced'] : [],
      );
    }
  });
});
