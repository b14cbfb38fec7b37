import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { artifactIn } from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { Artifact } from '../config/model.ts';
import { buildOrder } from './build-order.ts';
import { type OrderedWork, runInOrder } from './run-in-order.ts';

function needs(image: string, ...required: string[]): Artifact {
  return artifactIn('/p', image, { requires: required.map((one) => ({ image: one, alias: one })) });
}

const images = (artifacts: readonly Artifact[]): string[] => artifacts.map(({ image }) => image);

describe('the order of builds', () => {
  test('is the order in the file, with each required image before its dependents', () => {
    const all = [needs('web', 'base'), needs('api'), needs('base')];
    expect(images(buildOrder(all, []))).toEqual(['base', 'web', 'api']);
    expect(images(buildOrder(all, ['web']))).toEqual(['base', 'web']);
  });

  test.each([
    [[needs('a', 'b'), needs('b', 'c'), needs('c', 'a')], [], 'a requires b requires c requires a'],
    [[needs('a', 'a')], [], 'a requires a'],
    [[needs('a', 'x')], [], 'a requires x, which is not one of the images: a'],
    [[needs('a')], ['y'], 'y was requested, but is not one of the images: a'],
  ])('is refused for a cycle or an unknown image (row %#)', (all, wanted, message) => {
    expect(() => buildOrder(all, wanted)).toThrow(message);
  });
});

/** Waits for this number of turns of the event loop. Work that waits for more turns ends later on any machine. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

describe('runInOrder', () => {
  const item = (key: string, ...requires: string[]): OrderedWork<string> => ({
    key,
    requires,
    value: key,
  });

  /** The events of the run, in order. The task "bad" fails. */
  async function ran(work: readonly OrderedWork<string>[], concurrency: number): Promise<string[]> {
    const seen: string[] = [];
    await runInOrder(work, {
      concurrency,
      run: async (key) => {
        seen.push(`${key} begins`);
        await turns(key === 'slow' ? 30 : 3);
        seen.push(`${key} ends`);
        return key !== 'bad';
      },
      succeeded: (ok) => ok,
    });
    return seen;
  }

  test('starts an item once the items that it requires have ended, up to the concurrency limit', async () => {
    expect(await ran([item('web', 'base'), item('base'), item('slow')], 2)).toEqual([
      'base begins',
      'slow begins',
      'base ends',
      'web begins',
      'web ends',
      'slow ends',
    ]);
  });

  test('runs items one by one with concurrency 1, and all in parallel with concurrency 0', async () => {
    const work = ['a', 'b', 'c'].map((key) => item(key));
    const begins = (seen: string[]): number[] =>
      seen.flatMap((one, index) => (one.endsWith('begins') ? [index] : []));
    expect(begins(await ran(work, 1))).toEqual([0, 2, 4]);
    expect(begins(await ran(work, 0))).toEqual([0, 1, 2]);
  });

  test('PIPE-CASE43: starts no further item after a failure, and waits for running items', async () => {
    const work = [item('bad'), item('slow'), item('next', 'bad'), item('other', 'slow')];
    expect(await ran(work, 2)).toEqual(['bad begins', 'slow begins', 'bad ends', 'slow ends']);
  });

  test('rejects with the error of an item only after the running items have ended', async () => {
    let ended = false;
    const run = async (key: string): Promise<boolean> => {
      if (key === 'throws') throw new Error('our mistake');
      await turns(10);
      ended = true;
      return true;
    };
    const work = [item('throws'), item('slow')];
    const running = runInOrder(work, { concurrency: 0, run, succeeded: (ok) => ok });
    await expect(running).rejects.toThrow('our mistake');
    expect(ended).toBe(true);
  });
});
