import { describe, expect, it } from 'vitest';
import type { ContainerIo, LogOutput } from '../platform/supervisor-host.ts';
import { RecordLog, RECORD_MAX_BYTES } from './record-log.ts';

/** A simulated disk that can be full. A write to a full disk still fills the last block, here of nine bytes. */
class Disk implements Pick<ContainerIo, 'openLog' | 'renameNow'> {
  readonly files = new Map<string, string>();
  isFull = false;

  openLog(path: string): LogOutput {
    if (!this.files.has(path)) this.files.set(path, '');
    const read = (): string => this.files.get(path) ?? '';
    return {
      get size() {
        return read().length;
      },
      write: (bytes) => {
        this.files.set(path, read() + (this.isFull ? bytes.slice(0, 9) : bytes));
        if (this.isFull) throw new Error('ENOSPC');
      },
      truncate: (size) => {
        this.files.set(path, read().slice(0, size));
      },
      close: () => undefined,
    };
  }

  renameNow(from: string, to: string): void {
    this.files.set(to, this.files.get(from) ?? '');
    this.files.delete(from);
  }
}

const clock = { nowMs: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678), monotonicMs: () => 0 };
const time = '2026-01-02T03:04:05.678000000Z';

function openLog(maxBytes: number = 1_000_000): { disk: Disk; log: RecordLog } {
  const disk = new Disk();
  return { disk, log: new RecordLog({ io: disk, clock }, { path: 'log', maxBytes }) };
}

const linesOf = (disk: Disk, path: string = 'log'): string[] =>
  (disk.files.get(path) ?? '').split('\n').slice(0, -1);

describe('the log of a container', () => {
  it('exists before the first output', () => {
    expect(openLog().disk.files.get('log')).toBe('');
  });

  it('has a record for each line, however the output is split, separately for each stream', () => {
    const { disk, log } = openLog();
    log.add('stdout', 'one\ntw');
    log.add('stderr', 'oops\n');
    log.add('stdout', 'o\n\n');
    log.close();
    expect(linesOf(disk)).toEqual([
      `${time} stdout F one`,
      `${time} stderr F oops`,
      `${time} stdout F two`,
      `${time} stdout F `,
    ]);
  });

  it('marks a last line without a line break as partial', () => {
    const { disk, log } = openLog();
    log.add('stdout', 'rest');
    expect(linesOf(disk)).toEqual([]);
    log.close();
    expect(linesOf(disk)).toEqual([`${time} stdout P rest`]);
  });

  it.each([0, 1, RECORD_MAX_BYTES])(
    'splits a line that is %i bytes longer than a record',
    (more) => {
      const { disk, log } = openLog();
      const line = 'x'.repeat(RECORD_MAX_BYTES + more);
      for (let at = 0; at < line.length; at += 1000) log.add('stdout', line.slice(at, at + 1000));
      log.add('stdout', '\n');
      log.close();
      const records = linesOf(disk).map((record) => record.split(' ').slice(2));
      expect(records.map(([tag]) => tag)).toEqual(more === 0 ? ['F'] : ['P', 'F']);
      expect(records.map(([, text]) => text).join('')).toBe(line);
      expect(Math.max(...records.map(([, text = '']) => text.length))).toBe(RECORD_MAX_BYTES);
    },
  );

  it('keeps the newest output in two files of half the limit', () => {
    const { disk, log } = openLog(100_000);
    for (let count = 0; count < 10_000; count += 1) log.add('stdout', `line ${count}\n`);
    log.close();
    const [before, now] = [disk.files.get('log.1') ?? '', disk.files.get('log') ?? ''];
    expect(Math.max(before.length, now.length)).toBeLessThanOrEqual(50_000);
    expect(before.length).toBeGreaterThan(49_000);
    const kept = [...linesOf(disk, 'log.1'), ...linesOf(disk)].map((record) =>
      Number(record.split(' ').at(-1)),
    );
    expect(kept).toEqual(kept.map((_, index) => 10_000 - kept.length + index));
  });

  it('reports the bytes lost to a full disk, and continues', () => {
    const { disk, log } = openLog();
    log.add('stdout', 'before\n');
    disk.isFull = true;
    log.add('stdout', 'lost\n');
    log.add('stdout', 'lost too\n');
    disk.isFull = false;
    log.add('stdout', 'after\n');
    log.close();
    const lost = `${time} stdout F lost\n${time} stdout F lost too\n`.length;
    expect(linesOf(disk)).toEqual([
      `${time} stdout F before`,
      `${time} stderr F [lifehook: ${lost} bytes of log could not be written here]`,
      `${time} stdout F after`,
    ]);
  });
});
