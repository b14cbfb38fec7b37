import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';

import { type HookStand, hookStand } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { fuzzEnvFile, fuzzSetEnv } from '../../../../test/fuzz/hook-values.ts';
import type { Processes } from '../../../platform/platform.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';

const RUNS = 300;

test('the readers of env files and set-env lines never throw or set a denied name', () => {
  fuzzEnvFile({ runs: RUNS });
  fuzzSetEnv({ runs: RUNS });
});

const stands: HookStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

/** A process that prints these pieces and succeeds. The test varies the output, so no real process is needed. */
function printing(
  pieces: readonly { readonly to: 'stdout' | 'stderr'; readonly text: string }[],
): Processes {
  return {
    spawn: ({ onOutput }) => {
      const exited = Promise.resolve().then(() => {
        for (const { to, text } of pieces) onOutput?.(to, text, text.length);
        return { code: 0, signal: null };
      });
      return { pid: 1, exited, signalGroup: () => undefined, groupAlive: () => false };
    },
  };
}

const text = fc
  .array(
    fc.constantFrom('::set-env name=FOO::1\n', '::set-env name=A::', 'FOO=1\n', 'x', '\n', '::'),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));
const pieces = fc.array(
  fc.record({ to: fc.constantFrom('stdout' as const, 'stderr' as const), text }),
  {
    maxLength: 5,
  },
);

test('a hook sets no variable by printing to stderr, or to stdout without stdoutCommands', async () => {
  const property = fc.asyncProperty(pieces, fc.boolean(), async (printed, opened) => {
    const output = opened ? printed.filter(({ to }) => to === 'stderr') : printed;
    const s = hookStand({ platform: { ...nodePlatform, processes: printing(output) } });
    stands.push(s);
    const result = await s.run([shell('', { policy: { stdoutCommands: opened } })]);
    expect(result.exitCode).toBe(0);
    expect(s.context.values.environment()).toEqual({});
  });
  await fc.assert(property, { numRuns: 40 });
});
