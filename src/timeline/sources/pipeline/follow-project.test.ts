import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { PipelineEvent } from '../../../lifecycles/pipeline/events/pipeline-event.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { type FileTails, nodeFileTails } from '../../../platform/file-tails.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import { posixError } from '../../../platform/posix-error.ts';
import { FileLedger } from '../../../store/file-ledger.ts';
import { procTable } from '../../../store/process-table.ts';
import type { Bar } from '../../bar.ts';
import { BarStore } from '../../bar-store.ts';
import { ProjectSource } from './follow-project.ts';

const { files, clock } = nodePlatform;
const processes = procTable(files);
const step = 'build/web/before/0';
const runId = '90d8e614-1';
const failed: AttemptResult = {
  outcome: 'Failed',
  exitCode: 3,
  signal: null,
  durationMs: 40,
  stdout: { text: 'größe\n', totalBytes: 8 },
  stderr: { text: '', totalBytes: 0 },
  reason: 'The command exited with code 3.',
};

let folder: string;
let session: string;
let store: BarStore;
let source: ProjectSource;
let ledger: FileLedger;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-timeline-'));
  session = join(folder, 'sessions', '20261122T090355-90d8e614');
  await mkdir(session, { recursive: true });
  store = new BarStore({ clock });
  const stateFolder = folder;
  source = new ProjectSource({
    store,
    files,
    tails: nodeFileTails,
    processes,
    stateFolder,
    name: 'project shop',
  });
  ledger = await FileLedger.open({ files, folder: join(session, 'journal'), processes });
});

afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

async function begin(more: object = {}): Promise<void> {
  const self = await processes.self();
  const record = { process: self, verb: 'dev', file: '/shop/skaffold.yaml', ...more };
  await writeFile(join(session, 'session.json'), JSON.stringify(record));
}

async function report(
  event: { type: PipelineEvent['type'] } & Partial<Record<string, unknown>>,
): Promise<void> {
  const text = JSON.stringify({ atMs: 2_000, runId: 'x', ...event });
  await appendFile(join(session, 'events.ndjson'), `${text}\n`);
}

async function openRun(): Promise<void> {
  const steps = [{ kind: 'main', name: step }] as const;
  const title = `pre-build ${step}`;
  await ledger.append({ type: 'RunOpened', runId, atMs: 1_000, title, steps, deadlineAtMs: null });
  await ledger.append({ type: 'AttemptStarted', runId, atMs: 1_010, step, attempt: 1 });
}

const bars = (): Bar[] => [...store.all()].map(({ bar }) => bar);

