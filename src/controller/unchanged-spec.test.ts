import { expect, it } from 'vitest';

import { hasFirstSpec } from './unchanged-spec.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

it.each([
  ['as it was created', { generation: 1 }, true],
  ['changed once', { generation: 2 }, false],
  ['deleted', { generation: 2, deletionTimestamp }, true],
  ['changed and deleted', { generation: 3, deletionTimestamp }, false],
  ['of a server that counts nothing', {}, true],
])(
  'an object %s is distinguished from a changed one by its generation',
  (_, metadata, expected) => {
    expect(hasFirstSpec({ metadata })).toBe(expected);
  },
);
