import { describe, expect, it } from 'vitest';

import { Faults, type Strike } from './faults.ts';
import { Random } from './random.ts';

function recorded(): { strikes: Strike[]; faults: Faults } {
  const strikes: Strike[] = [];
  const faults = new Faults({ onStrike: (strike) => strikes.push(strike) });
  return { strikes, faults };
}

describe('Faults', () => {
  it('lets everything happen without a list, and numbers it by kind and site', () => {
    const { strikes, faults } = recorded();
    const here = faults.of('full', 'here');
    expect([here.strikes(), here.strikes(), faults.strikes('kill')]).toEqual([true, true, true]);
    expect(strikes.map(({ id }) => id)).toEqual(['full here #1', 'full here #2', 'kill #1']);
  });

  it('numbers a fault by how often it was asked for, not by how often it happened', () => {
    const { strikes, faults } = recorded();
    const dice = new Random(1);
    const full = faults.of('full');
    const hits = Array.from({ length: 200 }, () => full.chance(dice, 0.1));
    const asked = hits.flatMap((hit, index) => (hit ? [`full #${index + 1}`] : []));
    expect(asked.length).toBeGreaterThan(5);
    expect(strikes.map(({ id }) => id)).toEqual(asked);
  });

  it('throws the same dice whether or not a kind is chosen', () => {
    const free = new Random(1);
    const masked = new Random(1);
    const faults = new Faults();
    faults.choose(new Set(['kill']), ['kill', 'full']);
    const full = faults.of('full');
    for (let times = 0; times < 50; times += 1) {
      free.chance(0.5);
      expect(full.chance(masked, 0.5)).toBe(false);
    }
    expect(masked.state).toBe(free.state);
    expect(faults.strikes('kill')).toBe(true);
  });

  it('gives a kept fault the dice that it had when earlier faults are masked', () => {
    const { strikes, faults } = recorded();
    const dice = new Random(1);
    const drawn: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      if (faults.strikes('cut off', dice)) drawn.push(dice.between(0, 1_000_000));
    }
    const [, , last] = strikes;
    const replay = new Faults({ only: last === undefined ? [] : [last] });
    const replayDice = new Random(1);
    const again: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      if (replay.strikes('cut off', replayDice)) again.push(replayDice.between(0, 1_000_000));
    }
    expect(again).toEqual(drawn.slice(2));
  });

  it('never happens with a probability of 0, in a replay neither', () => {
    const dice = new Random(1);
    const replay = new Faults({ only: [{ id: 'full #1', dice: '' }] });
    expect(replay.of('full').chance(dice, 0)).toBe(false);
    expect(replay.of('full').chance(dice, 0.001)).toBe(false);
    const other = new Faults({ only: [{ id: 'full #1', dice: '' }] });
    expect(other.of('full').chance(dice, 0.001)).toBe(true);
  });

  it('has a fault of a moment at its time, however many moments there were before', () => {
    const { strikes, faults } = recorded();
    const dice = new Random(1);
    let nowMs = 0;
    faults.nowMs = () => nowMs;
    const kills = faults.ofMoments('kill', 'in action');
    for (nowMs = 0; nowMs < 100; nowMs += 1) {
      if (kills.chance(dice, 0.05)) break;
      kills.chance(dice, 0.05);
    }
    expect(strikes).toHaveLength(1);
    const replay = new Faults({ only: strikes });
    let replayMs = 0;
    replay.nowMs = () => replayMs;
    const again = replay.ofMoments('kill', 'in action');
    const hits: number[] = [];
    for (replayMs = 0; replayMs < 100; replayMs += 3) {
      if (again.chance(dice, 0.05)) hits.push(replayMs);
    }
    expect(hits).toEqual([Math.ceil(nowMs / 3) * 3]);
  });

  it('reports the phases that a fault met, of the world or of its own', () => {
    const met: [string, readonly string[]][] = [];
    const faults = new Faults({ onMeeting: (kind, phases) => met.push([kind, phases]) });
    faults.phases = () => ['frozen', 'done'];
    faults.strikes('kill');
    faults.of('denied').strikes(null, () => ['frozen']);
    faults.met('cut off');
    expect(met).toEqual([
      ['kill', ['frozen', 'done']],
      ['denied', ['frozen']],
      ['cut off', ['frozen', 'done']],
    ]);
  });
});
