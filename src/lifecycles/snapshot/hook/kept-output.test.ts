import { describe, expect, it } from 'vitest';

import { storedTextBytes } from '../../../kube/stored-size.ts';
import { keptOutput, shorterOutput } from './kept-output.ts';

const FULL_BYTES = 50_000;
const MARKER = `… ${FULL_BYTES} bytes in all, the end follows:\n`;

describe('an output that is kept', () => {
  it('gives its full size however often it is shortened, with one marker', () => {
    const printed = `${'<xml>&'.repeat(500)}end`;
    let output = keptOutput(printed, { totalBytes: FULL_BYTES, bytesMax: 1_024 });
    for (const bytesMax of [1_024, 700, 300, 96]) {
      output = shorterOutput(output, bytesMax);
      expect(output.startsWith(MARKER)).toBe(true);
      expect(output.endsWith('end')).toBe(true);
      expect(output.indexOf('bytes in all')).toBe(output.lastIndexOf('bytes in all'));
      expect(storedTextBytes(output)).toBeLessThanOrEqual(bytesMax);
    }
  });

  it('counts its own bytes when it was whole before', () => {
    const output = '&'.repeat(100);
    expect(shorterOutput(output, 600)).toBe(output);
    expect(shorterOutput(output, 200)).toMatch(/^… 100 bytes in all, the end follows:\n&+$/);
  });
});
