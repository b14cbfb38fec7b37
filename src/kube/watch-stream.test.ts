import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readLines } from './watch-stream.ts';

async function linesOf(chunks: readonly Uint8Array[], maxLength = 1_000): Promise<string[]> {
  const body = (async function* feed(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  })();
  const lines: string[] = [];
  for await (const line of readLines(body, maxLength)) lines.push(line);
  return lines;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('readLines', () => {
  it('yields the same lines however the bytes are split into chunks', async () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => !one.includes('\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(400)), async (lines, cuts) => {
        const whole = bytes(lines.map((one) => `${one}\n`).join(''));
        const places = [0, ...cuts.filter((cut) => cut < whole.length), whole.length].toSorted(
          (a, b) => a - b,
        );
        const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
        expect(await linesOf(chunks)).toEqual(lines);
      }),
    );
  });

  it('rejects a stream that ends within a line, after it yielded the lines before', async () => {
    const got: string[] = [];
    const reading = (async (): Promise<void> => {
      const body = (async function* feed(): AsyncGenerator<Uint8Array> {
        yield bytes('{"a":1}\n{"b"');
      })();
      for await (const line of readLines(body, 100)) got.push(line);
    })();
    await expect(reading).rejects.toThrow(/ended within a line/);
    expect(got).toEqual(['{"a":1}']);
  });

  it('rejects a line beyond the limit, with or without its line break', async () => {
    await expect(linesOf([bytes('1234\n')], 3)).rejects.toThrow(/longer than 3/);
    await expect(linesOf([bytes('12'), bytes('34')], 3)).rejects.toThrow(/longer than 3/);
    expect(await linesOf([bytes('12'), bytes('3\n')], 3)).toEqual(['123']);
  });
});
