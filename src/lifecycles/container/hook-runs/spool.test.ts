import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../model/attempt.ts';
import { nodeFiles } from '../../../platform/files.ts';
import type { Files } from '../../../platform/platform.ts';
import { procTable } from '../../../store/process-table.ts';
import { readSpool } from './read-spool.ts';
import {
  openRecord,
  RECORDED_TAIL_MAX,
  recordName,
  SPOOL_FILES_MAX,
  type HookOutline,
} from './spool.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-spool-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const outline: HookOutline = {
  type: 'HookRun',
  version: 1,
  container: 'web',
  bundle: '/bundle',
  stage: 'poststop',
  hook: '10-net.json',
  index: 0,
  pid: 4001,
  writer: { pid: 4001, started: 'boot/1' },
};

const key = { runId: 'r', step: '10-net.json', attempt: 1 };
const started: RunRecord = { type: 'AttemptStarted', atMs: 5, ...key };
const settled = (text: string): RunRecord => ({
  type: 'AttemptSettled',
  atMs: 9,
  ...key,
  result: {
    outcome: 'Failed',
    exitCode: 3,
    signal: null,
    durationMs: 4,
    stdout: { text, totalBytes: text.length },
    stderr: { text: '', totalBytes: 0 },
    reason: 'The command exited with code 3.',
  },
});

const list = (): ReturnType<typeof readSpool> => readSpool(nodeFiles, folder, { limit: 10 });

describe('a record in the spool', () => {
  it('is for its owner alone, as is its directory: output may be private', async () => {
    const own = join(folder, 'hooks');
    const name = recordName(outline, 5);
    const record = await openRecord(nodeFiles, { folder: own, name }, outline);
    await record.append(settled('password'));
    await record.close();
    const modes = await Promise.all([own, join(own, name)].map((path) => stat(path)));
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it('has no result until the end of the attempt is recorded', async () => {
    const writer = await procTable(nodeFiles).self();
    const ours = { ...outline, writer };
    const record = await openRecord(nodeFiles, { folder, name: recordName(ours, 5) }, ours);
    await record.append(started);
    expect(await list()).toMatchObject([{ hook: '10-net.json', attempts: 1, result: null }]);
    await record.append(settled('out'));
    await record.close();
    expect(await list()).toMatchObject([
      { attempts: 1, result: { exitCode: 3, stdout: { text: 'out' } } },
    ]);
  });

  it('reads Unknown without an end once its writer has exited', async () => {
    const record = await openRecord(nodeFiles, { folder, name: recordName(outline, 5) }, outline);
    await record.append(started);
    expect(await list()).toMatchObject([{ attempts: 1, result: { outcome: 'Unknown' } }]);
    await record.close();
  });

  it.each([
    ['is read', /\/\.5-/],
    ['was read', /^\/proc\/4001\//],
  ])('has its result if it is completed when it %s', async (_, moment) => {
    const record = await openRecord(nodeFiles, { folder, name: recordName(outline, 5) }, outline);
    await record.append(started);
    let isOpen = true;
    const read = async (path: string): ReturnType<Files['read']> => {
      if (isOpen && moment.test(path)) {
        isOpen = false;
        await record.append(settled('out'));
        await record.close();
      }
      return nodeFiles.read(path);
    };
    const records = await readSpool({ ...nodeFiles, read }, folder, { limit: 10 });
    expect(records).toMatchObject([{ attempts: 1, result: { exitCode: 3 } }]);
  });

  it('waits for no disk: neither its content nor its name is synced', async () => {
    const calls: string[] = [];
    const files: Files = {
      ...nodeFiles,
      openAppend: async (path, mode, kind) => {
        calls.push(`open ${kind}`);
        const file = await nodeFiles.openAppend(path, mode, kind);
        return { ...file, sync: () => Promise.reject(new Error('synced')) };
      },
      rename: (from, to, kind) => {
        calls.push(`rename ${kind}`);
        return nodeFiles.rename(from, to, kind);
      },
    };
    const record = await openRecord(files, { folder, name: recordName(outline, 5) }, outline);
    await record.append(started);
    await record.append(settled('out'));
    await record.close();
    expect(calls).toEqual(['open unsynced', 'rename unsynced']);
  });

  it('keeps the tail of a long output and its total length', async () => {
    const record = await openRecord(nodeFiles, { folder, name: recordName(outline, 5) }, outline);
    await record.append(started);
    await record.append(settled(`${'x'.repeat(RECORDED_TAIL_MAX)}end`));
    await record.close();
    const [reported] = await list();
    expect(reported?.result?.stdout.text).toHaveLength(RECORDED_TAIL_MAX);
    expect(reported?.result?.stdout.text.endsWith('end')).toBe(true);
    expect(reported?.result?.stdout.totalBytes).toBe(RECORDED_TAIL_MAX + 3);
  });

  it('is read without its last line when that line is truncated', async () => {
    const line = JSON.stringify(outline);
    await writeFile(join(folder, recordName(outline, 5)), `${line}\n{"type":"AttemptSta`);
    expect(await list()).toMatchObject([{ container: 'web', attempts: 0 }]);
  });

  it('deletes the oldest records when the spool is full, also when their times have fewer digits', async () => {
    for (let at = 0; at < SPOOL_FILES_MAX; at += 1) {
      writeFileSync(join(folder, recordName({ ...outline, pid: 1 }, 900 + at)), '');
    }
    const counted = { ...outline, pid: 32 };
    const record = await openRecord(
      nodeFiles,
      { folder, name: recordName(counted, 9999) },
      counted,
    );
    await record.close();
    const names = await readdir(folder);
    expect(names.length).toBeLessThan(SPOOL_FILES_MAX);
    expect(names).toContain(recordName(counted, 9999));
    expect(names.some((name) => name.startsWith('999-'))).toBe(false);
    expect(names.some((name) => name.startsWith(`${899 + SPOOL_FILES_MAX}-`))).toBe(true);
  });

  it('is not deleted from a full spool while its hook runs', async () => {
    const writer = await procTable(nodeFiles).self();
    const long = { ...outline, writer };
    const record = await openRecord(nodeFiles, { folder, name: recordName(long, 5) }, long);
    await record.append(started);
    const dead = `.${recordName(outline, 6)}`;
    writeFileSync(join(folder, dead), `${JSON.stringify(outline)}\n`);
    for (let at = 0; at < SPOOL_FILES_MAX; at += 1) {
      writeFileSync(join(folder, recordName({ ...outline, pid: 1 }, 900 + at)), '');
    }
    const counted = { ...outline, pid: 32 };
    const name = recordName(counted, 9999);
    await (await openRecord(nodeFiles, { folder, name }, counted)).close();
    expect(await readdir(folder)).not.toContain(dead);
    await record.append(settled('out'));
    await record.close();
    expect(await readdir(folder)).toContain(recordName(long, 5));
  });
});
