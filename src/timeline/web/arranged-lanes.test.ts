import { describe, expect, it } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import type { Bar } from '../bar.ts';
import { arrangedLanes, type ArrangeOptions, TROUBLE_FIRST } from './arranged-lanes.ts';
import { lanesOf } from './lanes.ts';

const options: ArrangeOptions = { ...TROUBLE_FIRST, isSearching: false, selected: null };

/** One span on a track of its own, from `startMs` to one millisecond later. */
const on = (lane: string, startMs: number, more: Partial<Bar> = {}): Bar =>
  sampleBar(lane, { lane, startMs, endMs: startMs + 1, ...more });

const idle = (count: number, more: Partial<Bar> = {}): Bar[] =>
  Array.from({ length: count }, (_, index) => on(`idle-${index}`, index, more));

const frozen = { kind: 'frozen', endMs: null } as const;
const failed = { outcome: 'Failed' } as const;

function shown(bars: readonly Bar[], more: Partial<ArrangeOptions> = {}): string[] {
  return arrangedLanes(lanesOf(bars), { ...options, ...more }).map(
    ({ lifecycle, lanes, folded }) =>
      `${lifecycle}: ${lanes.map(({ name }) => name).join(' ')} +${folded}`,
  );
}

describe('arrangedLanes', () => {
  it('shows frozen tracks first, then failed, running and earlier failed ones, then idle ones', () => {
    const bars = [
      on('a-idle', 1),
      on('b-earlier', 1, { ...failed, run: 'one' }),
      { ...on('b-earlier', 5, { run: 'two' }), id: 'b2' },
      on('c-running', 1, { endMs: null, outcome: 'Running' }),
      on('d-failed', 1, failed),
      on('e-frozen', 1, frozen),
    ];
    expect(shown(bars)).toEqual(['pod: e-frozen d-failed c-running b-earlier a-idle +0']);
  });

  it('shows the group with the worst track first', () => {
    const bars = [
      on('web', 9, { lifecycle: 'pipeline' }),
      on('api', 9, { lifecycle: 'rollout', ...failed }),
      on('db', 1, { lifecycle: 'snapshot', ...frozen }),
    ];
    expect(shown(bars)).toEqual(['snapshot: db +0', 'rollout: api +0', 'pipeline: web +0']);
  });

  it('shows a frozen track first among 2 000 others, even where its group is collapsed', () => {
    const bars = [...idle(2_000), ...idle(1, { ...frozen, lane: 'zz', id: 'zz' })];
    const [group] = arrangedLanes(lanesOf(bars), { ...options, collapsed: ['pod'] });
    expect(group?.lanes.map(({ name }) => name)).toEqual(['zz']);
    expect(group).toMatchObject({ total: 2_001, frozen: 1, isCollapsed: true });
  });

  it('folds idle tracks beyond the five that were active last', () => {
    expect(shown(idle(9))).toEqual(['pod: idle-4 idle-5 idle-6 idle-7 idle-8 +4']);
    expect(shown(idle(6))).toEqual(['pod: idle-0 idle-1 idle-2 idle-3 idle-4 idle-5 +0']);
    const bad = Array.from({ length: 9 }, (_, index) => on(`bad-${index}`, index, failed));
    expect(shown(bad)[0]).toContain('bad-0 bad-1');
  });

  it('shows all idle tracks when a group is unfolded, sorted otherwise, or searched', () => {
    const all = 'pod: idle-0 idle-1 idle-2 idle-3 idle-4 idle-5 idle-6 idle-7 +';
    expect(shown(idle(8), { unfolded: ['pod'] })).toEqual([`${all}3`]);
    expect(shown(idle(8), { order: 'name' })).toEqual([`${all}0`]);
    expect(shown(idle(8), { isSearching: true })).toEqual([`${all}0`]);
  });

  it('shows the selected track, though it is folded or its group is collapsed', () => {
    expect(shown(idle(9), { selected: 'pod idle-0' })[0]).toContain('pod: idle-0 idle-4');
    expect(shown(idle(9), { selected: 'pod idle-0', collapsed: ['pod'] })[0]).toContain(
      'pod: idle-0 +',
    );
  });

  it('does not count the selected track as a folded one, since it is shown', () => {
    expect(shown(idle(9), { selected: 'pod idle-0' })).toEqual([
      'pod: idle-0 idle-4 idle-5 idle-6 idle-7 idle-8 +3',
    ]);
  });

  it('sorts by the last activity on request', () => {
    const bars = [...idle(3), on('first', 99, { lifecycle: 'container' })];
    expect(shown(bars, { order: 'newest' })).toEqual([
      'container: first +0',
      'pod: idle-2 idle-1 idle-0 +0',
    ]);
  });
});
