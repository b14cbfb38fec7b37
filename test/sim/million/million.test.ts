import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ChunkQueue, type Work } from './chunks.ts';
import type { Chunk } from './messages.ts';
import { Tally } from './tally.ts';

const TWO: Work = { lifecycles: ['engine', 'pod'], from: 7, seeds: 450 };

describe('ChunkQueue', () => {
  it('hands out every seed of every lifecycle once, all lifecycles in step', () => {
    const chunks = all(new ChunkQueue(TWO));
    for (const lifecycle of TWO.lifecycles) {
      const seeds = chunks.filter((chunk) => chunk.lifecycle === lifecycle).flatMap(seedsOf);
      expect(seeds).toEqual(Array.from({ length: 450 }, (_, index) => 7 + index));
    }
    expect(chunks.slice(0, 2).map(({ from }) => from)).toEqual([7, 7]);
  });

  it('continues at the first seed that is not done in every lifecycle', () => {
    const queue = new ChunkQueue(TWO);
    const [first, second, third] = [queue.take(), queue.take(), queue.take()];
    for (const chunk of [second, third]) if (chunk !== null) queue.done(chunk);
    expect(queue.firstUndone).toBe(7);
    if (first !== null) queue.done(first);
    expect(queue.firstUndone).toBe(207);
    for (const chunk of all(queue)) queue.done(chunk);
    expect(queue.firstUndone).toBe(457);
  });
});

describe('Tally', () => {
  it('lists a failure once for all seeds that fail alike, with the first of them', () => {
    const tally = new Tally(['pod'], 300);
    tally.add(chunkFrom(101), {
      cpuMs: 100,
      failures: [failed(150, 'POD-P1', 'pod 3 is late: {"at":3}')],
    });
    tally.add(chunkFrom(1), {
      cpuMs: 100,
      failures: [
        failed(9, 'POD-P1', 'pod 12 is late: {"of":"a"}'),
        failed(10, 'POD-P2', 'pod 12 is late'),
      ],
    });
    const text = tally.summary().join('\n');
    expect(text).toContain('pod: 197 passed, 3 failed, 1000 seeds per CPU second');
    expect(text).toContain('POD-P1 (2 seeds, first 9)');
    expect(text).toContain('replay it with: npm run sim -- --lifecycle pod --seed 9');
    expect(text).toContain('POD-P2 (1 seed)');
  });

  it('keeps a bounded list of failures and counts the others', () => {
    const tally = new Tally(['pod'], 100);
    const failures = Array.from({ length: 26 }, (_, index) => failed(1, `P${index}`, 'x'));
    tally.add(chunkFrom(1), { cpuMs: 1, failures });
    expect(tally.summary().at(-1)).toBe('  and 6 seeds that fail in other ways');
  });
});

describe('npm run sim:million', () => {
  it('runs the seeds of a lifecycle in several processes', async () => {
    const run = start(['--lifecycle', 'engine', '--seeds', '30', '--workers', '2']);
    expect(await run.code).toBe(0);
    expect(run.output()).toContain('30 passed, 0 failed');
  });

  it('prints the command that continues when it is interrupted', async () => {
    const run = start(['--lifecycle', 'engine', '--from', '5', '--workers', '1']);
    await run.says('on 1 processes');
    run.process.kill('SIGINT');
    expect(await run.code).toBe(130);
    expect(run.output()).toMatch(
      /continue with: npm run sim:million -- --lifecycle engine --from \d+ --seeds \d+/u,
    );
  });
});

interface Run {
  readonly process: ChildProcess;
  readonly code: Promise<number | null>;
  readonly output: () => string;
  readonly says: (text: string) => Promise<void>;
}

function start(words: readonly string[]): Run {
  const script = join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...words]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    for (const listener of listeners) listener();
  });
  const code = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  const says = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (output.includes(text)) resolve();
      };
      listeners.add(look);
      look();
    });
  return { process: child, code, output: () => output, says };
}

function all(queue: ChunkQueue): Chunk[] {
  const chunks: Chunk[] = [];
  for (let chunk = queue.take(); chunk !== null; chunk = queue.take()) chunks.push(chunk);
  return chunks;
}

function seedsOf({ from, seeds }: Chunk): number[] {
  return Array.from({ length: seeds }, (_, index) => from + index);
}

function chunkFrom(from: number): Chunk {
  return { lifecycle: 'pod', from, seeds: 100 };
}

function failed(seed: number, invariant: string, message: string) {
  return { seed, invariant, message };
}
