import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { bareResult } from '../../../engine/act.ts';
import type { AttemptResult, RunOutcome, RunRecord } from '../../../model/attempt.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { procTable } from '../../../store/process-table.ts';
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
  /** null: the runner was killed before it could record an outcome, and the name of the record keeps its dot. */
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
    if (outcome === null) this.reopen(entry.name);
  }

  /** The record of a hook that has only started; its runner is alive or was killed. */
  async start(more: Recorded): Promise<void> {
    const outline = { ...OUTLINE, ...more };
    const entry = { folder: this.folder, name: recordName(outline, 100) };
    const file = await openRecord(nodeFiles, entry, outline);
    await file.append({ type: 'AttemptStarted', atMs: 100, ...KEY });
    await file.close();
    this.reopen(entry.name);
  }

  /** Gives the record the name that it has while the hook runs. */
  reopen(name: string): void {
    renameSync(join(this.folder, name), join(this.folder, `.${name}`));
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

  it('are in the order of time also where a record is still open', async () => {
    const spool = new Spool();
    await spool.record({ atMs: 100, hook: 'a' });
    await spool.record({ atMs: 150, hook: 'b', outcome: null });
    await spool.record({ atMs: 200, hook: 'c' });
    const hooks = ['a poststart Failed', 'b poststart Unknown', 'c poststart Failed'];
    expect(await spool.hooks()).toEqual(hooks);
  });

  it('are in the order of the hooks where these began at one moment', async () => {
    const spool = new Spool();
    const list = async (): Promise<string[]> => (await nodeFiles.list(spool.folder)).toReversed();
    await spool.record({ hook: 'a', index: 0 });
    await spool.record({ hook: 'b', index: 1 });
    const ends = await hookEnds({ ...nodeFiles, list }, spool.question());
    expect(ends.map(({ hook }) => hook)).toEqual(['a', 'b']);
  });

  it('are not those of a copy of a record', async () => {
    const spool = new Spool();
    await spool.record({});
    const [name = ''] = readdirSync(spool.folder);
    copyFileSync(join(spool.folder, name), join(spool.folder, `${name}.orig`));
    expect(await spool.hooks()).toHaveLength(1);
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

  it('are Unknown where the runner was killed', async () => {
    const spool = new Spool();
    await spool.record({ atMs: 200, hook: 'b', outcome: 'Succeeded' });
    await spool.record({ atMs: 150, hook: 'a', outcome: null });
    await spool.start({});
    expect(await spool.hooks()).toEqual([
      '10-net.json poststart Unknown',
      'a poststart Unknown',
      'b poststart Succeeded',
    ]);
  });

  it.each([
    ['is read', /\/\.100-/],
    ['was read', /^\/proc\/4001\//],
  ])('include the outcome of a hook that ends when its record %s', async (_, moment) => {
    const spool = new Spool();
    await spool.start({});
    let isOpen = true;
    const read: typeof nodeFiles.read = async (path) => {
      if (isOpen && moment.test(path)) {
        isOpen = false;
        await spool.record({ outcome: 'Succeeded' });
      }
      return nodeFiles.read(path);
    };
    const ends = await hookEnds({ ...nodeFiles, read }, spool.question());
    expect(ends.map(({ outcome }) => outcome)).toEqual(['Succeeded']);
  });

  it('do not include a hook that is still running', async () => {
    const spool = new Spool();
    await spool.start({ writer: await procTable(nodeFiles).self() });
    expect(await spool.hooks()).toEqual([]);
  });

  it('include the outcome of a hook whose record its runner has not renamed yet', async () => {
    const spool = new Spool();
    const writer = await procTable(nodeFiles).self();
    await spool.record({ outcome: 'Succeeded', writer });
    for (const name of readdirSync(spool.folder)) spool.reopen(name);
    expect(await spool.hooks()).toEqual(['10-net.json poststart Succeeded']);
  });

  it('are none of a record whose first line is not written yet', async () => {
    const spool = new Spool();
    writeFileSync(join(spool.folder, '.100-web-poststart-0-4001.jsonl'), '');
    expect(await spool.hooks()).toEqual([]);
  });

  it('are Unknown where a full disk left only the first line', async () => {
    const spool = new Spool();
    await spool.record({});
    const [name = ''] = readdirSync(spool.folder);
    const path = join(spool.folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 1).join(''));
    expect(await spool.hooks()).toEqual(['10-net.json poststart Unknown']);
  });

  it('are Unknown where a full disk cut the outcome, also while the runner goes on', async () => {
    const spool = new Spool();
    await spool.record({ outcome: null, writer: await procTable(nodeFiles).self() });
    const [name = ''] = readdirSync(spool.folder);
    renameSync(join(spool.folder, name), join(spool.folder, name.slice(1)));
    expect(await spool.hooks()).toEqual(['10-net.json poststart Unknown']);
  });

  it.each([
    ['after its first line', 1, ['10-net.json poststart Failed']],
    ['before it was written', 0, []],
  ])('are read from a record that a full disk cut %s', async (_, whole, ends) => {
    const spool = new Spool();
    await spool.record({});
    const [name = ''] = readdirSync(spool.folder);
    const path = join(spool.folder, name);
    const lines = readFileSync(path, 'utf8').split('\n');
    const cut = lines.map((line, at) => (at === whole ? line.slice(0, 9) : line));
    writeFileSync(path, cut.join('\n'));
    expect(await spool.hooks()).toEqual(ends);
  });

  it('are not those of a record that was removed since the spool was listed', async () => {
    const files = { ...nodeFiles, list: async () => ['1-web-poststart-0-1.jsonl'] };
    expect(await hookEnds(files, new Spool().question())).toEqual([]);
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

  it('quote no control character, which would change a terminal, but tabs and line feeds', async () => {
    const spool = new Spool();
    const esc = '\u001B';
    await spool.record({ result: { stderr: said(`a\tb\n${esc}[2J\r\u009Bc`) } });
    expect(await words(spool)).toContain('It printed: "a\tb\n\u{FFFD}[2J\u{FFFD}\u{FFFD}c".');
  });

  it('say that the end of a hook was not recorded when its runner was killed', async () => {
    const spool = new Spool();
    await spool.start({});
    expect(await words(spool)).toBe(
      'The poststart hook 10-net.json failed. The process that ran it exited before its end was recorded.',
    );
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