describe('the sessions of a project', () => {
  it('become spans while they run, and a failed hook shows its source line and the rerun command', async () => {
    await begin();
    await openRun();
    await source.readNews();
    expect(bars()).toMatchObject([{ lane: 'build/web', endMs: null, outcome: 'Running' }]);
    await ledger.append({
      type: 'AttemptSettled',
      runId,
      atMs: 1_050,
      step,
      attempt: 1,
      result: failed,
    });
    const message = `/shop/skaffold.yaml:10:18: error LHL201: The hook ${step} failed\n  again: lifehook pipeline rerun ${runId}`;
    await report({
      type: 'HostCallbackEvent',
      callback: 'pre-build',
      address: step,
      status: 'Failed',
      message,
    });
    await source.readNews();
    expect(bars()).toEqual([
      {
        id: `pipeline/90d8e614/${runId}/${step}/1`,
        lifecycle: 'pipeline',
        lane: 'build/web',
        kind: 'hook',
        run: 'dev 90d8e614',
        point: 'build before',
        name: step,
        attempt: 1,
        startMs: 1_010,
        endMs: 1_050,
        outcome: 'Failed',
        reason: 'The command exited with code 3.',
        exitCode: 3,
        stdout: 'größe\n',
        where: 'skaffold.yaml:10:18',
        next: `lifehook pipeline rerun ${runId}`,
      },
    ]);
    expect(store.sources()).toEqual([{ name: 'project shop', problem: null }]);
  });

  it('show a hook of the journal although the events could not be read for a moment', async () => {
    await begin();
    await openRun();
    let broken = true;
    const tails: FileTails = {
      open: (path) =>
        broken && path.endsWith('/events.ndjson')
          ? Promise.reject(posixError('EIO', 'the disk fails'))
          : nodeFileTails.open(path),
    };
    const name = 'project shop';
    source = new ProjectSource({ store, files, tails, processes, stateFolder: folder, name });
    await source.readNews();
    expect(store.sources()).toEqual([{ name: 'project shop', problem: 'the disk fails' }]);
    broken = false;
    await source.readNews();
    expect(bars()).toMatchObject([{ lane: 'build/web', outcome: 'Running' }]);
  });

  it('show phases with their duration, and skipped hooks with the reason', async () => {
    await begin();
    const build = { type: 'PhaseEvent', phase: 'build', subject: 'web' } as const;
    await report({ ...build, status: 'InProgress', atMs: 1_000 });
    await report({ type: 'Output', line: '"type":"PhaseEvent"' });
    await source.readNews();
    expect(bars()).toMatchObject([
      { kind: 'phase', lane: 'build/web', startMs: 1_000, endMs: null },
    ]);
    await report({ ...build, status: 'Succeeded', durationMs: 900 });
    const skipped = {
      type: 'HostCallbackEvent',
      status: 'Skipped',
      address: 'render/after/0',
    } as const;
    await report({ ...skipped, message: 'it is for windows' });
    await appendFile(join(session, 'events.ndjson'), '{"cut off');
    await source.readNews();
    expect(bars()).toMatchObject([
      { kind: 'phase', startMs: 1_000, endMs: 2_000, outcome: 'Succeeded' },
      { outcome: 'Skipped', lane: 'render', point: 'render after', reason: 'it is for windows' },
    ]);
  });

  it('close open spans with outcome Unknown when their process was killed', async () => {
    await begin({ process: { pid: 2 ** 22, started: 'never' } });
    await openRun();
    await source.readNews();
    expect(bars()).toMatchObject([{ outcome: 'Unknown', endMs: 1_010 }]);
  });

  it('are read to the end in one go, however much was printed before', async () => {
    await begin({ exitCode: 0 });
    const print = {
      type: 'Output',
      source: step,
      stream: 'stdout',
      line: 'x'.repeat(2 ** 20),
    } as const;
    for (let at = 0; at < 17; at += 1) await report(print);
    const build = {
      type: 'PhaseEvent',
      phase: 'build',
      status: 'Succeeded',
      durationMs: 9,
    } as const;
    await report(build);
    await source.readNews();
    expect(bars()).toMatchObject([{ kind: 'phase', outcome: 'Succeeded' }]);
  });

  it('show the last lines that a hook has printed before its session was killed, and no others', async () => {
    await begin({ process: { pid: 2 ** 22, started: 'never' } });
    const print = (line: string, more: object = {}): Promise<void> =>
      report({ type: 'Output', source: step, stream: 'stdout', line, atMs: 1_020, ...more });
    await print('of an earlier attempt', { atMs: 1_000 });
    await print('of another hook', { source: `${step}0` });
    for (let at = 1; at <= 300; at += 1) await print(`größe ${at}`);
    await print('last', { stream: 'stderr', atMs: 1_030 });
    await openRun();
    await source.readNews();
    const [bar] = bars();
    expect(bar).toMatchObject({ outcome: 'Unknown', endMs: 1_030, stderr: 'last\n' });
    expect(bar?.stdout).toMatch(/^größe 102\n[^]*größe 300\n$/u);
  });

  it('are emitted once when the journal is rewritten', async () => {
    await begin();
    await openRun();
    await source.readNews();
    const { seq } = store;
    await ledger.close();
    ledger = await FileLedger.open({ files, folder: join(session, 'journal'), processes });
    await source.readNews();
    expect(bars()).toHaveLength(1);
    expect(store.seq).toBe(seq);
  });

  it('are empty without a problem where nothing was recorded, and report an unreadable record', async () => {
    const name = 'project shop';
    const options = { store, files, tails: nodeFileTails, processes, name };
    await new ProjectSource({ ...options, stateFolder: join(folder, 'none') }).readNews();
    expect(bars()).toEqual([]);
    expect(store.sources()).toEqual([{ name, problem: null }]);
    await writeFile(join(session, 'session.json'), '{');
    await source.readNews();
    expect(store.sources()[0]?.problem).toContain('JSON');
  });

  it('become spans although the record of an older session is unreadable', async () => {
    const older = join(folder, 'sessions', '20261121T090355-00000000');
    await mkdir(older);
    await writeFile(join(older, 'session.json'), '{');
    await begin();
    await openRun();
    await source.readNews();
    expect(bars()).toMatchObject([{ lane: 'build/web', outcome: 'Running' }]);
    expect(store.sources()[0]?.problem).toContain('JSON');
  });
});
