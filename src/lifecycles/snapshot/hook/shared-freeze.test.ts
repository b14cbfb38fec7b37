/** Containers that share one freeze, because all of them lock the same volume or server. */
import { expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { CUT_RELEASE } from '../names.ts';

const CUT = { [CUT_RELEASE]: 'ab12@2026-01-01T00:00:00.000000Z' };
const PROBED = { probe: { exec: { command: ['probe'] } } };

/** Freezes, thaws and probes of all containers reach one lock. */
function sharedLock(): HookBench {
  const bench = new HookBench();
  let frozen = false;
  const set = (value: boolean) => () => {
    frozen = value;
    return { exitCode: 0 };
  };
  bench.behaviours.set('freeze', set(true));
  bench.behaviours.set('thaw', set(false));
  bench.behaviours.set('probe', () => ({ exitCode: frozen ? 0 : 1 }));
  return bench;
}

const answersOf = (bench: HookBench) =>
  bench
    .targets()
    .map(({ probes = [] }) => probes.findLast(({ when }) => when === 'AfterCut')?.outcome);

it('a hook asks every probe of the cut before its first thaw', async () => {
  const bench = sharedLock();
  bench.makePod('a', ['one', 'two']);
  bench.makePod('b');
  bench.makeHook('h', PROBED);
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.annotate('h', CUT);
  await bench.eventually('settled', bench.isFree());
  expect(answersOf(bench)).toEqual(['Frozen', 'Frozen', 'Frozen']);
  const words = bench.ran.slice(-6).map(({ command }) => command);
  expect(words).toEqual(['probe', 'probe', 'probe', 'thaw', 'thaw', 'thaw']);
});

it('a probe that does not answer delays the thaw by one limit, however many there are', async () => {
  const bench = sharedLock();
  for (const name of ['a', 'b', 'c', 'd']) bench.makePod(name, ['one', 'two']);
  bench.makeHook('h', PROBED);
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.behaviours.set('probe', 'hangs');
  const askedMs = bench.world.elapsedMs;
  bench.annotate('h', CUT);
  await bench.eventually('thawing', () => bench.ran.some(({ command }) => command === 'thaw'));
  expect((bench.ran.at(-1)?.atMs ?? 0) - askedMs).toBeLessThan(5_500);
  await bench.eventually('settled', bench.isFree());
  expect(new Set(answersOf(bench))).toEqual(new Set(['Unknown']));
});

it('answers are durable with the intent of the first thaw, and are not asked again', async () => {
  const bench = sharedLock();
  bench.makePod('a', ['one', 'two']);
  bench.behaviours.set('thaw a/two', { exitCode: 0, ms: 500 });
  bench.makeHook('h', PROBED);
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.annotate('h', CUT);
  await bench.eventually('thawing', () => bench.ran.some(({ command }) => command === 'thaw'));
  const asked = bench.ran.filter(({ command }) => command === 'probe').length;
  bench.start();
  await bench.eventually('settled', bench.isFree());
  expect(answersOf(bench)).toEqual(['Frozen', 'Frozen']);
  expect(bench.ran.filter(({ command }) => command === 'probe')).toHaveLength(asked);
});

it('a controller that is killed while it asks leaves the questions to the next one', async () => {
  const bench = sharedLock();
  bench.makePod('a', ['one', 'two']);
  bench.makeHook('h', PROBED);
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.behaviours.set('probe a/one', 'hangs');
  const asked = bench.ran.length;
  bench.annotate('h', CUT);
  await bench.eventually('asked', () => bench.ran.length === asked + 2);
  bench.behaviours.delete('probe a/one');
  bench.start();
  await bench.eventually('settled', bench.isFree());
  expect(answersOf(bench)).toEqual(['Frozen', 'Frozen']);
});

it('a thaw for another reason than the cut waits for no probe', async () => {
  const bench = sharedLock();
  bench.makePod('a', ['one', 'two']);
  bench.makeHook('h', PROBED);
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.behaviours.set('probe', 'hangs');
  bench.deleteHook('h');
  await bench.eventually('gone', bench.isDeleted(), 2_000);
});

it('a deleted pod leaves the answers of the others in doubt', async () => {
  const bench = sharedLock();
  bench.makePod('a');
  bench.makePod('b');
  bench.makeHook('h', PROBED);
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.behaviours.set('probe', { exitCode: 1, ms: 1_000 });
  bench.annotate('h', CUT);
  await bench.eventually('asked', () => bench.ran.at(-1)?.command === 'probe');
  bench.removePod('a');
  await bench.eventually('settled', bench.isFree());
  const [, other] = answersOf(bench);
  expect(other).toBe('Unknown');
});
