import { describe, expect, it } from 'vitest';

import { makeMasker } from '../model/secrets.ts';
import { captureOutput, liveUnitsMax, tailUnitsMax, type StreamName } from './output-tail.ts';

interface Captured {
  readonly shown: readonly [StreamName, string][];
  readonly add: (stream: StreamName, text: string, byteLength?: number) => void;
  readonly finish: ReturnType<typeof captureOutput>['finish'];
}

function capture(secrets: readonly string[] = [], late?: () => readonly string[]): Captured {
  const shown: [StreamName, string][] = [];
  const output = captureOutput(makeMasker(secrets, late), (stream, text) => {
    shown.push([stream, text]);
  });
  return {
    shown,
    add: (stream, text, byteLength = text.length) => {
      output.add(stream, text, byteLength);
    },
    finish: () => output.finish(),
  };
}

const units = (all: readonly [StreamName, string][]): number =>
  all.reduce((sum, [, text]) => sum + text.length, 0);

describe('captureOutput', () => {
  it('keeps and shows stdout and stderr apart, and counts bytes', () => {
    const { shown, add, finish } = capture();
    add('stdout', 'aä', 3);
    add('stderr', 'oh');
    add('stdout', '', 0);
    add('stdout', '!', 1);
    expect(shown).toEqual([
      ['stdout', 'aä'],
      ['stderr', 'oh'],
      ['stdout', '!'],
    ]);
    expect(finish()).toEqual({
      stdout: { text: 'aä!', totalBytes: 4 },
      stderr: { text: 'oh', totalBytes: 2 },
    });
  });

  it('keeps the end of a long stream, however it is cut', () => {
    const whole = 'x'.repeat(tailUnitsMax);
    for (const pieces of [[`a${whole}`], ['a', whole], [whole, whole, `${whole}b`]]) {
      const { add, finish } = capture();
      for (const piece of pieces) add('stdout', piece);
      const joined = pieces.join('');
      expect(finish().stdout).toEqual({
        text: joined.slice(-tailUnitsMax),
        totalBytes: joined.length,
      });
    }
  });

  it('keeps a stream of exactly its limit as a whole', () => {
    const { add, finish } = capture();
    const text = `a${'x'.repeat(tailUnitsMax - 1)}`;
    add('stdout', text);
    expect(finish().stdout.text).toBe(text);
  });

  it('begins what it keeps with a whole character', () => {
    for (const character of ['\u{1F600}', '\u{10FC00}', '\u{103FF}']) {
      const { add, finish } = capture();
      add('stdout', `${character}${'x'.repeat(tailUnitsMax - 1)}`);
      expect(finish().stdout.text).toBe('x'.repeat(tailUnitsMax - 1));
    }
    for (const character of ['\u{D7FF}', '\u{E000}']) {
      const { add, finish } = capture();
      add('stdout', `-${character}${'x'.repeat(tailUnitsMax - 1)}`);
      expect(finish().stdout.text).toHaveLength(tailUnitsMax);
    }
  });

  it('masks what is shown and what is kept, also what became a secret after it was shown', () => {
    const late: string[] = [];
    const { shown, add, finish } = capture(['hunter22'], () => late);
    add('stdout', 'pw hunter22, second-one ');
    late.push('second-one');
    expect(finish().stdout.text).toBe('pw ***, *** ');
    expect(shown).toEqual([['stdout', 'pw ***, second-one ']]);
  });

  it('keeps and shows what was held back when the stream ends', () => {
    const { shown, add, finish } = capture(['hunter22']);
    add('stderr', 'hunter2');
    expect(shown).toEqual([]);
    expect(finish().stderr).toEqual({ text: 'hunter2', totalBytes: 7 });
    expect(shown).toEqual([['stderr', 'hunter2']]);
  });

  it('stops showing a stream at its limit, says so once, and continues with the other', () => {
    const { shown, add, finish } = capture();
    const part = '-'.repeat(liveUnitsMax / 2);
    add('stdout', part);
    add('stdout', `${part.slice(1)}!?`);
    add('stdout', 'c\n');
    add('stderr', 'd');
    const end = `\n[lifehook: more than ${liveUnitsMax} characters of output; the rest is not shown]\n`;
    expect(shown.map(([, text]) => text.slice(-end.length - 1))).toEqual([
      part.slice(-end.length - 1),
      `!${end}`,
      'd',
    ]);
    expect(units(shown)).toBe(liveUnitsMax + end.length + 1);
    expect(finish().stdout.text.endsWith('-!?c\n')).toBe(true);
  });

  it('shows a stream of exactly its limit as a whole, and says that it stops once more follows', () => {
    const { shown, add } = capture();
    add('stdout', '!'.repeat(liveUnitsMax));
    expect(units(shown)).toBe(liveUnitsMax);
    add('stdout', 'a\n');
    add('stdout', 'b\n');
    expect(shown).toHaveLength(2);
    expect(shown[1]?.[1]).toMatch(/^\n\[lifehook: more than /);
  });

  it('captures without a listener', () => {
    const output = captureOutput(makeMasker([]), undefined);
    output.add('stdout', 'a', 1);
    expect(output.finish().stdout.text).toBe('a');
  });
});
