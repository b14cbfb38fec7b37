import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type * as Pieces from './secret-pieces.ts';

let piecesOf: typeof Pieces.piecesOf;
let maskPieces: typeof Pieces.maskPieces;
let pieceStream: typeof Pieces.pieceStream;

// The module caches the pieces of the last secrets, so each test loads it anew.
beforeEach(async () => {
  vi.resetModules();
  ({ piecesOf, maskPieces, pieceStream } = await import('./secret-pieces.ts'));
});

const SECRET = 'Fq7-~x:aZ3+~Fq7-~x:aZ3+~';
const BASE64 = Buffer.from(SECRET).toString('base64');
const HEX = Buffer.from(SECRET).toString('hex');
const [FIRST, TAIL] = [BASE64.slice(0, -5), BASE64.slice(-5)];

function masked(text: string): string {
  return maskPieces(text, piecesOf([SECRET]));
}

function streamed(text: string, length: number): string {
  const stream = pieceStream(() => piecesOf([SECRET]));
  let shown = '';
  for (let at = 0; at < text.length; at += length)
    shown += stream.push(text.slice(at, at + length));
  return shown + stream.end();
}

describe('a secret in base64 that is broken into lines (ENG-S3)', () => {
  it('is masked in words that begin or end with eight characters of it', () => {
    const [eight, seven] = [BASE64.slice(3, 11), BASE64.slice(3, 10)];
    expect(masked(`${eight} ${eight}xyz xyz${eight}`)).toBe('*** *** ***');
    expect(masked(`${seven} ${seven}.xyz ${seven}`)).toBe(`${seven} ${seven}.xyz ${seven}`);
    expect(masked(`xyz${eight}xyz`)).toBe(`xyz${eight}xyz`);
  });

  it('is masked with the line end that echo adds', () => {
    const echoed = Buffer.from(`${SECRET.slice(0, -1)}\n`).toString('base64');
    const pieces = piecesOf([SECRET.slice(0, -1)]);
    expect(maskPieces(`${echoed.slice(0, 20)}\n${echoed.slice(20)}\n`, pieces)).toMatch(
      /^\*{3}\n\*{3}=*\n$/u,
    );
  });

  it.each([3, 5, 7])('is masked in a last line of %d characters that is alone', (length) => {
    const [before, tail] = [BASE64.slice(0, -length), BASE64.slice(-length)];
    for (const end of ['\n', '\r\n']) {
      expect(masked(`${before}${end}${tail}${end}`)).toBe(`***${end}***${end}`);
    }
    expect(masked(`${before}\n${tail}`)).toBe('***\n***');
    expect(masked(`${before}=\n${tail}=`)).toBe('***=\n***=');
    expect(masked(`${before}==\n${tail}==\n`)).toBe('***==\n***==\n');
  });

  it('leaves a line that is too short, is not alone, or does not follow a masked line', () => {
    const others = [
      `\n${BASE64.slice(-2)}\n`,
      `\n${TAIL} x\n`,
      `\n x${TAIL}\n`,
      `\n\n${TAIL}\n`,
      ` ${TAIL}\n`,
      `===\n${TAIL}\n`,
      `\n${TAIL}===\n`,
      `\nword\n`,
    ];
    for (const other of others) expect(masked(`${FIRST}${other}`)).toBe(`***${other}`);
    for (const line of ['*', '**']) expect(masked(`${line}\n${TAIL}\n`)).toBe(`${line}\n${TAIL}\n`);
    expect(masked(`\n${TAIL}\nother\n${TAIL}\n`)).toBe(`\n${TAIL}\nother\n${TAIL}\n`);
  });

  it('is not looked for where its form has fewer than 16 characters', () => {
    const short = Buffer.from('Fq7-~x:aZ3').toString('base64').replace(/=+$/u, '');
    expect(maskPieces(short, piecesOf(['Fq7-~x:aZ3']))).toBe(short);
    const long = Buffer.from('Fq7-~x:aZ3+~').toString('base64');
    expect(long).toHaveLength(16);
    expect(maskPieces(`${long.slice(0, 8)}\n${long.slice(8)}`, piecesOf(['Fq7-~x:aZ3+~']))).toBe(
      '***\n***',
    );
    const echoed = Buffer.from('Fq7-~x:aZ3+\n').toString('base64');
    expect(echoed).toHaveLength(16);
    expect(maskPieces(`${echoed.slice(0, 8)}\n${echoed.slice(8)}`, piecesOf(['Fq7-~x:aZ3+']))).toBe(
      '***\n***',
    );
  });

  it('is masked for each of several secrets, and for new ones after others', () => {
    const other = Buffer.from('another secret of many').toString('base64').slice(0, 16);
    expect(masked(`${FIRST} ${other}`)).toBe(`*** ${other}`);
    expect(maskPieces(`${FIRST} ${other}`, piecesOf([SECRET, 'another secret of many']))).toBe(
      '*** ***',
    );
    expect(piecesOf([]).size).toBe(0);
  });

  it('is masked where an earlier hook had its two halves as secrets', () => {
    const [one, two] = ['first half of one, ', 'second half of it'];
    const overBoth = Buffer.from(one + two)
      .toString('base64')
      .slice(21, 31);
    expect(maskPieces(overBoth, piecesOf([one, two]))).toBe(overBoth);
    expect(maskPieces(overBoth, piecesOf([one + two]))).toBe('***');
  });

  it('is not looked for any more from some 200 000 pieces of secrets on', () => {
    const long = Array.from({ length: 3_000 }, (_, at) => `${at ** 3}`)
      .join('~')
      .slice(0, 16_000);
    const secrets = [1, 2, 3, 4].map((shift) =>
      long.replaceAll(/\d/g, (digit) => 'abcdefghijklmnop'[Number(digit) + shift] ?? ''),
    );
    const pieces = piecesOf([SECRET, ...secrets]);
    expect(pieces.size).toBeLessThanOrEqual(200_000);
    expect(pieces.size).toBeGreaterThan(150_000);
    expect(maskPieces(FIRST, pieces)).toBe('***');
  });
});

