import { describe, expect, test } from 'vitest';

import { mayEnter } from './let-enter.ts';

describe('mayEnter', () => {
  const user = { uid: 1_000, gid: 1_000, groups: [2_000] };

  test.each([
    [{ mode: 0o700, uid: 1_000, gid: 0 }, true],
    [{ mode: 0o077, uid: 1_000, gid: 0 }, false],
    [{ mode: 0o710, uid: 0, gid: 1_000 }, true],
    [{ mode: 0o701, uid: 0, gid: 1_000 }, false],
    [{ mode: 0o710, uid: 0, gid: 2_000 }, true],
    [{ mode: 0o711, uid: 0, gid: 0 }, true],
    [{ mode: 0o766, uid: 0, gid: 0 }, false],
  ])('returns for a directory with %o: %s', (folder, allowed) => {
    expect(mayEnter(folder, user)).toBe(allowed);
  });

  test('allows root in every directory', () => {
    expect(mayEnter({ mode: 0, uid: 7, gid: 7 }, { uid: 0, gid: 0, groups: [] })).toBe(true);
  });
});
