import { describe, expect, it } from 'vitest';

import { snapshotOf } from './create.ts';
import { parseSeconds } from '../shared-options.ts';
import { collectClaims, parseLabels, parseRecipe } from './request-options.ts';

describe('the options of a snapshot', () => {
  it('create an ApplicationSnapshot with claims, a recipe and selectors', () => {
    const made = snapshotOf('s', 'shop', {
      claim: collectClaims('wal', collectClaims('data')),
      recipe: parseRecipe('mariadb-lock,user=backup,password-file=/a=b'),
      pods: parseLabels('app=shop,tier=db'),
      container: 'db',
      class: 'fast',
      cutDeadline: 20,
    });
    expect(made?.spec).toEqual({
      source: { persistentVolumeClaimNames: ['data', 'wal'] },
      mode: 'Single',
      volumeSnapshotClassName: 'fast',
      cutDeadlineSeconds: 20,
      executionHookInfos: [
        {
          recipe: { name: 'mariadb-lock', parameters: { user: 'backup', 'password-file': '/a=b' } },
          podSelector: { matchLabels: { app: 'shop', tier: 'db' } },
          containerSelector: { ContainerName: 'db' },
        },
      ],
    });
  });

  it('create a group snapshot, and one without hooks', () => {
    const made = snapshotOf('s', 'shop', { selector: { app: 'shop' }, group: true, class: 'g' });
    expect(made?.spec).toEqual({
      source: { selector: { matchLabels: { app: 'shop' } } },
      mode: 'Group',
      volumeGroupSnapshotClassName: 'g',
    });
  });

  it('create no snapshot without a source', () => {
    expect(snapshotOf('s', 'shop', { template: 't' })).toBeNull();
  });

  it.each([
    ['labels without a value', () => parseLabels('app')],
    ['a recipe without a name', () => parseRecipe('user=backup')],
    ['a recipe with half a parameter', () => parseRecipe('x,user')],
    ['no seconds', () => parseSeconds('0')],
    ['half a second', () => parseSeconds('0.5')],
  ])('refuse %s', (_, parse) => {
    expect(parse).toThrow(/required|must (be|come first)/u);
  });
});
