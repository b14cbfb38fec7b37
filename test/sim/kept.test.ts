import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Faults } from './faults.ts';
import { keptSchema } from './kept.ts';
import { lifecycles } from './lifecycles.ts';

const KEPT = Object.keys(lifecycles).flatMap((lifecycle) => {
  const directory = join(import.meta.dirname, lifecycle, 'kept');
  const files = existsSync(directory) ? readdirSync(directory) : [];
  return files.map((file) => {
    const kept = keptSchema.parse(JSON.parse(readFileSync(join(directory, file), 'utf8')));
    return { ...kept, lifecycle };
  });
});

describe('a kept seed with its faults', () => {
  it.each(KEPT)(
    'holds $invariant of $lifecycle: $what',
    async ({ lifecycle, seed, focus, faults }) => {
      const met: string[] = [];
      const replay = new Faults({ only: faults, focus, onStrike: ({ id }) => met.push(id) });
      const result = await lifecycles[lifecycle]?.(seed, undefined, replay);
      expect(result?.violation).toBeNull();
      // A kept test whose faults no longer happen proves nothing. Shrink a failing seed again, or delete the test.
      expect(met.length).toBeGreaterThan(0);
    },
  );
});
