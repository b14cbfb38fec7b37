import { describe, expect, it } from 'vitest';

import type { LifecycleHook } from '../kinds.ts';
import { checkHook } from './check-hook.ts';
import { checkPodAnnotations, checkPodLabels } from './check-hook.ts';
import { ANNOTATIONS_MAX, HOOK_BYTES_MAX, LABELS_MAX } from './limits.ts';

const marks = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, 'x']));

describe('the limits of a hook', () => {
  it.each([
    ['labels', checkPodLabels, LABELS_MAX],
    ['annotations', checkPodAnnotations, ANNOTATIONS_MAX],
  ])('allow exactly the most %s', (field, check, max) => {
    expect(check(field, marks(max))).toEqual([]);
    expect(check(field, marks(max + 1))).toMatchObject([{ field }]);
  });

  it('allow exactly the most bytes', () => {
    const hookOf = (bytes: number): LifecycleHook => {
      const empty = { execNewPod: { containerName: 'app', command: [''] } };
      const rest = bytes - JSON.stringify(empty).length;
      return { execNewPod: { ...empty.execNewPod, command: ['x'.repeat(rest)] } };
    };
    const sizeProblems = (bytes: number): unknown[] =>
      checkHook('hook', hookOf(bytes)).filter(({ field }) => field === 'hook');
    expect(sizeProblems(HOOK_BYTES_MAX)).toEqual([]);
    expect(sizeProblems(HOOK_BYTES_MAX + 1)).toHaveLength(1);
  });
});
