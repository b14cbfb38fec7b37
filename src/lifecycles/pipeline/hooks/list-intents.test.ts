import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { type HookStand, hookStand } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { MemoryLedger } from '../../../engine/ledger.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import { HookHistory } from './history.ts';
import { ListIntents, MAX_GROUP } from './list-intents.ts';
import type { PipelineHook } from './model.ts';
import type { HookRunContext } from './run-context.ts';

/**
 * A disk with a cache. Records that are appended in one turn are one line, and are durable only when this line was
 * synced, a moment later. `durable` has the records that a power failure leaves.
 */
class CachedDisk extends MemoryLedger {
  readonly durable: RunRecord[] = [];
  syncs = 0;
  /** The error of each append from now on; null: there is none. */
  refusal: string | null = null;
  #line: Promise<void> | null = null;

  override async append(record: RunRecord): Promise<void> {
    if (this.refusal !== null) throw new Error(this.refusal);
    await super.append(record);
    this.#line ??= this.#sync();
    await this.#line;
  }

  async #sync(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    this.#line = null;
    this.syncs += 1;
    this.durable.splice(0, Infinity, ...this.records);
  }
}

const stands: HookStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

function stand(disk: CachedDisk, more: Partial<HookRunContext> = {}): HookStand {
  const made = hookStand({ ledger: disk, ...more });
  stands.push(made);
  return made;
}

/** Hooks that append their number to the file "effects". */
function hooks(count: number): PipelineHook[] {
  return Array.from({ length: count }, (_, at) =>
    shell(`echo ${at} >>effects`, { address: `build/web/before/${at}` }),
  );
}

function intentsOf(hook: PipelineHook, context: HookRunContext): ListIntents {
  const { history } = context;
  const facts = {
    goos: 'linux',
    cached: false,
    syncFiles: null,
    digests: new Map(),
    history,
  } as const;
  const contract = { set: {}, unset: [], syncFilesJson: null };
  return new ListIntents({ hooks: [hook], facts, contract, containers: null }, context);
}

function effects(folder: string): string[] {
  return readFileSync(join(folder, 'effects'), 'utf8').trim().split('\n');
}

