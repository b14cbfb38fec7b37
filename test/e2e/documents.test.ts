/**
 * Executes the documentation, so that every command which a reader copies works. documents-yaml.test.ts checks its
 * YAML.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { layConsumer } from '../library/consumer.ts';
import { commandsIn, commandWords, unknownWord } from './command-words.ts';
import { PROGRAM } from './document-desk.ts';
import {
  allDocuments,
  blocksIn,
  documents,
  failuresOf,
  type Kind,
  namedFile,
} from './document-run.ts';
import { elsewhere, shownElsewhere } from './documents-elsewhere.ts';
import { isPicture } from './markdown.ts';

const HERE: readonly Kind[] = ['sh', 'console'];

/**
 * Allowed languages of blocks without a file name. `sh` and `console` blocks are executed, `ts` and `yaml` blocks are
 * checked. A `text` block is the output of a command, or a picture.
 */
const languages = [...HERE, 'sh system', 'ts', 'yaml', 'text'];

const all = documents();
const withCommands = all.filter((document) =>
  blocksIn(document).some(({ info }) => HERE.some((kind) => kind === info)),
);

/** Programs in a document that not every host has. */
function programsOf(document: string): string[] {
  const texts = blocksIn(document).map(({ text }) => text);
  return ['kubectl', 'curl', 'helm'].filter((name) =>
    texts.some((text) => text.includes(`${name} `)),
  );
}

describe('a document', () => {
  for (const document of withCommands) {
    it(`${document} runs as written`, { tags: programsOf(document) }, async () => {
      expect(await failuresOf(document, { kinds: HERE, without: elsewhere })).toEqual([]);
    });
  }

  it.each(allDocuments())(
    '%s has only blocks that are executed or checked, and pictures',
    (document) => {
      const blocks = blocksIn(document);
      const executed = blocks.filter(({ info }) => info === 'sh' || info === 'sh system');
      const printed = new Set(executed.map(({ expected }) => expected));
      for (const block of blocks) {
        const { info, text, line } = block;
        if (namedFile(block) === null) expect(languages, `${document}:${line}`).toContain(info);
        if (info !== 'text' || printed.has(text)) continue;
        expect(isPicture(text), `${document}:${line} is no output of a block, and no picture`).toBe(
          true,
        );
      }
    },
  );
});

it('decision records have no blocks', () => {
  const decisions = allDocuments().filter((document) => !all.includes(document));
  expect(decisions).not.toEqual([]);
  expect(decisions.flatMap(blocksIn)).toEqual([]);
});

it('every block of TypeScript type-checks against the package', async () => {
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

it('every command in the text has arguments that the program knows', () => {
  const known = commandWords(PROGRAM);
  const wrong = all.flatMap((document) =>
    commandsIn(readFileSync(document, 'utf8')).flatMap((reported) => {
      const word = unknownWord(reported, known);
      return word === null ? [] : [`${document}: lifehook ${reported}: ${word}`];
    }),
  );
  expect(wrong).toEqual([]);
  expect(unknownWord('oci wrong', known)).toBe('wrong');
  expect(unknownWord('snapshot create a --clam data', known)).toBe('--clam');
});

it('every block that another test covers still exists, and so does that test', () => {
  const texts = new Set(all.flatMap(blocksIn).map(({ text }) => text));
  expect(shownElsewhere.filter(({ text }) => !texts.has(text))).toEqual([]);
  expect(shownElsewhere.filter(({ shownBy }) => !existsSync(shownBy))).toEqual([]);
});

describe('a wrong document', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lifehook-markdown-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const failures = (markdown: string): Promise<string[]> => {
    const path = join(folder, 'wrong.md');
    writeFileSync(path, markdown.replaceAll(/^ {6}/gm, ''));
    return failuresOf(path, { kinds: HERE, without: new Set() });
  };

  it('is reported with line and output of its first failing block', async () => {
    const [failure = '', ...rest] = await failures(`~~~sh
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

  it('is reported when an expected line is missing or out of order', async () => {
    const markdown = (expected: string): string => `~~~sh
      echo one
      echo two three
      ~~~

      ~~~text
      ${expected}
      ~~~`;
    const [failure = '', ...rest] = await failures(markdown('three\n      four'));
    expect(failure).toContain('wrong.md:1 does not print "four" but:\none\n');
    expect(rest).toEqual([]);
    expect(await failures(markdown('one\n      three'))).toEqual([]);
    expect(await failures(markdown('o…e\n      t…three'))).toEqual([]);
    expect(await failures(markdown('three\n      o…e'))).toHaveLength(1);
  });

  it('has the files that its blocks name before the commands that follow', async () => {
    const markdown = (name: string): string => `~~~json made/${name}
      { "told": true }
      ~~~
      ~~~sh
      grep told made/here.json
      ~~~`;
    expect(await failures(markdown('here.json'))).toEqual([]);
    expect((await failures(markdown('there.json'))).join('')).toContain('wrong.md:4 fails.');
  });

  it('is refused when a block is not closed', async () => {
    await expect(failures('# Title\n~~~sh\necho one')).rejects.toThrow('line 2 is not closed');
  });

  it('is reported when a transcript differs from the output', async () => {
    const markdown = (shown: string): string => `~~~console
      $ printf 'run %s took %s s\\n' 0123abcd 0.5 | sed 's/0123/4567/'
      ${shown}
      $ echo 89abcdef; (exit 1)
      89abcdef
      ~~~`;
    expect(await failures(markdown('run 12345678 took 17 s'))).toEqual([]);
    expect(await failures(markdown('run … s'))).toEqual([]);
    expect((await failures(markdown('run 12345678 lasts 17 s'))).join('')).toContain(
      '"run 12345678 lasts 17 s" does not come',
    );
    expect((await failures(markdown('run … s\n      more'))).join('')).toContain(
      '"more" does not come',
    );
    expect(await failures(markdown('…'))).toEqual([]);
    expect((await failures('~~~console\n$ seq 2\n1\n~~~')).join('')).toContain('more comes');
  });

  it('reuses earlier values of a transcript, and stops a running command at ^C', async () => {
    const markdown = (end: string): string => `~~~console
      $ echo id 00000000 | tr 0 a
      id 12345678
      $ echo 12345678 | tr a b
      87654321
      $ echo ready; sleep 60
      ${end}
      ^C
      $ echo more
      more
      ~~~`;
    expect(await failures(markdown('ready'))).toEqual([]);
  });
});
