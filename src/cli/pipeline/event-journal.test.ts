import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import { maskValues } from '../../model/secrets.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { EventJournal } from './event-journal.ts';

const MEGABYTE = 1_048_576;

function output(line: string): PipelineEvent {
  return { atMs: 1, runId: 'r', type: 'Output', source: 's', stream: 'stdout', line };
}

it('the journal keeps events in order, and counts events dropped while the disk is slow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-journal-'));
  try {
    const path = join(folder, 'events.ndjson');
    const journal = await EventJournal.open(path, nodePlatform);
    journal.add(output('first ü'));
    for (let number = 0; number < 8; number += 1) journal.add(output('x'.repeat(MEGABYTE)));
    await journal.close();
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toEqual(output('first ü'));
    const { type, count } = JSON.parse(lines.at(-1) ?? '') as { type: string; count: number };
    expect(type).toBe('Missed');
    expect(lines.length - 1 + count).toBe(9);
    expect(lines.length).toBeGreaterThan(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('the journal keeps the events of hooks that follow more output than it takes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-journal-'));
  try {
    const path = join(folder, 'events.ndjson');
    const journal = await EventJournal.open(path, nodePlatform);
    const failed = (exitCode: number): PipelineEvent => {
      return { atMs: 2, runId: 'r', type: 'Ended', exitCode, message: 'why '.repeat(1_000) };
    };
    const flood = (): void => {
      for (let number = 0; number < 5_000; number += 1) journal.add(output('x'.repeat(1_000)));
    };
    // The first flood exceeds the bound of waiting events, and the later ones exceed the bound of the file.
    flood();
    journal.add(failed(1));
    for (let round = 0; round < 5; round += 1) {
      await journal.maskEarlier(maskValues([]));
      flood();
    }
    await journal.maskEarlier(maskValues([]));
    journal.add(failed(2));
    await journal.close();
    const text = readFileSync(path, 'utf8');
    expect(text.length).toBeLessThan(17 * MEGABYTE);
    const others = text.split('\n').filter((line) => line !== '' && !line.includes('"Output"'));
    expect(others.map((line) => JSON.parse(line) as object)).toEqual([
      failed(1),
      failed(2),
      { type: 'Missed', count: expect.any(Number) },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const SOURCE = 'build/$&/"web"';

function written(lines: string[], together: boolean): Promise<string> {
  return inJournal((journal) => {
    const stamp = { atMs: 1, runId: 'r', source: SOURCE, stream: 'stdout' } as const;
    const text = lines.join('\n');
    const count = lines.length;
    if (together) journal.addLines({ ...stamp, type: 'OutputLines', text, count });
    else for (const line of lines) journal.add({ ...stamp, type: 'Output', line });
  });
}

async function inJournal(fill: (journal: EventJournal) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-journal-'));
  try {
    const path = join(folder, 'events.ndjson');
    const journal = await EventJournal.open(path, nodePlatform);
    fill(journal);
    await journal.close();
    return readFileSync(path, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it.each([
  ['plain lines', ['a', '', 'b $& $1 c', '']],
  ['quotes, tabs, colours and other characters', ['"n"', '\t\u001b[31mü', '\u{1F600} \uD800', "'"]],
  ['backslashes', ['a', String.raw`\n`, String.raw`\\n"`, 'C:\\']],
])('the journal writes lines that were printed together as one by one: %s', async (_, lines) => {
  const text = await written(lines, true);
  expect(text).toBe(await written(lines, false));
  const events = text.trim().split('\n');
  expect(events.map((line) => (JSON.parse(line) as { line: string }).line)).toEqual(lines);
});

it('the journal keeps the lines of a block that fit, and counts the rest', async () => {
  const line = 'x'.repeat(MEGABYTE);
  const lines = Array.from({ length: 8 }, () => line);
  const text = await written(lines, true);
  expect(text).toBe(await written(lines, false));
  expect(text.trim().split('\n').at(-1)).toMatch(/^\{"type":"Missed","count":[45]\}$/);
});

it('the journal counts all lines of a block when none fits', async () => {
  const text = await inJournal((journal) => {
    for (let block = 0; block < 100; block += 1) {
      journal.addLines({
        atMs: 1,
        runId: 'r',
        type: 'OutputLines',
        source: 's',
        stream: 'stdout',
        text: Array.from({ length: 1_000 }, () => 'y'.repeat(60)).join('\n'),
        count: 1_000,
      });
    }
  });
  const kept = text.trim().split('\n');
  const { count } = JSON.parse(kept.at(-1) ?? '') as { count: number };
  expect(kept.length - 1 + count).toBe(100_000);
  expect(kept.length).toBeGreaterThan(10_000);
});

it('the journal masks what it has written already, and every line keeps its length', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-journal-'));
  try {
    const path = join(folder, 'events.ndjson');
    const journal = await EventJournal.open(path, nodePlatform);
    const secret = 'ä"hunter22';
    for (const line of ['ü first', `it is ${secret}!`, 'last']) journal.add(output(line));
    await journal.maskEarlier(maskValues([]));
    const before = readFileSync(path);
    const masking = journal.maskEarlier(maskValues([secret]));
    journal.add(output('added meanwhile'));
    await masking;
    journal.add(output('added later'));
    await journal.close();
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as PipelineEvent)).toEqual(
      ['ü first', 'it is ***!', 'last', 'added meanwhile', 'added later'].map((line) =>
        output(line),
      ),
    );
    const masked = readFileSync(path).subarray(0, before.length).toString();
    expect(masked.split('\n').map((line) => Buffer.byteLength(line))).toEqual(
      before
        .toString()
        .split('\n')
        .map((line) => Buffer.byteLength(line)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('the journal writes an event that is added just before a masking only after it', async () => {
  let timer: (() => void) | null = null;
  const timers = {
    ...nodePlatform.timers,
    after: (_ms: number, call: () => void) => {
      timer = call;
      return () => {
        timer = null;
      };
    },
  };
  const steps: string[] = [];
  let finish = (): void => undefined;
  const firstWrite = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let content = '';
  const files = {
    ...nodePlatform.files,
    openAppend: () =>
      Promise.resolve({
        write: (text: string) => {
          steps.push('write');
          content += text;
          return steps.length === 1 ? firstWrite : Promise.resolve();
        },
        sync: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }),
    read: () => {
      steps.push('read');
      timer?.();
      return Promise.resolve(content);
    },
    replace: () => {
      steps.push('replace');
      return Promise.resolve();
    },
  };
  const journal = await EventJournal.open('/nowhere', { ...nodePlatform, files, timers });
  journal.add(output('it is hunter22!'));
  const masking = journal.maskEarlier(maskValues(['hunter22']));
  const adding = async (): Promise<void> => {
    await firstWrite;
    journal.add(output('added'));
  };
  const added = adding();
  finish();
  await Promise.all([masking, added]);
  await journal.close();
  expect(steps).toEqual(['write', 'write', 'read', 'replace']);
});

it('the journal keeps no secret when the masked events cannot be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-journal-'));
  try {
    const path = join(folder, 'events.ndjson');
    const files = {
      ...nodePlatform.files,
      replace: () => Promise.reject(new Error('ENOSPC')),
    };
    const journal = await EventJournal.open(path, { ...nodePlatform, files });
    for (const line of ['ü first', 'it is hunter22!', 'last']) journal.add(output(line));
    await journal.maskEarlier(maskValues(['hunter22']));
    await journal.close();
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      output('ü first'),
      { type: 'Missed', count: 2 },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('the journal closes without an error when the disk refuses a write', async () => {
  const refuse = (): Promise<void> => Promise.reject(new Error('ENOSPC'));
  const files = {
    ...nodePlatform.files,
    openAppend: () =>
      Promise.resolve({ write: refuse, sync: refuse, close: () => Promise.resolve() }),
  };
  const journal = await EventJournal.open('/nowhere', { ...nodePlatform, files });
  journal.add(output('a'));
  await expect(journal.close()).resolves.toBeUndefined();
});
