import { describe, expect, it } from 'vitest';

import { crc32 } from './crc32.ts';

describe('crc32', () => {
  it('gives the check value of the standard', () => {
    expect(crc32('123456789').toString(16)).toBe('cbf43926');
  });

  it('is 0 for an empty string, but not for a zero byte', () => {
    expect(crc32('')).toBe(0);
    expect(crc32('\0').toString(16)).toBe('d202ef8d');
  });

  it('covers the upper half of the bytes', () => {
    expect(crc32('\u00ff\u00ff\u00ff\u00ff').toString(16)).toBe('ffffffff');
  });
});
