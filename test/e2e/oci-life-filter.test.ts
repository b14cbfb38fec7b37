/** precreate hooks, which filter the configuration of a container (OCI-CASE24). */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listContainers } from '../../src/lifecycles/container/life/query.ts';
import { openStand, until, type Stand } from './oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const addFilter = async (name: string, text: string, more: object = {}): Promise<void> => {
  const hook = { ...(await stand.script(`${name}.sh`, `#!/bin/sh\n${text}\n`)), ...more };
  const file = { version: '1.0.0', hook, when: { always: true }, stages: ['precreate'] };
  await stand.writeHookFile(`${name}.json`, file);
};

describe('precreate hooks', () => {
  it('filter the configuration in order, and the container uses the last result', async () => {
    await addFilter('1', 'sed "s/first/second/"');
    await addFilter('2', 'sed "s/second/third/"');
    const args = ['sh', '-c', 'echo first'];
    await stand.writeConfig({ process: { cwd: '/', args, env: ['PATH=/usr/bin:/bin'] } });
    expect((await stand.create()).kind).toBe('done');
    await stand.start();
    await until(async () => (await stand.view()).exit !== null, 'its end is recorded');
    const log = join(stand.life.root, 'web', 'stdout.log');
    expect(await readFile(log, 'utf8')).toBe('third\n');
  });

  it('get the selected hooks, and can remove them', async () => {
    await addFilter('1', 'sed "s/.hooks.:.*/\\"hooks\\":{}}/"');
    const hook = stand.hook('a');
    const file = { version: '1.0.0', hook, when: { always: true }, stages: ['prestart'] };
    await stand.writeHookFile('2.json', file);
    await stand.writeConfig({});
    expect((await stand.create()).kind).toBe('done');
    expect(await stand.points()).toEqual([]);
  });

  it.each([
    ['prints invalid JSON', 'echo "{"', {}, 'must be one JSON object'],
    ['prints nothing', 'true', {}, 'must be one JSON object'],
    ['prints an empty object', 'echo "{}"', {}, 'ociVersion (text), root.path (text), process'],
    ['takes the process away', 'sed s/.process./\\"x\\"/', {}, 'missing: process (object).'],
    ['fails', 'cat; exit 3', {}, 'exited with code 3'],
    ['exceeds its timeout', 'cat; sleep 60', { timeout: 1 }, 'did not end within 1 s'],
  ])('fail the creation when one %s, and change nothing', async (...[, text, more, reason]) => {
    await addFilter('1', 'cat');
    await addFilter('2', text, more);
    await stand.writeConfig({ hooks: { poststop: [stand.hook('never')] } });
    const config = join(stand.bundle, 'config.json');
    const before = await readFile(config, 'latin1');
    const outcome = await stand.create();
    expect(outcome.kind).toBe('failed');
    if (outcome.kind !== 'failed') return;
    expect(outcome.problem.message).toContain('precreate hook #1');
    expect(outcome.problem.message).toContain(reason);
    expect(await readFile(config, 'latin1')).toBe(before);
    expect(await listContainers(stand.life)).toEqual([]);
    expect(await readdir(stand.life.root)).toEqual([]);
    expect(await stand.points()).toEqual([]);
  });

  it('keep the configuration and its secrets out of every record', async () => {
    await addFilter('1', 'cat', { env: ['API_TOKEN=letmein-4711'] });
    const args = ['sh', '-c', 'echo "$API_TOKEN"'];
    const env = ['PATH=/usr/bin:/bin', 'API_TOKEN=letmein-4711'];
    await stand.writeConfig({ process: { cwd: '/', args, env } });
    await stand.create();
    expect(JSON.stringify(stand.events)).not.toContain('letmein');
    // The container itself must still get the real value.
    await stand.start();
    await until(async () => (await stand.view()).exit !== null, 'its end is recorded');
    const log = join(stand.life.root, 'web', 'stdout.log');
    expect(await readFile(log, 'utf8')).toBe('letmein-4711\n');
  });
});
