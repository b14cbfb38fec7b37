/** Hooks that the engine runs. Numbers in the titles are those of the conformance list for container hooks. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listContainers } from '../../src/lifecycles/container/life/query.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasExited, openStand, until, type Stand } from './oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

describe('a hook', () => {
  it('gets only its env and the variables of Lifehook (OCI-CASE25)', async () => {
    // The hook is env(1) itself, because a shell would add variables.
    const env = '/usr/bin/env';
    await stand.writeConfig({
      hooks: { createRuntime: [{ path: env }, { path: env, env: ['A=1', 'A=2', 'B==x'] }] },
    });
    await stand.create();
    const printed = stand.events.flatMap((event) =>
      event.type === 'Hook' && event.event.detail.type === 'AttemptSettled'
        ? [event.event.detail.result.stdout.text.trim().split('\n').toSorted()]
        : [],
    );
    const ours = ['LIFEHOOK_CONTAINER_ID=web', 'LIFEHOOK_STAGE=createRuntime'];
    expect(printed).toEqual([ours, ['A=2', 'B==x', ...ours]]);
  });

  it('gets exactly its argv, argv[0] included (OCI-CASE28)', async () => {
    const script = await stand.script('argv.sh', '#!/bin/sh\ntr "\\0" "\\n" </proc/$$/cmdline\n');
    const hooks = {
      createRuntime: [
        { path: '/usr/bin/env', args: ['ls', '/no/such/file'] },
        { ...script, args: ['other name', 'a b', ''] },
      ],
    };
    await stand.writeConfig({ hooks });
    // Errors of env(1) contain its argv[0], so they show which one it got.
    const outcome = await stand.create();
    expect(outcome).toMatchObject({ kind: 'failed' });
    if (outcome.kind === 'failed')
      expect(outcome.problem.message).toMatch(/ls: .*\/no\/such\/file/);
  });

  it.each([
    ['runs once', 1, { kind: 'done' }, ['createRuntime a']],
    ['never runs', 3, { kind: 'failed', problem: { code: 'LHC220' } }, []],
  ])('%s when signals end its runner %d times before it begins', async (...row) => {
    const [, times, outcome, points] = row;
    const runner = await stand.script(
      'runner.sh',
      `#!/bin/sh
echo >>"\${0%/*}/started"
[ "$(wc -l <"\${0%/*}/started")" -gt ${times} ] || kill -USR1 $$
exec "$@"
`,
    );
    Object.assign(stand.life, { hookRunner: [runner.path, ...(stand.life.hookRunner ?? [])] });
    await stand.writeConfig({ hooks: { createRuntime: [stand.hook('a')] } });
    expect(await stand.create()).toMatchObject(outcome);
    expect(await stand.points()).toEqual(points);
  });

  it('is terminated with its child processes at its timeout, which the error names (OCI-CASE26)', async () => {
    const slow = await stand.script(
      'slow.sh',
      '#!/bin/sh\necho before\nsleep 600 &\necho $! >"${0%/*}/grandchild"\nsleep 600\n',
    );
    await stand.writeConfig({ hooks: { createRuntime: [{ ...slow, timeout: 5 }] } });
    const outcome = await stand.create();
    // In this case runc would wait for a grandchild that holds the pipe. Here the grandchild holds it for 600 s.
    expect(outcome).toMatchObject({ kind: 'failed', problem: { code: 'LHC220' } });
    if (outcome.kind !== 'failed') return;
    expect(outcome.problem.message).toMatch(
      /did not end within 5 s: it was killed by SIGTERM.*before/s,
    );
    const grandchild = (await readFile(join(stand.folder, 'grandchild'), 'utf8')).trim();
    await until(() => hasExited(grandchild), 'the grandchild is gone');
  });
});

describe('a hook that fails', () => {
  it.each(['prestart', 'createContainer'] as const)(
    'in %s fails the creation with its index: no later hook runs, poststop runs, the container is deleted (OCI-CASE29)',
    async (stage) => {
      const hooks = {
        [stage]: [stand.hook('first'), stand.hook('second', 3), stand.hook('third')],
        startContainer: [stand.hook('later')],
        poststop: [stand.hook('after')],
        postexit: [stand.hook('never')],
      };
      await stand.writeConfig({ hooks });
      const outcome = await stand.create();
      expect(outcome).toMatchObject({
        kind: 'failed',
        problem: { code: 'LHC220', at: { file: join(stand.bundle, 'config.json'), line: 1 } },
      });
      if (outcome.kind !== 'failed') return;
      expect(outcome.problem.message).toContain(`${stage} hook #1`);
      expect(outcome.problem.message).toContain('exited with code 3');
      expect(outcome.problem.message).toContain('hook second gives up');
      expect(await stand.points()).toEqual([`${stage} first`, `${stage} second`, 'poststop after']);
      expect(await listContainers(stand.life)).toEqual([]);
    },
  );

  it('in startContainer deletes the container before its program starts', async () => {
    const hooks = { startContainer: [stand.hook('a', 1)], poststop: [stand.hook('after')] };
    const args = ['sh', '-c', 'echo begun >begun'];
    await stand.writeConfig({ hooks, process: { cwd: '/', args } });
    await stand.create();
    expect(await stand.start()).toMatchObject({ kind: 'failed', problem: { code: 'LHC220' } });
    expect(await stand.points()).toEqual(['startContainer a', 'poststop after']);
    await expect(stat(join(stand.bundle, 'rootfs', 'begun'))).rejects.toThrow('ENOENT');
    expect(await listContainers(stand.life)).toEqual([]);
  });

  it('in poststart kills and deletes the container, and poststop runs (OCI-CASE30)', async () => {
    const hooks = {
      poststart: [stand.hook('a', 1), stand.hook('b')],
      poststop: [stand.hook('after')],
    };
    await stand.writeConfig({ hooks });
    await stand.create();
    const { pid } = (await stand.view()).state;
    expect(await stand.start()).toMatchObject({ kind: 'failed', problem: { code: 'LHC220' } });
    expect(await stand.points()).toEqual(['poststart a', 'poststop after']);
    expect(await hasExited(String(pid))).toBe(true);
    expect(await listContainers(stand.life)).toEqual([]);
  });

  it('in poststart only warns if configured, as up to OCI 1.2 (OCI-CASE30)', async () => {
    await stand.writeConfig({ hooks: { poststart: [stand.hook('a', 1), stand.hook('b')] } });
    await stand.create({ poststartFailure: 'warn' });
    expect(await stand.start()).toMatchObject({
      kind: 'done',
      warnings: [{ code: 'LHC221', severity: 'warning' }],
    });
    expect(await stand.points()).toEqual(['poststart a', 'poststart b']);
    expect(await stand.status()).toBe('running');
  });

  it('in poststop is a warning, and the next hook still runs (OCI-CASE31)', async () => {
    const hooks = { poststop: [stand.hook('a', 1), stand.hook('b')] };
    await stand.writeConfig({ hooks });
    await stand.create();
    expect(await stand.remove()).toMatchObject([{ code: 'LHC221', severity: 'warning' }]);
    expect(await stand.points()).toEqual(['poststop a', 'poststop b']);
    expect(await listContainers(stand.life)).toEqual([]);
  });

  it('because its program does not exist is reported with that reason', async () => {
    await stand.writeConfig({ hooks: { prestart: [{ path: '/no/such/hook' }] } });
    const outcome = await stand.create();
    expect(outcome.kind === 'failed' ? outcome.problem.message : '').toContain('does not exist');
  });
});
