import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { crc32, decodeJournal, encodeLine, encodeValue } from './journal-line.ts';

const line = (...values: unknown[]): string => encodeLine(values.map(encodeValue));
const first = line({ n: 1 }, { n: 2 });
const second = line({ n: 3 });

function refusalOf(content: string): string {
  try {
    return `decoded: ${JSON.stringify(decodeJournal(content, '/data/journal.jsonl'))}`;
  } catch (error) {
    return String(error);
  }
}

describe('a journal', () => {
  it('decodes every encoded JSON value, and is ASCII', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.jsonValue(), { minLength: 1 })), (batches) => {
        const content = batches.map((batch) => line(...batch)).join('');
        expect(content).toMatch(/^[\n -~]*$/);
        const expected: unknown = JSON.parse(JSON.stringify(batches.flat()));
        expect(decodeJournal(content, 'j')).toEqual(expected);
      }),
    );
  });

  it('is one JSON object per line', () => {
    expect(JSON.parse(first)).toEqual({ v: 1, sum: '60b5ab40', batch: [{ n: 1 }, { n: 2 }] });
  });

  it('escapes what is not ASCII, each UTF-16 unit with four digits', () => {
    expect(encodeValue('\u0080é\u{1F600}')).toBe(String.raw`"\u0080\u00e9\ud83d\ude00"`);
    expect(decodeJournal(line('\u0080é\u{1F600}'), 'j')).toEqual(['\u0080é\u{1F600}']);
  });

  it('decodes an empty file to no values', () => {
    expect(decodeJournal('', 'j')).toEqual([]);
  });

  it('drops a torn last line, torn at any byte', () => {
    for (let length = 0; length < second.length; length += 1) {
      expect(decodeJournal(first + second.slice(0, length), 'j')).toEqual([{ n: 1 }, { n: 2 }]);
    }
  });

  it('drops a last line with any byte changed', () => {
    fc.assert(
      fc.property(fc.nat(second.length - 2), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        fc.pre(byte !== second.charCodeAt(at) && byte !== 0x0a);
        const damaged = second.slice(0, at) + String.fromCharCode(byte) + second.slice(at + 1);
        fc.pre(!damaged.startsWith('{"v":') || damaged.startsWith('{"v":1,'));
        expect(decodeJournal(first + damaged, 'j')).toEqual([{ n: 1 }, { n: 2 }]);
      }),
    );
  });

  it('is refused with file and line when a line before the last is damaged', () => {
    const content = `${second}${first.replace('2', '4')}${second}`;
    expect(refusalOf(content)).toBe(
      'LifehookError: /data/journal.jsonl:2:1: error LHE007: This line does not match its checksum: the journal is damaged. ' +
        'Next: Check the disk; then restore the file from a backup, or move it away to begin with an empty history ' +
        '(unfinished runs are then not resumed).',
    );
  });

  it('is refused when a newer version has written it', () => {
    expect(refusalOf(first.replace('"v":1', '"v":2'))).toBe(
      'LifehookError: error LHE012: /data/journal.jsonl is a journal of version 2; this Lifehook reads version 1. ' +
        'Next: Use the newer Lifehook that wrote it, or another directory.',
    );
  });
});

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
