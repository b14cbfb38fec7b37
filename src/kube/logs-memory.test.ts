import { describe, expect, it } from 'vitest';

import { LogMemory, readStamp, type Stamp, timesMax } from './logs-memory.ts';

function stamp(time: string): Stamp {
  const read = readStamp(Buffer.from(`2026-05-01T10:00:${time}Z text`));
  if (read === null) throw new Error(`no time: ${time}`);
  return read;
}

describe('LogMemory', () => {
  it('has the same key for one time in any notation, and rejects an invalid time', () => {
    const spellings = ['2026-05-01T10:00:00.1Z x', '2026-05-01T12:00:00.100000000+02:00 y'];
    const keys = spellings.map((line) => readStamp(Buffer.from(line))?.key);
    expect(new Set(keys).size).toBe(1);
    expect(readStamp(Buffer.from('2026-99-01T10:00:00Z x'))).toBeNull();
  });

  it('forgets lines that cannot be sent again', () => {
    const memory = new LogMemory();
    for (const time of ['01.1', '02.1', '09.1']) expect(memory.take(stamp(time))).toBe(true);
    expect(memory.size).toBe(1);
    expect(memory.resumeFrom()).toBe('2026-05-01T10:00:08.000Z');
    expect(memory.take(stamp('09.1'))).toBe(false);
    expect(memory.take(stamp('09.1'))).toBe(true);
  });

  it('keeps a bounded number of times, and still repeats no line of a flood within a second', () => {
    const memory = new LogMemory();
    const count = timesMax + 50;
    const nth = (index: number): Stamp => stamp(`01.${String(index).padStart(9, '0')}`);
    for (let index = 0; index < count; index += 1) memory.take(nth(index));
    expect(memory.size).toBe(timesMax);
    memory.resumeFrom();
    let repeated = 0;
    for (let index = 0; index < count; index += 1) if (memory.take(nth(index))) repeated += 1;
    expect(repeated).toBe(0);
    expect(memory.take(nth(count))).toBe(true);
  });
});
