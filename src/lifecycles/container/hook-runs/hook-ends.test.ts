import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { bareResult } from '../../../engine/act.ts';
import type { AttemptResult, RunOutcome, RunRecord } from '../../../model/attempt.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { type EndsQuestion, failedHookWords, hookEnds } from './hook-ends.ts';
import { openRecord, recordName, type HookOutline } from './spool.ts';

const OUTLINE: HookOutline = {
  type: 'HookRun',
  version: 1,
  container: 'web',
  bundle: '/bundle',
  stage: 'poststart',
  hook: '10-net.json',
  index: 0,
  pid: 4001,
  writer: { pid: 4001, started: 'boot/1' },
};
const KEY = { runId: 'r', step: 's', attempt: 1 };

interface Recorded extends Partial<Omit<HookOutline, 'type' | 'version'>> {
  readonly atMs?: number;
  readonly result?: Partial<AttemptResult>;
  /** null: the runner was killed before it could record an outcome. */
  readonly outcome?: RunOutcome | null;
}

class Spool {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'lifehook-ends-'));

  constructor() {
    onTestFinished(() => {
      rmSync(this.folder, { recursive: true });
    });
  }

  async record({ atMs = 100, result = {}, outcome = 'Failed', ...more }: Recorded): Promise<void> {
    const outline = { ...OUTLINE, ...more };
    const entry = { folder: this.folder, name: recordName(outline, atMs) };
    const file = await openRecord(nodeFiles, entry, outline);
    const attempt = { ...bareResult('Failed', 'The command exited with code 3.', 4), ...result };
    const records: RunRecord[] = [
      { type: 'AttemptStarted', atMs, ...KEY },
      { type: 'AttemptSettled', atMs, ...KEY, result: attempt },
    ];
    for (const record of records) await file.append(record);
    if (outcome !== null) {
      await file.append({ type: 'RunSettled', runId: 'r', atMs, outcome, reason: '' });
    }
    await file.close();
  }

  question(more: Partial<EndsQuestion> = {}): EndsQuestion {
    return { spool: this.folder, containerId: 'web', stages: ['poststart'], sinceMs: 0, ...more };
  }

  async hooks(more?: Partial<EndsQuestion>): Promise<string[]> {
    const ends = await hookEnds(nodeFiles, this.question(more));
    return ends.map(({ hook, stage, outcome }) => `${hook} ${stage} ${outcome}`);
  }
}

const said = (text: string): AttemptResult['stdout'] => ({ text, totalBytes: text.length });

describe('the ends of the hooks of a container', () => {
  it('are those of the stages that are asked for, in the order of time', async () => {
    const spool = new Spool();
    await spool.record({ atMs: 300, hook: 'c' });
    await spool.record({ atMs: 200, hook: 'b', stage: 'poststop', outcome: 'Succeeded' });
    await spool.record({ atMs: 100, hook: 'a', outcome: 'TimedOut' });
    expect(await spool.hooks()).toEqual(['a poststart TimedOut', 'c poststart Failed']);
    expect(await spool.hooks({ stages: ['poststart', 'poststop'] })).toEqual([
      'a poststart TimedOut',
      'b poststop Succeeded',
      'c poststart Failed',
    ]);
  });

  it('are not those of an earlier container of the same name', async () => {
    const spool = new Spool();
    await spool.record({ atMs: 99, hook: 'before' });
    await spool.record({ atMs: 100, hook: 'now' });
    expect(await spool.hooks({ sinceMs: 100 })).toEqual(['now poststart Failed']);
  });

  it.each(['my-web', 'web-poststart', 'webs', 'a-web-poststart'])(
    'are not those of the container %s, whose name is alike',
    async (container) => {
      const spool = new Spool();
      await spool.record({ container });
      expect(await spool.hooks()).toEqual([]);
      expect(await spool.hooks({ containerId: container })).toHaveLength(1);
    },
  );

  it('are not those of a container whose long name has the same beginning', async () => {
    const spool = new Spool();
    const long = 'a'.repeat(128);
    await spool.record({ container: `${long}b` });
    expect(await spool.hooks({ containerId: `${long}c` })).toEqual([]);
  });

  it('are Unknown where no process recorded how the run ended', async () => {
    const spool = new Spool();
    await spool.record({ outcome: null });
    expect(await spool.hooks()).toEqual(['10-net.json poststart Unknown']);
  });

  it('are none where no hook has run on this machine yet', async () => {
    expect(await new Spool().hooks({ spool: '/nowhere/at/all' })).toEqual([]);
  });
});

describe('the words of the first hook that failed', () => {
  const words = (spool: Spool): Promise<string | null> =>
    failedHookWords(nodeFiles, spool.question());

  it('name it, its stage and its reason, and quote stderr before stdout', async () => {
    const spool = new Spool();
    await spool.record({ atMs: 1, hook: 'fine', outcome: 'Succeeded' });
    await spool.record({ atMs: 2, result: { stdout: said(' out \n'), stderr: said('err\n') } });
    await spool.record({ atMs: 3, hook: 'later' });
    expect(await words(spool)).toBe(
      'The poststart hook 10-net.json failed. The command exited with code 3. It printed: "err\nout".',
    );
  });

  it('quote the last thousand characters of each stream', async () => {
    const spool = new Spool();
    await spool.record({ result: { stdout: said(`x${'y'.repeat(1_000)}`) } });
    expect(await words(spool)).toContain(`It printed: "${'y'.repeat(1_000)}".`);
  });

  it('say that it printed nothing', async () => {
    const spool = new Spool();
    await spool.record({});
    expect(await words(spool)).toBe(
      'The poststart hook 10-net.json failed. The command exited with code 3. It printed nothing.',
    );
  });

  it('are none where every hook has succeeded', async () => {
    const spool = new Spool();
    await spool.record({ outcome: 'Succeeded' });
    expect(await words(spool)).toBeNull();
  });
});
