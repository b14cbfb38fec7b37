import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import { readHookOrder, readReport, writeHookOrder, type HookOrder } from './hook-order.ts';

const order: HookOrder = {
  timeoutMs: 1500,
  by: { pid: 4711, started: 'b2c1-0d/12345' },
  endFile: '/run/life hook/a:b.end',
  file: '/hook',
  argv: ['', '--', 'x\ny'],
};

describe('readHookOrder', () => {
  it.each([order, { ...order, timeoutMs: null }, { ...order, timeoutMs: 0.5, argv: [] }])(
    'reads back what writeHookOrder writes: %j',
    (one) => {
      expect(readHookOrder(writeHookOrder(one))).toEqual(one);
    },
  );

  it.each([
    ['other arguments', ['--stage=createRuntime', '--spool=/s']],
    ['no program', writeHookOrder(order).slice(0, 2)],
    ['a deadline that is no number', ['--keep-deadline', 'soon:1:b/2:/end', '/hook']],
    ['no command', ['--keep-deadline', '1500:/end', '/hook']],
    ['no end file', ['--keep-deadline', '1500:1:b/2:', '/hook']],
    ['an order that begins with another argument', ['--other', '1500:1:b/2:/end', '/hook']],
  ])('refuses %s', (_name, args) => {
    expect(readHookOrder(args)).toBeNull();
  });
});

describe('readReport', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hook-report-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('reads what a runner wrote, and null where it has written nothing or not all yet', async () => {
    const path = join(folder, 'end');
    expect(await readReport(nodeFiles, path)).toBeNull();
    await writeFile(path, '{"kind":"running","runner":{"pid":1');
    expect(await readReport(nodeFiles, path)).toBeNull();
    await writeFile(path, '{"kind":"running","runner":{"pid":1,"started":"b/2"}}');
    expect(await readReport(nodeFiles, path)).toEqual({
      kind: 'running',
      runner: { pid: 1, started: 'b/2' },
    });
  });

  it('rejects where the file cannot be read', async () => {
    await expect(readReport(nodeFiles, folder)).rejects.toThrow('EISDIR');
  });
});