describe('a secret in hexadecimal that is broken into lines (ENG-S3)', () => {
  it('is masked in words that begin or end with four of its bytes', () => {
    for (const hex of [HEX, HEX.toUpperCase()]) {
      expect(masked(`${hex.slice(4, 12)} 00${hex.slice(4, 12)} ${hex.slice(4, 12)}zz`)).toBe(
        '*** *** ***',
      );
      expect(masked(`${hex.slice(0, 30)}\n${hex.slice(30, 44)}\n${hex.slice(44)}\n`)).toBe(
        '***\n***\n***\n',
      );
    }
  });

  it('is no piece from the middle of a byte on', () => {
    expect(masked(HEX.slice(5, 13))).toBe(HEX.slice(5, 13));
  });
});

describe('output that comes in pieces (ENG-S5)', () => {
  it('is masked as the whole text is, wherever it is split', () => {
    const parts = [FIRST, BASE64, TAIL, BASE64.slice(9, 17), HEX.slice(0, 12), HEX.slice(-4)];
    const others = ['\n', '\r\n', '\r', '=', '==', ' ', 'x', 'words-and/more', '***', '.'];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts, ...others), { maxLength: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (fragments, length) => {
          expect(streamed(fragments.join(''), length)).toBe(masked(fragments.join('')));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is held back from its last word on, and after a masked line from the short line on', () => {
    const stream = pieceStream(() => piecesOf([SECRET]));
    expect(stream.push('step 1 of ')).toBe('step 1 of ');
    expect(stream.push('seven')).toBe('');
    expect(stream.push('teen, wo')).toBe('seventeen, ');
    expect(stream.push('rd\n')).toBe('word\n');
    expect(stream.push(`${FIRST}\n`)).toBe('***\n');
    expect(stream.push(TAIL)).toBe('');
    expect(stream.push(' x')).toBe(`${TAIL} `);
    expect(stream.end()).toBe('x');
    expect(stream.end()).toBe('');
  });

  it('is held back after a masked line as long as its line may be the end of a form', () => {
    for (const [line, next, shown] of [
      [`${TAIL}=`, ' x', `${TAIL}= `],
      [`${TAIL}=`, '\n', '***=\n'],
      ['abcdefg==\r', 'x', 'abcdefg==\r'],
    ] as const) {
      const stream = pieceStream(() => piecesOf([SECRET]));
      expect([stream.push(`${FIRST}\n`), stream.push(line), stream.push(next)]).toEqual([
        '***\n',
        '',
        shown,
      ]);
    }
    const stream = pieceStream(() => piecesOf([SECRET]));
    expect([stream.push(`${FIRST}\n`), stream.push('abcdefg==\rx')]).toEqual([
      '***\n',
      'abcdefg==\r',
    ]);
  });

  it('is shown at once where there is no secret', () => {
    const stream = pieceStream(() => piecesOf([]));
    expect(stream.push('no word is held')).toBe('no word is held');
    expect(stream.end()).toBe('');
  });

  it('holds back a word of at most 8 192 characters', () => {
    const stream = pieceStream(() => piecesOf([SECRET]));
    expect(stream.push('x'.repeat(8_192))).toBe('');
    expect(stream.push('x')).toBe('x'.repeat(8_193));
  });
});
