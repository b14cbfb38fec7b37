import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { type HookStand, hookStand } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { Files } from '../../../platform/platform.ts';
import { posixError } from '../../../platform/posix-error.ts';
import type { HookRunContext } from './run-context.ts';
import { MAX_RECORDED_RUNS, RunRecords } from './run-records.ts';
import { MAX_RECORDED_MANIFESTS, type RecordedRun } from './recorded-run.ts';

let stands: HookStand[] = [];

function stand(more: Partial<HookRunContext> = {}): HookStand {
  const made = hookStand(more);
  stands.push(made);
  return made;
}

afterEach(() => {
  for (const one of stands) one.remove();
  stands = [];
});

const PATH = '/usr/bin:/bin';

const OPEN_FILES_MAX = 32;

/** A process that may have so many files open at once; the limit may change. */
function filesWithAtMost(limit: { max: number }): Files {
  let count = 0;
  return {
    ...nodePlatform.files,
    read: async (path) => {
      if (count >= limit.max)
        throw posixError('EMFILE', `EMFILE: too many open files, open '${path}'`);
      count += 1;
      try {
        return await nodePlatform.files.read(path);
      } finally {
        count -= 1;
      }
    },
  };
}

describe('the record of a run', () => {
  it('holds the variables of the hook in a file that only the user can read', async () => {
    const { run, context, folder } = stand({ callerEnv: { PATH, ZEILE: 'ä\n"☃"' } });
    await run([shell('echo FOO=bar >>"$LIFEHOOK_ENV"'), shell('exit 3', { address: 'build/b' })]);
    const record = await context.records.read('run-2');
    expect(record).toMatchObject({
      address: 'build/b',
      variables: { PATH, ZEILE: 'ä\n"☃"', FOO: 'bar' },
      withheld: [],
      contract: { set: { SKAFFOLD_WORK_DIR: folder } },
    });
    expect(statSync(join(folder, 'runs')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'runs/run-2.json')).mode & 0o777).toBe(0o600);
  });

  it('leaves out secrets by name, by value, and by the declaration of the hook', async () => {
    const callerEnv = { PATH, API_TOKEN: 'abcd1234', URL: 'http://u:abcd1234@db' };
    const { run, context, folder } = stand({ callerEnv });
    const tell = shell('echo MINE=qwertz99 >>"$LIFEHOOK_ENV"', { policy: { secrets: ['MINE'] } });
    await run([tell, shell('true')]);
    const record = await context.records.read('run-2');
    expect(record?.withheld).toEqual(['API_TOKEN', 'URL', 'MINE']);
    const texts = readdirSync(join(folder, 'runs')).map((name) =>
      readFileSync(join(folder, 'runs', name), 'utf8'),
    );
    expect(texts).toHaveLength(2);
    expect(texts.join('\n')).not.toMatch(/abcd1234|qwertz99/);
  });

  it('keeps manifests, unless they hold a secret or are too long', async () => {
    const { run, context } = stand({ callerEnv: { PATH, API_TOKEN: 'abcd1234' } });
    const texts = ['kind: A', 'token: abcd1234', 'x'.repeat(MAX_RECORDED_MANIFESTS + 1)];
    for (const manifests of texts) await run([shell('cat >/dev/null')], { manifests });
    const records = (await context.records.all()).toReversed();
    expect(
      records.map(({ manifests, manifestsWithheld }) => ({ manifests, manifestsWithheld })),
    ).toEqual([
      { manifests: 'kind: A', manifestsWithheld: false },
      { manifests: null, manifestsWithheld: true },
      { manifests: null, manifestsWithheld: true },
    ]);
  });
});

describe('records of runs', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  function open(): { readonly records: RunRecords; readonly folder: string } {
    const folder = mkdtempSync(join(tmpdir(), 'lifehook-records-'));
    folders.push(folder);
    return { records: new RunRecords(nodePlatform.files, folder), folder };
  }

  const recorded = (runId: string, atMs: number): RecordedRun => ({
    runId,
    address: 'build/web/before/0',
    atMs,
    variables: {},
    withheld: [],
    contract: { set: {}, unset: [], syncFilesJson: null },
    containers: null,
    manifests: null,
    manifestsWithheld: false,
  });

  it('are listed newest first, and a damaged or missing one reads as null', async () => {
    const { records, folder } = open();
    await records.write(recorded('a', 1));
    await records.write(recorded('b', 2));
    writeFileSync(join(folder, 'c.json'), '{"runId": "c"');
    writeFileSync(join(folder, 'd.json'), '{"runId": "d"}');
    expect((await records.all()).map(({ runId }) => runId)).toEqual(['b', 'a']);
    expect(await records.read('c')).toBeNull();
    expect(await records.read('../records')).toBeNull();
    expect(await records.read('nobody')).toBeNull();
  });

  it('are all listed where few files may be open at once', async () => {
    const { folder } = open();
    for (let at = 0; at < 300; at += 1) {
      writeFileSync(join(folder, `r${at}.json`), JSON.stringify(recorded(`r${at}`, at)));
    }
    const records = new RunRecords(filesWithAtMost({ max: OPEN_FILES_MAX }), folder);
    expect(await records.all()).toHaveLength(300);
  });

  it('are not taken for missing when one of them cannot be read', async () => {
    const { folder } = open();
    writeFileSync(join(folder, 'a.json'), JSON.stringify(recorded('a', 1)));
    const records = new RunRecords(filesWithAtMost({ max: 0 }), folder);
    await expect(records.read('a')).rejects.toThrow('EMFILE');
    await expect(records.all()).rejects.toThrow('EMFILE');
  });

  it('are not taken for none when their directory cannot be read', async () => {
    const { folder } = open();
    const list = (): Promise<never> => Promise.reject(posixError('EMFILE', 'EMFILE: list'));
    const records = new RunRecords({ ...nodePlatform.files, list }, folder);
    await expect(records.all()).rejects.toThrow('EMFILE');
  });

  it('are pruned by the next write when pruning has failed once', async () => {
    const { folder } = open();
    const count = MAX_RECORDED_RUNS + 101;
    for (let at = 1; at < count; at += 1) {
      writeFileSync(join(folder, `r${at}.json`), JSON.stringify(recorded(`r${at}`, at)));
    }
    const limit = { max: 0 };
    const records = new RunRecords(filesWithAtMost(limit), folder);
    await records.write(recorded('last', count));
    expect(readdirSync(folder)).toHaveLength(count);
    limit.max = OPEN_FILES_MAX;
    await records.write(recorded('last', count));
    expect(readdirSync(folder)).toHaveLength(MAX_RECORDED_RUNS);
  });

  it('are bounded: the oldest are deleted', async () => {
    const { records, folder } = open();
    const count = MAX_RECORDED_RUNS + 101;
    for (let at = 1; at < count; at += 1) {
      writeFileSync(join(folder, `r${at}.json`), JSON.stringify(recorded(`r${at}`, at)));
    }
    await records.write(recorded('last', count));
    expect(readdirSync(folder)).toHaveLength(MAX_RECORDED_RUNS);
    expect(await records.read('r1')).toBeNull();
    expect((await records.read('last'))?.atMs).toBe(count);
  });
});
