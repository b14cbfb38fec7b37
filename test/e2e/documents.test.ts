/** The documentation is executed: what a reader copies from it works. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { layConsumer } from '../library/consumer.ts';
import { commandsToldIn, commandWords, unknownWord } from './command-words.ts';
import { blocksIn, documents, failuresOf, notRun, PROGRAM } from './document-run.ts';

/** "console" is for what depends on the reader's machine, and is not run. */
const languages = ['sh', 'sh system', 'console', 'text', 'json', 'yaml', 'ts'];

const all = documents();
const withCommands = all.filter((document) => blocksIn(document).some(({ info }) => info === 'sh'));

describe('a document', () => {
  it.each(withCommands)('%s works as it stands', (document) => {
    expect(failuresOf(document, ['sh'])).toEqual([]);
  });

  it.each(all)(
    '%s has blocks in known languages only, with JSON and YAML that can be read',
    (document) => {
      for (const { info, text, line } of blocksIn(document)) {
        expect(languages, `${document}:${line}`).toContain(info);
        if (info === 'json') expect(() => JSON.parse(text) as unknown).not.toThrow();
        if (info === 'yaml')
          expect(() => parseAllDocuments(text).map((one) => one.toJS() as unknown)).not.toThrow();
      }
    },
  );
});

it('every block of TypeScript is right for the types that the package has', async () => {
  const blocks = all.flatMap((document) =>
    blocksIn(document)
      .filter(({ info }) => info === 'ts')
      .map(({ text, line }) => [`${document.replaceAll('/', '-')}-${line}.ts`, text] as const),
  );
  const consumer = await layConsumer();
  try {
    expect(blocks).not.toEqual([]);
    expect(consumer.typeProblems(Object.fromEntries(blocks))).toBe('');
  } finally {
    consumer.remove();
  }
});

it('every command that is only told of has the words that the program knows', () => {
  const known = commandWords(PROGRAM);
  const wrong = all.flatMap((document) =>
    commandsToldIn(readFileSync(document, 'utf8')).flatMap((told) => {
      const word = unknownWord(told, known);
      return word === null ? [] : [`${document}: lifehook ${told}: ${word}`];
    }),
  );
  expect(wrong).toEqual([]);
  expect(unknownWord('oci wrong', known)).toBe('wrong');
  expect(unknownWord('snapshot create a --clam data', known)).toBe('--clam');
});

it('every block that is left out is still there', () => {
  const texts = new Set(all.flatMap(blocksIn).map(({ text }) => text));
  expect(Object.keys(notRun).filter((text) => !texts.has(text))).toEqual([]);
});

describe('a document that is wrong', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lifehook-markdown-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const failures = (markdown: string): string[] => {
    const path = join(folder, 'wrong.md');
    writeFileSync(path, markdown.replaceAll(/^ +/gm, ''));
    return failuresOf(path, ['sh']);
  };

  it('is told by the first block that fails, whose line and output are named', () => {
    const [failure = '', ...rest] = failures(`~~~sh
      word=kept
      ~~~
      Then:

      ~~~sh
      echo "$word" >&2
      false | true
      echo never
      ~~~
      ~~~sh
      echo never
      ~~~`);
    expect(failure).toMatch(/wrong\.md:6 fails\. It printed:\nkept\n$/);
    expect(rest).toEqual([]);
  });

  it('is told by a line of the expected output that does not come', () => {
    const [failure = '', ...rest] = failures(`~~~sh
      echo one
      echo two three
      ~~~

      ~~~text
      three
      four
      ~~~`);
    expect(failure).toContain('wrong.md:1 does not print "four" but:\none\n');
    expect(rest).toEqual([]);
  });

  it('is refused when it forgets to end a block', () => {
    expect(() => failures('# Title\n~~~sh\necho one')).toThrow('fence in line 2 is not closed');
  });
});
