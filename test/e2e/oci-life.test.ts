/**
 * The life of a container on the process runner. Numbers in the titles are those of the conformance list for container
 * hooks.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { containerId, openStand, until, type Stand } from './oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const stages = [
  'prestart',
  'createRuntime',
  'createContainer',
  'startContainer',
  'poststart',
  'poststop',
] as const;

describe('the lifecycle of a container on the process runner', () => {
  it('runs the hooks of all six points in the order of the specification, with the state of each (OCI-CASE32)', async () => {
    const hooks = Object.fromEntries(
      stages.map((stage) => [stage, [stand.hook('a'), stand.hook('b')]]),
    );
    await stand.writeConfig({ hooks });
    expect(await stand.create()).toEqual({ kind: 'done', warnings: [] });
    const { pid } = (await stand.view()).state;
    expect(await stand.start()).toEqual({ kind: 'done', warnings: [] });
    expect(await stand.status()).toBe('running');
    await stand.remove();
    const seen = await stand.seen();
    expect(await stand.points()).toEqual(stages.flatMap((stage) => [`${stage} a`, `${stage} b`]));
    const statuses = ['creating', 'creating', 'creating', 'created', 'running', 'stopped'];
    expect(seen.map(({ state }) => state.status)).toEqual(statuses.flatMap((one) => [one, one]));
    for (const { stage, state, cwd } of seen) {
      expect(state).toMatchObject({
        ociVersion: '1.3.0',
        id: containerId,
        bundle: stand.bundle,
        annotations: { 'com.example.tier': 'web' },
      });
      expect(state.pid).toBe(stage === 'poststop' ? undefined : pid);
      const inContainer = stage === 'createContainer' || stage === 'startContainer';
      expect(cwd).toBe(inContainer ? join(stand.bundle, 'rootfs') : stand.bundle);
    }
  });

  it('keeps one process id from created to running', async () => {
    await stand.writeConfig({});
    await stand.create();
    const { pid } = (await stand.view()).state;
    const before = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    await stand.start();
    await until(
      async () => (await readFile(`/proc/${pid}/comm`, 'utf8')) === 'sleep\n',
      'the program has begun',
    );
    expect(before).toContain('/gate');
    expect((await stand.view()).state.pid).toBe(pid);
  });

  it('gives the program only its own environment and working directory', async () => {
    const args = ['sh', '-c', 'env -u PWD -u _ -u SHLVL; pwd; cat'];
    const env = ['PATH=/usr/bin:/bin', 'EMPTY=', 'LINES=a\nb', 'A=1', 'A=2'];
    await stand.writeConfig({ process: { cwd: '/srv', args, env } });
    await stand.create();
    await stand.start();
    await until(async () => (await stand.view()).exit !== null, 'its end is recorded');
    const log = await readFile(join(stand.life.root, containerId, 'stdout.log'), 'utf8');
    const lines = log.trim().split('\n').toSorted();
    const own = ['PATH=/usr/bin:/bin', 'EMPTY=', 'LINES=a', 'b', 'A=2'];
    expect(lines).toEqual([...own, join(stand.bundle, 'rootfs', 'srv')].toSorted());
  });

  it('appends hooks of hooks directories to those of config.json, once each (OCI-CASE23)', async () => {
    await stand.writeConfig({ hooks: { poststart: [stand.hook('own')] } });
    const when = { always: true };
    for (const name of ['one', 'own']) {
      const file = { version: '1.0.0', hook: stand.hook(name), when, stages: ['poststart'] };
      await stand.writeHookFile(`${name}.json`, file);
    }
    const before = await readFile(join(stand.bundle, 'config.json'), 'utf8');
    await stand.create();
    await stand.start();
    expect(await stand.points()).toEqual(['poststart own', 'poststart one']);
    expect(await readFile(join(stand.bundle, 'config.json'), 'utf8')).toBe(before);
  });

  it('runs prestart and poststop at every restart (OCI-CASE38)', async () => {
    const hooks = { prestart: [stand.hook('a')], poststop: [stand.hook('a')] };
    await stand.writeConfig({ hooks, process: { cwd: '/', args: ['true'] } });
    for (let round = 0; round < 3; round += 1) {
      await stand.create();
      await stand.start();
      await until(async () => (await stand.status()) === 'stopped', 'it has ended');
      await stand.remove(false);
    }
    expect(await stand.points()).toEqual([1, 2, 3].flatMap(() => ['prestart a', 'poststop a']));
  });
});
