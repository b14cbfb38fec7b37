import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nodeFileTails } from '../../../../src/platform/file-tails.ts';
import { nodeTimers } from '../../../../src/platform/timers.ts';
import { type LogWish, readLog } from './read-log.ts';

const second = (number: number): string => `2026-01-01T00:00:0${number}.000000000Z`;
const record = (number: number, text: string, mark = 'F'): string =>
  `${second(number)} stdout ${mark} ${text}\n`;
const everything: LogWish = {
  follow: false,
  timestamps: false,
  sinceMs: null,
  tailLines: null,
  limitBytes: null,
};

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-log-'));
  path = join(folder, 'log');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

interface Follower {
  readonly finished: () => boolean;
  readonly onPiece: (soFar: string) => void;
}

const unfollowed: Follower = { finished: () => true, onPiece: () => undefined };

async function read(
  wish: Partial<LogWish>,
  { finished, onPiece }: Follower = unfollowed,
): Promise<string> {
  const files = {
    tails: nodeFileTails,
    timers: nodeTimers,
    path,
    follow: wish.follow ?? false,
    finished,
    signal: new AbortController().signal,
  };
  let text = '';
  for await (const piece of readLog(files, { ...everything, ...wish })) {
    text += Buffer.from(piece).toString('utf8');
    onPiece(text);
  }
  return text;
}

/** Follows the log until `end` is called. `seen` resolves when the given text has been read. */
function follow(wish: Partial<LogWish>): {
  readonly seen: (text: string) => Promise<void>;
  readonly end: () => Promise<string>;
} {
  let soFar = '';
  let ended = false;
  const onPiece = (text: string): void => {
    soFar = text;
  };
  const reading = read({ ...wish, follow: true }, { finished: () => ended, onPiece });
  return {
    seen: async (text) => {
      await expect.poll(() => soFar, { timeout: 20_000 }).toContain(text);
    },
    end: () => {
      ended = true;
      return reading;
    },
  };
}

describe('the log of a container', () => {
  test('is empty when there is no file', async () => {
    expect(await read({})).toBe('');
  });

  test('joins the parts of long lines, and keeps bytes unchanged', async () => {
    await writeFile(path, record(1, 'grü', 'P') + record(1, 'ße') + record(2, 'no end', 'P'));
    expect(await read({})).toBe('grüße\nno end');
  });

  test('has times only at the beginning of lines', async () => {
    await writeFile(path, record(1, 'a', 'P') + record(1, 'b') + record(2, 'c'));
    expect(await read({ timestamps: true })).toBe(`${second(1)} ab\n${second(2)} c\n`);
  });

  test.each([
    [0, ''],
    [1, 'c\n'],
    [2, 'bb\nc\n'],
    [9, 'a\nbb\nc\n'],
  ])('is limited to its last %i lines', async (tailLines, expected) => {
    await writeFile(path, record(1, 'a') + record(2, 'b', 'P') + record(2, 'b') + record(3, 'c'));
    expect(await read({ tailLines })).toBe(expected);
  });

  test('starts at a given time, and stops after a number of bytes', async () => {
    await writeFile(path, record(1, 'one') + record(2, 'two') + record(3, 'three'));
    expect(await read({ sinceMs: Date.parse(second(2)) })).toBe('two\nthree\n');
    expect(await read({ limitBytes: 5 })).toBe('one\nt');
  });

  test('begins with the rotated file', async () => {
    await writeFile(`${path}.1`, record(1, 'old'));
    await writeFile(path, record(2, 'new'));
    expect(await read({})).toBe('old\nnew\n');
    expect(await read({ tailLines: 1 })).toBe('new\n');
  });

  test('is followed as it grows, through a rotation, until the container exits', async () => {
    await writeFile(path, record(1, 'one'));
    const following = follow({});
    await appendFile(path, record(2, 'two'));
    await following.seen('two');
    await appendFile(path, record(3, 'three'));
    await rename(path, `${path}.1`);
    await writeFile(path, record(4, 'four'));
    await following.seen('four');
    await appendFile(path, record(5, 'five'));
    expect(await following.end()).toBe('one\ntwo\nthree\nfour\nfive\n');
  });

  test('is followed through a rotation that creates the new file late', async () => {
    await writeFile(path, record(1, 'one'));
    const following = follow({});
    await following.seen('one');
    await rename(path, `${path}.1`);
    // Longer than two polls (50 ms each) that find no file.
    await new Promise((resolve) => setTimeout(resolve, 150));
    await writeFile(path, record(2, 'two'));
    await following.seen('two');
    expect(await following.end()).toBe('one\ntwo\n');
  });

  test('shows the tail of both files when it is followed after a rotation', async () => {
    await writeFile(`${path}.1`, record(1, 'one') + record(2, 'two'));
    await writeFile(path, record(3, 'three') + record(4, 'four') + record(5, 'five'));
    const following = follow({ tailLines: 2 });
    await following.seen('five');
    await appendFile(path, record(6, 'six'));
    expect(await following.end()).toBe('four\nfive\nsix\n');
  });

  test('shows the tail at once when it is followed', async () => {
    await writeFile(path, record(1, 'one') + record(2, 'two'));
    const following = follow({ tailLines: 1 });
    await following.seen('two');
    await appendFile(path, record(3, 'three'));
    expect(await following.end()).toBe('two\nthree\n');
  });
});
