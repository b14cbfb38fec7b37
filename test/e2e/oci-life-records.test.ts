/** Records of hooks, which stay when their container is deleted. */
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spoolFolder } from '../../src/lifecycles/container/life/life.ts';
import { readSpool, type HookRecord } from '../../src/lifecycles/container/hook-runs/read-spool.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { containerId, openStand, type Stand } from './oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const records = async (): Promise<readonly HookRecord[]> =>
  (await readSpool(nodeFiles, spoolFolder(stand.life.root), { limit: 100 })).toReversed();

describe('the records of hooks', () => {
  it('are kept after the container is deleted, one for each started hook with outcome and output', async () => {
    await stand.writeConfig({
      hooks: {
        createRuntime: [stand.hook('a'), stand.hook('b', 7), stand.hook('never')],
        poststop: [stand.hook('c')],
      },
    });
    expect((await stand.create()).kind).toBe('failed');
    const kept = await records();
    expect(kept.map(({ stage, index, attempts }) => [stage, index, attempts])).toEqual([
      ['createRuntime', 0, 1],
      ['createRuntime', 1, 1],
      ['poststop', 0, 1],
    ]);
    expect(kept[1]).toMatchObject({
      container: containerId,
      bundle: stand.bundle,
      hook: 'config.json',
      result: { outcome: 'Failed', exitCode: 7, stderr: { text: 'hook b gives up\n' } },
    });
  });

  it('are missing with a warning where they cannot be written', async () => {
    const spool = spoolFolder(stand.life.root);
    await writeFile(spool, 'not a directory');
    await stand.writeConfig({ hooks: { createRuntime: [stand.hook('a')] } });
    expect((await stand.create()).kind).toBe('done');
    const warnings = stand.events.filter(({ type }) => type === 'Warning');
    expect(warnings).toMatchObject([{ problem: { code: 'LHC303', severity: 'warning' } }]);
    expect(JSON.stringify(warnings)).toContain(spool);
  });

  it('include the postexit hooks that the supervisor ran', async () => {
    await stand.writeConfig({ process: { cwd: '/', args: ['true'], env: ['PATH=/usr/bin:/bin'] } });
    await stand.writeHookFile('10-exit.json', {
      version: '1.0.0',
      hook: stand.hook('x'),
      when: { always: true },
      stages: ['postexit'],
    });
    await stand.create();
    await stand.start();
    await stand.remove();
    expect(await records()).toMatchObject([
      { stage: 'postexit', hook: '10-exit.json', result: { outcome: 'Succeeded' } },
    ]);
  });

  it('do not fail the container when they cannot be written', async () => {
    await nodeFiles.makeFolder(dirname(spoolFolder(stand.life.root)), 0o700);
    await nodeFiles.create(
      spoolFolder(stand.life.root),
      'a file where the folder should be',
      0o600,
    );
    await stand.writeConfig({ hooks: { createRuntime: [stand.hook('a')] } });
    expect(await stand.create()).toEqual({ kind: 'done', warnings: [] });
  });
});
