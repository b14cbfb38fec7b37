import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts the patterns that a new program compiles for this output. Each hook of a container starts such a program. */
async function patternsCompiledFor(output: string): Promise<number> {
  vi.resetModules();
  const compile = vi.spyOn(globalThis, 'RegExp');
  const { makeMasker } = await import('./secrets.ts');
  const masker = makeMasker([]);
  const stream = masker.stream();
  const shown = stream.push(output) + stream.end() + masker.text('');
  const compiled = compile.mock.calls.length;
  expect(shown).toBe(output);
  return compiled;
}

test('a hook that prints nothing costs no pattern', async () => {
  expect(await patternsCompiledFor('')).toBe(0);
});

test('a hook that prints what no secret looks like costs no pattern', async () => {
  expect(await patternsCompiledFor('mounted /dev/sda1\nready')).toBe(0);
});
