import { describe, expect, it } from 'vitest';

import { Faults, type Strike } from './faults.ts';
import { lifecycles, type Simulation, type SimResult } from './lifecycles.ts';
import { Random } from './random.ts';
import { shrink } from './shrink.ts';
import { World } from './world.ts';

/**
 * A simulation with ten strikes of each of three kinds. A kill after two seconds and a later full disk violate the
 * invariant.
 */
const broken: Simulation = async (seed, trace, faults) => {
  const world = new World(trace, faults);
  const dice = new Random(seed);
  let isKilled = false;
  for (const kind of ['kill', 'full', 'clock set']) {
    const random = dice.fork(kind);
    for (let left = 10; left > 0; left -= 1) {
      world.after(random.between(0, 9_999), () => {
        if (!world.faults.strikes(kind, random)) return;
        world.note(`${kind} ${random.between(0, 99)}`);
        isKilled ||= kind === 'kill' && world.elapsedMs >= 2_000;
        if (isKilled && kind === 'full') world.violate('SNAP-I1', 'nothing is left');
      });
    }
  }
  await world.runUntil(() => false, 1_000);
  return { violation: world.violation, traceHash: world.traceHash };
};

async function replayed(
  simulate: Simulation,
  seed: number,
  focus?: string,
): Promise<[SimResult, SimResult]> {
  const strikes: Strike[] = [];
  const onStrike = (strike: Strike): void => void strikes.push(strike);
  const free = await simulate(seed, undefined, new Faults({ mayFocus: true, focus, onStrike }));
  return [free, await simulate(seed, undefined, new Faults({ only: strikes, focus }))];
}

/** The first seed that fails with this message. */
async function seedOf(simulate: Simulation, message: string): Promise<number> {
  for (let seed = 1; seed < 1_000; seed += 1) {
    if ((await simulate(seed)).violation?.message === message) return seed;
  }
  throw new Error(`no seed fails with ${message}`);
}

describe('shrink', () => {
  it('finds the two faults that an invariant needs to be broken', async () => {
    const shrunk = await shrink(broken, 3);
    expect(shrunk?.violation.invariant).toBe('SNAP-I1');
    expect(shrunk?.before).toBeGreaterThan(5);
    expect(shrunk?.faults.map(({ id }) => id.split(' #')[0])).toEqual(['kill', 'full']);
  });

  it('shrinks the seed with the phase that it is made to concentrate on', async () => {
    const focused: Simulation = async (seed, trace, faults) => {
      faults?.focusOn(['open', 'closed'], new Random(seed));
      return broken(faults?.isFocusedOn('closed') === true ? 3 : 1_000, trace, faults);
    };
    expect((await shrink(focused, 1, 'closed'))?.faults).toEqual((await shrink(broken, 3))?.faults);
  });

  it('keeps the failure of the seed, though fewer faults break the same invariant in another way', async () => {
    const twofold: Simulation = async (seed, trace, faults) => {
      const world = new World(trace, faults);
      const random = new Random(seed);
      const struck = (kind: string): boolean => world.faults.strikes(kind, random.fork(kind));
      const [isKilled, isFull] = [struck('kill'), struck('full')];
      if (isKilled && isFull) world.violate('SNAP-I1', 'hook 1 is lost');
      else if (isKilled) world.violate('SNAP-I1', 'hook 1 runs twice');
      return { violation: world.violation, traceHash: world.traceHash };
    };
    const seed = await seedOf(twofold, 'hook 1 is lost');
    const shrunk = await shrink(twofold, seed);
    expect(shrunk?.violation.message).toBe('hook 1 is lost');
    expect(shrunk?.faults).toHaveLength(2);
  });

  it('has nothing to shrink where nothing is broken', async () => {
    const whole: Simulation = async (...given) => ({
      ...(await broken(...given)),
      violation: null,
    });
    expect(await shrink(whole, 3)).toBeNull();
  });
});

describe('a replay', () => {
  it.each([
    ['snapshot', 'deleting'],
    ['rollout', 'gated'],
  ])('of a seed that is made to concentrate has its trace: %s, %s', async (name, focus) => {
    const simulate = lifecycles[name];
    if (simulate === undefined) throw new Error(`no ${name}`);
    const [free, again] = await replayed(simulate, 2, focus);
    expect(again).toEqual(free);
  });

  it.each(Object.entries(lifecycles))(
    'of all faults of a seed has the same trace as the seed: %s',
    async (_, simulate) => {
      for (const seed of [1, 2, 3, 4, 5]) {
        const [free, again] = await replayed(simulate, seed);
        expect([seed, again]).toEqual([seed, free]);
      }
    },
  );

  it.each(Object.entries(lifecycles))(
    'without any fault holds everything: %s',
    async (_, simulate) => {
      const { violation } = await simulate(1, undefined, new Faults({ only: [] }));
      expect(violation).toBeNull();
    },
  );
});
