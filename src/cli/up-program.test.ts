import { build } from 'esbuild';
import process from 'node:process';
import { afterEach, expect, it, vi } from 'vitest';

import { runProgram } from './program.ts';
import { runUpProgram } from './up-program.ts';

/** Maximum bytes: a tenth of the whole program. */
const BYTES_MAX = 350_000;

afterEach(() => {
  vi.restoreAllMocks();
});

async function run(
  program: typeof runProgram,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  let output = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      output += String(text);
      return true;
    });
  }
  const code = await program(args);
  vi.restoreAllMocks();
  return { code, output };
}

it.each([
  [['up', '--help']],
  [['up', '--runer', 'runc']],
  [['up', '--runner', 'docker']],
  [['up', '--cluster', 'A b']],
  [['up', '--port', '70000']],
  [['up', 'more']],
])('answers %j as the whole program does', async (args) => {
  const answer = await run(runUpProgram, args);
  expect(answer.output).not.toBe('');
  expect(answer).toEqual(await run(runProgram, args));
});

it('is a tenth of the whole program, with all that `up` imports', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/cli/up-program.ts'],
    bundle: true,
    external: ['@kubernetes/client-node'],
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  expect(outputFiles[0]?.contents.length).toBeLessThan(BYTES_MAX);
});
