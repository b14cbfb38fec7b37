import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openRecord } from '../../../lifecycles/container/hook-runs/spool.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { type FileTails, nodeFileTails } from '../../../platform/file-tails.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import { FileLedger } from '../../../store/file-ledger.ts';
import { type ProcessIdentity, procTable } from '../../../store/process-table.ts';
import type { Bar } from '../../bar.ts';
import { BarStore } from '../../bar-store.ts';
import { NodeSource } from '../follow-node.ts';
import { RecordsSource } from './follow-records.ts';

const { files, clock } = nodePlatform;
const result: AttemptResult = {
  outcome: 'TimedOut',
  exitCode: null,
  signal: 'SIGKILL',
  durationMs: 40,
  stdout: { text: '', totalBytes: 0 },
  stderr: { text: 'too slow\n', totalBytes: 9 },
  reason: 'It was ended after 1 s.',
};

let folder: string;
let store: BarStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-records-'));
  store = new BarStore({ clock });
});

afterEach(() => rm(folder, { recursive: true }));

const own = (): Promise<ProcessIdentity> => procTable(files).self();
const bars = (): Bar[] => [...store.all()].map(({ bar }) => bar);
const container = 'c0ffee'.padEnd(64, '0');
const outline = {
  type: 'HookRun',
  version: 1,
  container,
  bundle: '/b',
  stage: 'prestart',
  hook: '/hooks/net',
  index: 0,
  pid: 1,
  writer: { pid: 1, started: 'boot/1' },
} as const;
const started = { type: 'AttemptStarted', runId: 'r', atMs: 10, step: 'net', attempt: 1 } as const;
const opened = {
  type: 'RunOpened',
  runId: 'r',
  atMs: 9,
  title: 't',
  steps: [],
  deadlineAtMs: null,
} as const;

describe('the records of containers', () => {
  it('are read while their hook runs, and for the last time when it has exited', async () => {
    const source = new RecordsSource({ store, files, folder, name: 'records' });
    const place = { folder, name: '9-c-prestart-0-1.jsonl' };
    const ledger = await openRecord(files, place, { ...outline, writer: await own() });
    await ledger.append(opened);
    await ledger.append(started);
    await source.readNews();
    expect(bars()).toMatchObject([{ lane: 'c0ffee000000', outcome: 'Running', endMs: null }]);
    await ledger.append({
      type: 'AttemptSettled',
      runId: 'r',
      atMs: 50,
      step: 'net',
      attempt: 1,
      result,
    });
    await ledger.close();
    await source.readNews();
    expect(bars()).toMatchObject([
      {
        id: 'container/9-c-prestart-0-1.jsonl/net/1',
        run: container,
        point: 'prestart',
        name: 'net',
        where: '/hooks/net',
        outcome: 'Failed',
        signal: 'SIGKILL',
        endMs: 50,
        stderr: 'too slow\n',
      },
    ]);
    await appendFile(join(folder, '9-c-prestart-0-1.jsonl'), 'changed');
    const { seq } = store;
    await source.readNews();
    expect(store.seq).toBe(seq);
  });

  it('are read again while their runner lives, although its file was read before', async () => {
    const source = new RecordsSource({ store, files, folder, name: 'records' });
    const file = join(folder, `.9-c-prestart-0-${process.pid}.jsonl`);
    const line = (one: object): string => `${JSON.stringify(one)}\n`;
    const first = { ...outline, pid: process.pid, writer: await own() };
    await writeFile(file, [first, opened, started].map(line).join(''));
    await source.readNews();
    expect(bars()).toMatchObject([{ outcome: 'Running' }]);
    const settled = { type: 'AttemptSettled', runId: 'r', atMs: 50, step: 'net', attempt: 1 };
    await appendFile(file, line({ ...settled, result }));
    await source.readNews();
    expect(bars()).toMatchObject([{ outcome: 'Failed', endMs: 50 }]);
  });

  it('have the outcome Unknown when their runner no longer exists', async () => {
    const source = new RecordsSource({ store, files, folder, name: 'records' });
    const lines = [{ ...outline, pid: 2 ** 22 }, opened, started].map((one) => JSON.stringify(one));
    await writeFile(join(folder, '.9-c-prestart-0-4194304.jsonl'), `${lines.join('\n')}\n{"cut`);
    await writeFile(join(folder, '8-x.jsonl'), 'something else');
    await source.readNews();
    expect(bars()).toMatchObject([{ outcome: 'Unknown', endMs: 10 }]);
    expect(store.sources()).toEqual([{ name: 'records', problem: null }]);
  });

  it('have the outcome Unknown when another process has the PID of their runner', async () => {
    const source = new RecordsSource({ store, files, folder, name: 'records' });
    const { pid } = process;
    const lines = [{ ...outline, pid, writer: { pid, started: 'boot/1' } }, opened, started];
    const text = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
    await writeFile(join(folder, `.9-c-prestart-0-${pid}.jsonl`), text);
    await source.readNews();
    expect(bars()).toMatchObject([{ outcome: 'Unknown', endMs: 10 }]);
  });

  it('report a problem when the directory cannot be read, and none when it is missing', async () => {
    await new RecordsSource({ store, files, folder: join(folder, 'no'), name: 'none' }).readNews();
    const file = join(folder, 'file');
    await writeFile(file, '');
    await new RecordsSource({ store, files, folder: file, name: 'bad' }).readNews();
    expect(store.sources()).toEqual([
      { name: 'none', problem: null },
      { name: 'bad', problem: expect.stringContaining(`${file} cannot be read`) },
    ]);
  });
});

describe('the records of a local node', () => {
  it('are read from a file that is closed after each read', async () => {
    let openFiles = 0;
    const tails: FileTails = {
      open: async () => {
        openFiles += 1;
        const close = async () => void (openFiles -= 1);
        return { identity: '1:1', read: () => Promise.reject(new Error('EIO')), close };
      },
    };
    const source = new NodeSource({ store, tails, stateFolder: folder, name: 'node' });
    await source.readNews();
    await source.readNews();
    expect(openFiles).toBe(0);
    expect(store.sources()).toEqual([{ name: 'node', problem: 'EIO' }]);
  });

  it('become spans of the pod whose hook ran', async () => {
    const processes = procTable(files);
    const ledger = await FileLedger.open({ files, folder: join(folder, 'hooks'), processes });
    const source = new NodeSource({
      store,
      tails: nodeFileTails,
      stateFolder: folder,
      name: 'node',
    });
    const runId = 'k8s_1/preStop';
    const title = 'Pod shop/web-0, container web, lifecycle.preStop';
    await ledger.append({ ...opened, runId, title, steps: [{ kind: 'main', name: 'preStop' }] });
    await ledger.append({ ...started, runId, step: 'preStop' });
    await source.readNews();
    expect(bars()).toMatchObject([
      {
        lane: 'shop/web-0/web',
        run: 'web-0',
        point: 'preStop',
        endMs: null,
        where: 'Pod shop/web-0',
      },
    ]);
    await ledger.append({
      type: 'AttemptSettled',
      runId,
      atMs: 70,
      step: 'preStop',
      attempt: 1,
      result,
    });
    await source.readNews();
    expect(bars()).toMatchObject([{ endMs: 70, outcome: 'Failed' }]);
    await ledger.close();
    await rename(join(folder, 'hooks'), join(folder, 'away'));
    await source.readNews();
    expect(store.sources()).toEqual([{ name: 'node', problem: null }]);
  });
});