describe('the intents of a list', () => {
  it('share one sync, and the opening of each run is durable before its hook starts', async () => {
    const disk = new CachedDisk();
    const begunUndurable: string[] = [];
    let started = 0;
    const { platform } = hookStand().context;
    const spawn: typeof platform.processes.spawn = (spec) => {
      started += 1;
      const isDurable = disk.durable.some(
        ({ type, runId }) => type === 'RunOpened' && runId === `run-${started}`,
      );
      if (!isDurable) begunUndurable.push(`run-${started}`);
      return platform.processes.spawn(spec);
    };
    const s = stand(disk, { platform: { ...platform, processes: { spawn } } });
    let syncsBefore = Number.NaN;
    const counted = hooks(10);
    const result = await s.run(counted);
    syncsBefore = disk.syncs;
    expect(result.outcome).toBe('Succeeded');
    expect(effects(s.folder)).toHaveLength(10);
    expect(begunUndurable).toEqual([]);
    expect(disk.records.slice(0, 10).map(({ type }) => type)).toEqual(
      Array.from({ length: 10 }, () => 'RunOpened'),
    );
    expect(syncsBefore).toBeGreaterThan(0);
  });

  it('leave the truth about every hook at any power failure', async () => {
    const disk = new CachedDisk();
    const s = stand(disk);
    const looks: { readonly opened: Set<string>; readonly ended: number; readonly done: number }[] =
      [];
    writeFileSync(join(s.folder, 'effects'), '');
    const look = setInterval(() => {
      const done = effects(s.folder).filter((line) => line !== '').length;
      const of = (type: string): string[] =>
        disk.durable.filter((record) => record.type === type).map(({ runId }) => runId);
      looks.push({ opened: new Set(of('RunOpened')), ended: of('RunSettled').length, done });
    }, 1);
    await s.run(hooks(30));
    clearInterval(look);
    expect(looks.length).toBeGreaterThan(0);
    for (const { opened, ended, done } of looks) {
      // The journal knows the start of every hook that had an effect, and has no success of a hook that had none.
      expect(opened.size).toBeGreaterThanOrEqual(done);
      expect(ended).toBeLessThanOrEqual(done);
    }
  });

  it('are opened in groups of a bounded size', async () => {
    const disk = new CachedDisk();
    const s = stand(disk);
    const many = Array.from({ length: MAX_GROUP + 3 }, (_, at) =>
      shell('true', { address: `build/web/before/${at}` }),
    );
    const result = await s.run(many);
    expect(result.outcome).toBe('Succeeded');
    const types = disk.records.map(({ type }) => type);
    expect(types.indexOf('AttemptStarted')).toBe(MAX_GROUP);
    expect(types.filter((type) => type === 'RunOpened')).toHaveLength(many.length);
    expect(types.filter((type) => type === 'RunSettled')).toHaveLength(many.length);
  });

  it('PIPE-I2: of hooks that a failure keeps from running are settled as Cancelled', async () => {
    const disk = new CachedDisk();
    const s = stand(disk);
    const fails = shell('exit 3', { address: 'build/web/before/0' });
    const never = shell('echo never >>effects', { address: 'build/web/before/1' });
    const result = await s.run([fails, never]);
    expect(result.exitCode).toBe(3);
    const settled = disk.records.flatMap((record) =>
      record.type === 'RunSettled' ? [`${record.runId} ${record.outcome}`] : [],
    );
    expect(settled).toEqual(['run-1 Failed', 'run-2 Cancelled']);
    expect(
      disk.records.some(({ type, runId }) => type === 'AttemptStarted' && runId === 'run-2'),
    ).toBe(false);
  });

  it('PIPE-I2: of hooks that do not run since a list rejects are settled as Cancelled', async () => {
    const disk = new CachedDisk();
    const unwritable = 'build/web/before/1';
    const history = new HookHistory({
      read: async () => null,
      write: async (address) => {
        if (address === unwritable) throw new Error('no space');
      },
    });
    const s = stand(disk, { history });
    await expect(s.run(hooks(3))).rejects.toThrow('no space');
    const settled = disk.records.flatMap((record) =>
      record.type === 'RunSettled' ? [`${record.runId} ${record.outcome}`] : [],
    );
    expect(settled).toEqual(['run-1 Succeeded', 'run-2 Cancelled', 'run-3 Cancelled']);
  });

  it('of hooks that do not run here are not opened', async () => {
    const disk = new CachedDisk();
    const s = stand(disk);
    const elsewhere = shell('true', { address: 'build/web/before/0' });
    const windows = {
      ...elsewhere,
      action: { ...elsewhere.action, os: ['windows'] },
    } as PipelineHook;
    const here = shell('true', { address: 'build/web/before/1' });
    await s.run([windows, here, { ...windows, address: 'build/web/before/2' }]);
    const titles = disk.records.flatMap((each) => (each.type === 'RunOpened' ? each.title : []));
    expect(titles).toEqual(['pre-build build/web/before/1']);
  });

  it('are refused by a disk that is full, and then no hook starts', async () => {
    const disk = new CachedDisk();
    disk.refusal = 'no space';
    const s = stand(disk);
    writeFileSync(join(s.folder, 'effects'), '');
    await expect(s.run(hooks(3))).rejects.toThrow('no space');
    expect(effects(s.folder)).toEqual(['']);
    // The rejection says why; a warning for each hook that was not started would hide it.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(s.events).toEqual([]);
  });

  it('PIPE-I3: warn about an outcome that a full disk refuses, and then no hook starts', async () => {
    const disk = new CachedDisk();
    const { context, events } = stand(disk);
    const [hook] = hooks(1) as [PipelineHook];
    const intents = intentsOf(hook, context);
    const runId = await intents.open(hook);
    disk.refusal = 'no space';
    const settled = {
      type: 'RunSettled',
      runId,
      outcome: 'Succeeded',
      reason: '',
      atMs: 1,
    } as const;
    await intents.ledger.append(settled);
    intents.close();
    const message = 'The outcome of run run-1 could not be recorded: no space.';
    await expect
      .poll(() => events, { timeout: 20_000 })
      .toEqual([{ type: 'Warning', code: 'LHL310', message }]);
    const start = { type: 'AttemptStarted', runId, step: 's', attempt: 1, atMs: 1 } as const;
    await expect(intents.ledger.append(start)).rejects.toThrow('no space');
  });

  it('PIPE-I3: are refused by a disk that is full, and then no hook of a list that runs at once starts', async () => {
    const disk = new CachedDisk();
    const { context } = stand(disk);
    const [hook] = hooks(1) as [PipelineHook];
    const [one, other] = [intentsOf(hook, context), intentsOf(hook, context)];
    const runId = await one.open(hook);
    disk.refusal = 'no space';
    await expect(other.open(hook)).rejects.toThrow('no space');
    disk.refusal = 'the journal is closed';
    await expect(other.open(hook)).rejects.toThrow('the journal is closed');
    const start = { type: 'AttemptStarted', runId, step: 's', attempt: 1, atMs: 1 } as const;
    await expect(one.ledger.append(start)).rejects.toThrow('no space');
  });
});
