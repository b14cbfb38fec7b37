import { describe, expect, test } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import type { Bar } from '../bar.ts';
import { arrangedLanes, TROUBLE_FIRST } from './arranged-lanes.ts';
import { lanesOf } from './lanes.ts';
import { heightOf, placedBetween, placeLanes } from './placed-lanes.ts';

const bar = (
  id: string,
  [startMs, endMs]: readonly [number, number | null],
  more: Partial<Bar> = {},
): Bar => sampleBar(id, { startMs, endMs, ...more });

describe('tracks', () => {
  test('are one for each target of each lifecycle, pipelines first, numbers in numeric order', () => {
    const lanes = lanesOf([
      bar('1', [0, 1], { lane: 'db-10' }),
      bar('2', [0, 1], { lane: 'db-9' }),
      bar('3', [0, 1], { lane: 'db-9', lifecycle: 'pipeline' }),
    ]);
    expect(lanes.map(({ lifecycle, name }) => `${lifecycle} ${name}`)).toEqual([
      'pipeline db-9',
      'pod db-9',
      'pod db-10',
    ]);
  });

  test('have as many rows as hooks that overlap', () => {
    const [lane] = lanesOf([
      bar('b', [5, 15]),
      bar('a', [0, 10]),
      bar('c', [10, 20]),
      bar('d', [16, null]),
    ]);
    const rows = lane?.hooks.map(({ bars }) => bars.map(({ id }) => id).join(''));
    expect(rows).toEqual(['ac', 'bd']);
    expect(lane?.bars.map(({ id }) => id).join('')).toBe('abcd');
  });

  test('have at most twelve rows, however many spans overlap', () => {
    const [lane] = lanesOf(Array.from({ length: 40 }, (_, index) => bar(`${index}`, [index, 100])));
    expect(lane?.hooks).toHaveLength(12);
    expect(lane?.hooks.flatMap(({ bars }) => bars)).toHaveLength(40);
  });

  test('have nested phases below the outer phase, even where both begin at once', () => {
    const phase = { kind: 'phase' } as const;
    const [lane] = lanesOf([
      bar('a-inner', [0, 4], phase),
      bar('b-inner', [4, 9], phase),
      bar('whole', [0, null], phase),
    ]);
    const rows = lane?.phases.map(({ bars }) => bars.map(({ id }) => id).join(' '));
    expect(rows).toEqual(['whole', 'a-inner b-inner']);
  });

  test('show whether their target is frozen now', () => {
    const frozen = { kind: 'frozen' } as const;
    expect(lanesOf([bar('a', [0, null], frozen)])[0]?.isFrozen).toBe(true);
    expect(lanesOf([bar('a', [0, 5], frozen), bar('b', [6, null])])[0]?.isFrozen).toBe(false);
  });
});

describe('the position of a track', () => {
  const options = { ...TROUBLE_FIRST, order: 'name', isSearching: false, selected: null } as const;
  const lanes = lanesOf(
    Array.from({ length: 500 }, (_, index) => bar(`${index}`, [0, 1], { lane: `lane-${index}` })),
  );
  const groups = arrangedLanes(lanes, options);
  const placed = placeLanes(groups, 'beside');

  test('is directly below the previous one, under a heading for its lifecycle', () => {
    expect(placed[0]).toMatchObject({
      kind: 'heading',
      group: { lifecycle: 'pod', total: 500 },
      y: 0,
    });
    placed.slice(1).forEach(({ y }, index) => {
      expect(y).toBe((placed[index]?.y ?? 0) + (placed[index]?.heightPx ?? 0));
    });
  });

  test('selects only the few tracks that are within the visible area', () => {
    const visible = placedBetween(placed, 5_000, 5_800);
    expect(visible.length).toBeLessThan(30);
    expect(visible[0]?.y).toBeLessThanOrEqual(5_000);
    expect((visible.at(-1)?.y ?? 0) + (visible.at(-1)?.heightPx ?? 0)).toBeGreaterThanOrEqual(
      5_800,
    );
    expect(placedBetween(placed, heightOf(placed) + 1, 1e9)).toEqual([]);
  });

  test('leaves space for the name on a narrow screen', () => {
    expect(heightOf(placeLanes(groups, 'above'))).toBeGreaterThan(heightOf(placed));
  });

  test('is taller for a track with phases and freeze windows, each above the hooks', () => {
    const own = lanesOf([
      bar('a', [0, 9]),
      bar('b', [0, 9], { kind: 'phase' }),
      bar('c', [2, 3], { kind: 'frozen' }),
    ]);
    const [, lane] = placeLanes(arrangedLanes(own, options), 'beside');
    expect(lane).toMatchObject({ bands: { phasesY: 7, frozenY: 24, hooksY: 41 }, heightPx: 70 });
  });

  test('ends each group with a row for its folded tracks, unless the group is collapsed', () => {
    const folded = { ...options, order: 'trouble' } as const;
    const kinds = (collapsed: readonly 'pod'[]): readonly string[] =>
      placeLanes(arrangedLanes(lanes, { ...folded, collapsed }), 'beside').map(({ kind }) => kind);
    expect(kinds([])).toEqual(['heading', 'lane', 'lane', 'lane', 'lane', 'lane', 'fold']);
    expect(kinds(['pod'])).toEqual(['heading']);
  });
});
