import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

/** Files of a process that can have only this number of files open at once. A test may change the limit. */
function filesWithAtMost(limit: { max: number }): Files {
  let count = 0;
  const limited =
    <T>(open: (path: string) => Promise<T>) =>
    async (path: string): Promise<T> => {
      if (count >= limit.max)
        throw posixError('EMFILE', `EMFILE: too many open files, open '${path}'`);
      count += 1;
      try {
        return await open(path);
      } finally {
        count -= 1;
      }
    };
  const { files } = nodePlatform;
  return {
    ...files,
    read: limited((path) => files.read(path)),
    stat: limited((path) => files.stat(path)),
  };
}

describe('the record of a run', () => {
  it('names the variables of the hook in a file that only the user can read', async () => {
    const { run, context, folder } = stand({ callerEnv: { PATH, DB_URL: 'postgres://u:pw@h/d' } });
    const policy = { env: { OWN: 'of the file' } };
    const hooks = [shell('echo FOO=barrel >>"$LIFEHOOK_ENV"'), shell('true', { policy })];
    await run(hooks);
    const record = await context.records.read('run-2');
    expect(record).toMatchObject({
      address: 'build/web/before/0',
      variables: ['FOO', 'OWN'],
      values: {},
      contract: { set: { SKAFFOLD_WORK_DIR: folder } },
    });
    expect(statSync(join(folder, 'runs')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'runs/run-2.run.json')).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(folder, 'runs/run-2.run.json'), 'utf8');
    expect(text).not.toMatch(/PATH|DB_URL|postgres|barrel|of the file/);
  });

  it('holds values that the hook which has set them declares harmless, in any letters', async () => {
    const { run, context } = stand();
    const policy = { recordedValues: ['FOO', 'OWN'], env: { OWN: 'of the file', MORE: 'm' } };
    await run([
      shell(`printf 'FOO=\\303\\244"☃"\\n' >>"$LIFEHOOK_ENV"`, { policy }),
      shell('true', { policy }),
    ]);
    expect(await context.records.read('run-2')).toMatchObject({
      variables: ['FOO', 'MORE', 'OWN'],
      values: { FOO: 'ä"☃"', OWN: 'of the file' },
    });
  });

  it('holds no value of a secret, though it is declared harmless', async () => {
    const callerEnv = { PATH, API_TOKEN: 'abcd1234' };
    const { run, context, folder } = stand({ callerEnv });
    const lines = ['MINE=qwertz99', 'MY_TOKEN=efgh5678', 'URL=http://u:abcd1234@db'];
    const names = ['MINE', 'MY_TOKEN', 'URL'];
    const emit = shell(lines.map((line) => `echo ${line} >>"$LIFEHOOK_ENV"`).join(';'), {
      policy: { secrets: ['MINE'], recordedValues: names },
    });
    const own = { MINE: 'qwertz99', MORE: 'abcd1234' };
    const policy = { env: own, recordedValues: ['MINE', 'MORE'] };
    await run([emit, shell('true'), shell('true', { policy })]);
    expect(await context.records.read('run-3')).toMatchObject({ values: {} });
    expect(await context.records.read('run-2')).toMatchObject({ variables: names, values: {} });
    const texts = readdirSync(join(folder, 'runs')).map((name) =>
      readFileSync(join(folder, 'runs', name), 'utf8'),
    );
    expect(texts).toHaveLength(3);
    expect(texts.join('\n')).not.toMatch(/abcd1234|efgh5678|qwertz99/);
  });

  it('holds a variable of the contract by its name where its value has a secret', async () => {
    const { run, context } = stand({ callerEnv: { PATH, API_TOKEN: 'abcd1234' } });
    const contract = {
      set: { IMAGE: 'web:v1', REPO: 'u:abcd1234@r' },
      unset: [],
      syncFilesJson: null,
    };
    await run([shell('true')], { contract });
    const record = await context.records.read('run-1');
    expect(record).toMatchObject({ variables: ['REPO'], contract: { set: { IMAGE: 'web:v1' } } });
  });

  it('keeps manifests, unless they hold a secret, an object Secret, or are too long', async () => {
    const { run, context } = stand({ callerEnv: { PATH, API_TOKEN: 'abcd1234' } });
    const object = '{"kind": "Secret", "data": {"a": "cXdlcnR6"}}';
    const texts = ['kind: A', 'token: abcd1234', object, 'x'.repeat(MAX_RECORDED_MANIFESTS + 1)];
    for (const manifests of texts) await run([shell('cat >/dev/null')], { manifests });
    const records = (await context.records.all()).toReversed();
    expect(
      records.map(({ manifests, manifestsWithheld }) => ({ manifests, manifestsWithheld })),
    ).toEqual([
      { manifests: 'kind: A', manifestsWithheld: false },
      { manifests: null, manifestsWithheld: true },
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
    variables: [],
    values: {},
    contract: { set: {}, unset: [], syncFilesJson: null },
    containers: null,
    manifests: null,
    manifestsWithheld: false,
  });

  /** `at`: the time of the record, in seconds since 1970. */
  function writeOld(folder: string, at: number): void {
    const path = join(folder, `r${at}.run.json`);
    writeFileSync(path, JSON.stringify(recorded(`r${at}`, at)));
    utimesSync(path, at, at);
  }

  it('are listed newest first, and a damaged or missing one reads as null', async () => {
    const { records, folder } = open();
    await records.write(recorded('a', 1));
    await records.write(recorded('b', 2));
    writeFileSync(join(folder, 'c.run.json'), '{"runId": "c"');
    writeFileSync(join(folder, 'd.run.json'), '{"runId": "d"}');
    expect((await records.all()).map(({ runId }) => runId)).toEqual(['b', 'a']);
    expect(await records.read('c')).toBeNull();
    expect(await records.read('../records')).toBeNull();
    expect(await records.read('nobody')).toBeNull();
  });

  it('are all listed where few files may be open at once', async () => {
    const { folder } = open();
    for (let at = 0; at < 300; at += 1) {
      writeFileSync(join(folder, `r${at}.run.json`), JSON.stringify(recorded(`r${at}`, at)));
    }
    const records = new RunRecords(filesWithAtMost({ max: OPEN_FILES_MAX }), folder);
    expect(await records.all()).toHaveLength(300);
  });

  it('are not taken for missing when one of them cannot be read', async () => {
    const { folder } = open();
    writeFileSync(join(folder, 'a.run.json'), JSON.stringify(recorded('a', 1)));
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
      writeOld(folder, at);
    }
    const limit = { max: 0 };
    const records = new RunRecords(filesWithAtMost(limit), folder);
    await records.write(recorded('last', count));
    expect(readdirSync(folder)).toHaveLength(count);
    limit.max = OPEN_FILES_MAX;
    await records.write(recorded('last', count));
    expect(readdirSync(folder)).toHaveLength(MAX_RECORDED_RUNS);
  });

  it('of earlier versions, which held the environment, are removed, and those of this one stay', async () => {
    const { records, folder } = open();
    await records.write(recorded('b', 2));
    writeFileSync(join(folder, 'a.json'), '{"variables":{"DB_URL":"postgres://u:pw@h/d"}}');
    writeFileSync(join(folder, 'c.json.tmp'), '{"variables":{"DB_URL"');
    writeFileSync(join(folder, 'd.run.json.tmp'), 'of another session, this moment');
    await records.removeEarlier();
    expect(readdirSync(folder).toSorted()).toEqual(['b.run.json', 'd.run.json.tmp']);
  });

  it('are bounded: the oldest are deleted', async () => {
    const { records, folder } = open();
    const count = MAX_RECORDED_RUNS + 101;
    for (let at = 1; at < count; at += 1) {
      writeOld(folder, at);
    }
    await records.write(recorded('last', count));
    expect(readdirSync(folder)).toHaveLength(MAX_RECORDED_RUNS);
    expect(await records.read('r1')).toBeNull();
    expect((await records.read('last'))?.atMs).toBe(count);
  });
});
