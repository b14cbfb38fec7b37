/** The spec of a snapshot at admission (SNAP-R1, SNAP-R11, SNAP-R30, SNAP-CASE38). */
import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { ApplicationSnapshotSpec } from '../kinds.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { judgeSnapshotSpec } from './validate.ts';

const list = (length: number): string[] => Array.from({ length }, (_, at) => `c${at}`);
const source = { persistentVolumeClaimNames: ['data'] };
const selector = { matchLabels: { app: 'db' } };
const of = (spec: Partial<ApplicationSnapshotSpec>): string[] =>
  judgeSnapshotSpec({ source, ...spec }, resolveRecipe).errors.map(fieldProblemMessage);
const claims = (names: string[]): string[] => of({ source: { persistentVolumeClaimNames: names } });
const infos = (count: number) => list(count).map((name) => ({ executionHookTemplateName: name }));
const window = { guardName: 'db', freezeTimeoutSeconds: 10, holdOpenSeconds: 0 };
const info = (more: object): string[] => of({ executionHookInfos: [more] });

describe('a snapshot', () => {
  it('accepts what the limits allow', () => {
    expect([
      of({}),
      of({ mode: 'Single', cutSignal: 'readyToUse', cutDeadlineSeconds: 3_600 }),
      of({ cutSignal: 'creationTime', cutDeadlineSeconds: 1, volumeSnapshotClassName: 'fast' }),
      claims(list(100)),
      of({ executionHookInfos: infos(100) }),
      of({ mode: 'Group', source: { selector }, volumeGroupSnapshotClassName: 'groups' }),
      of({ window, executionHookInfos: infos(1) }),
    ]).toEqual([[], [], [], [], [], [], []]);
  });

  it.each<[string, () => string[], string]>([
    ['no source', () => of({ source: {} }), 'spec.source: Required value: give exactly one of'],
    [
      'two sources',
      () => of({ source: { ...source, selector } }),
      'spec.source.selector: Forbidden: give exactly one of',
    ],
    [
      'no claim',
      () => claims([]),
      'spec.source.persistentVolumeClaimNames: Invalid value: []: must have at least 1 items',
    ],
    [
      'too many claims',
      () => claims(list(101)),
      'spec.source.persistentVolumeClaimNames: Invalid value: 101: must have at most 100 items',
    ],
    [
      'a claim twice',
      () => claims(['a', 'a']),
      'spec.source.persistentVolumeClaimNames[1]: Duplicate value',
    ],
    [
      'a name that no claim can have',
      () => claims(['A B']),
      'spec.source.persistentVolumeClaimNames[0]: Invalid value',
    ],
    [
      'a selector without a label',
      () => of({ source: { selector: {} } }),
      'spec.source.selector.matchLabels: Required value',
    ],
    [
      'matchExpressions, which the snapshotter ignores',
      () => of({ source: { selector: { ...selector, matchExpressions: [] } } }),
      'spec.source.selector.matchExpressions: Forbidden: group snapshots ignore matchExpressions',
    ],
    [
      'a window without hooks, which admits what nothing has frozen',
      () => of({ window, executionHookInfos: [] }),
      'spec.window: Forbidden: a window of a guard creates no snapshots',
    ],
    ['an unknown mode', () => of({ mode: 'All' as 'Group' }), 'spec.mode: Unsupported value'],
    [
      'an unknown cut signal',
      () => of({ cutSignal: 'soon' as 'readyToUse' }),
      'spec.cutSignal: Unsupported value',
    ],
    [
      'a deadline of no time',
      () => of({ cutDeadlineSeconds: 0 }),
      'spec.cutDeadlineSeconds: Invalid value',
    ],
    [
      'a deadline that is too long',
      () => of({ cutDeadlineSeconds: 3_601 }),
      'spec.cutDeadlineSeconds: Invalid value',
    ],
    [
      'a name that no class can have',
      () => of({ volumeSnapshotClassName: 'A B' }),
      'spec.volumeSnapshotClassName: Invalid value',
    ],
    [
      'a group of named claims',
      () => of({ mode: 'Group' }),
      'spec.source.selector: Required value: mode Group selects its claims by labels',
    ],
    [
      'a class of single snapshots for a group',
      () => of({ mode: 'Group', source: { selector }, volumeSnapshotClassName: 'fast' }),
      'spec.volumeSnapshotClassName: Forbidden: mode Group does not use volumeSnapshotClassName: give volumeGroupSnapshotClassName instead',
    ],
    [
      'a class of groups for single snapshots',
      () => of({ volumeGroupSnapshotClassName: 'groups' }),
      'spec.volumeGroupSnapshotClassName: Forbidden: it is for mode Group',
    ],
    [
      'too many hooks',
      () => of({ executionHookInfos: infos(101) }),
      'spec.executionHookInfos: Invalid value: 101: must have at most 100 items',
    ],
    [
      'a hook without actions',
      () => info({}),
      'spec.executionHookInfos[0].executionHookTemplateName: Required value: name a template, or a recipe',
    ],
    [
      'a name that no template can have',
      () => info({ executionHookTemplateName: 'A B' }),
      'spec.executionHookInfos[0].executionHookTemplateName: Invalid value',
    ],
    [
      'a template and a recipe',
      () => info({ executionHookTemplateName: 'db', recipe: { name: 'mariadb-lock' } }),
      'spec.executionHookInfos[0].recipe: Forbidden: the template sets this',
    ],
    [
      'an unknown recipe',
      () => info({ recipe: { name: 'nothing' } }),
      'spec.executionHookInfos[0].recipe',
    ],
    [
      'a hook for an empty list',
      () => info({ executionHookTemplateName: 'db', podContainerNamesList: [] }),
      'spec.executionHookInfos[0].podContainerNamesList: Invalid value: []: must have at least 1 items',
    ],
  ])('refuses %s', (_, find, message) => {
    const found = find();
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(message)).toBe(true);
  });
});
