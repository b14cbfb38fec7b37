import { describe, expect, it } from 'vitest';

import { storyOf } from './story.ts';

const RULES = [{ pattern: /^(\S+) is frozen by (\S+)$/, who: 'application', text: '$1, by $2' }];

describe('storyOf', () => {
  it('prints who did what in order, and leaves out lines without a rule', () => {
    const lines = [
      '        0 ms  r0-1 starts',
      '       12 ms  r0-1: list pods ',
      '     1200 ms  p0/db is frozen by s0',
      '     1300 ms  r0-1: status hooks.lifehook.dev ns/s0 (refused)',
    ];
    expect(storyOf(lines, RULES)).toEqual([
      '     0.0 s  process     r0-1 starts',
      '     1.2 s  application p0/db, by s0',
      '     1.3 s  fault       request of r0-1 is refused: status hooks ns/s0',
    ]);
  });

  it('ends with the first invariant that is broken', () => {
    const lines = [
      '     1000 ms  VIOLATION of SNAP-I1: still frozen',
      '     1000 ms  VIOLATION of End: a consequence',
    ];
    expect(storyOf(lines, [])).toEqual(['     1.0 s  BROKEN      SNAP-I1: still frozen']);
  });

  it('says once what stays the same, and has 60 lines at most', () => {
    const same = ['        1 ms  status: hook s0: begun', '        2 ms  status: hook s0: begun'];
    expect(storyOf(same, [])).toHaveLength(1);
    const lines = Array.from({ length: 500 }, (_, index) => `        1 ms  user: creates ${index}`);
    const story = storyOf(lines, []);
    expect(story).toHaveLength(61);
    expect(story[15]).toContain('440 lines');
    expect(story.at(-1)).toContain('creates 499');
  });
});
