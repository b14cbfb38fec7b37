/** Killed processes, concurrent commands, and the commands that follow. */
import { rmSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killContainer, listContainers } from '../../src/lifecycles/container/life/query.ts';
import { readSpool } from '../../src/lifecycles/container/hook-runs/read-spool.ts';
import { spoolFolder } from '../../src/lifecycles/container/life/life.ts';
import { createContainer } from '../../src/lifecycles/container/drive.ts';
import type { OciHook } from '../../src/lifecycles/container/points.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { Platform } from '../../src/platform/platform.ts';
import type { StartedReport } from '../../src/supervisor/records.ts';
import {
  containerId,
  hasExited,
  openStand,
  processesOf,
  until,
  type Stand,
} from './oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const report = async (): Promise<StartedReport> => {
  const text = await readFile(join(stand.life.root, containerId, 'report.json'), 'utf8');
  return JSON.parse(text) as StartedReport;
};

/** A hook that records itself and then runs long enough to be killed. */
const slowHook = async (): Promise<OciHook> => {
  const recorder = stand.hook('slow').args?.slice(1).join(' ') ?? '';
  return stand.script(
    'slow.sh',
    `#!/bin/sh\n"\${0%/*}/recorder.sh" ${recorder}\nwhile [ -e "$0" ]; do sleep 0.1; done\n`,
  );
};

describe('a command that is killed', () => {
  it.each(['prestart', 'createContainer'])(
    'in create during %s hooks leaves a container that delete removes, with its poststop hooks',
    async (stage) => {
      const poststop = [stand.hook('after')];
      await stand.writeConfig({ hooks: { [stage]: [await slowHook()], poststop } });
      const creating = stand.command({ do: 'create', options: stand.options() });
      await until(async () => (await stand.points()).length === 1, 'the hook runs');
      creating.kill('SIGKILL');
      await creating.outcome;
      const { state, interrupted } = await stand.view();
      expect([state.status, interrupted]).toEqual(['creating', true]);
      await expect(stand.start()).rejects.toMatchObject({ problems: [{ code: 'LHC214' }] });
      await expect(stand.create()).rejects.toMatchObject({ problems: [{ code: 'LHC212' }] });
      await stand.remove(false);
      expect(await stand.points()).toEqual([`${stage} slow`, 'poststop after']);
      expect(await hasExited(String(state.pid))).toBe(true);
      expect(await readdir(stand.life.root)).toEqual([]);
    },
  );

  it('in start during startContainer hooks leaves a container that cannot be started', async () => {
    const hooks = { startContainer: [await slowHook()], poststop: [stand.hook('after')] };
    await stand.writeConfig({ hooks });
    await stand.create();
    const starting = stand.command({ do: 'start', id: containerId });
    await until(async () => (await stand.points()).length === 1, 'the hook runs');
    starting.kill('SIGKILL');
    await starting.outcome;
    expect(await stand.view()).toMatchObject({ interrupted: true, state: { status: 'created' } });
    await expect(stand.start()).rejects.toMatchObject({ problems: [{ code: 'LHC215' }] });
    await expect(stand.remove(false)).rejects.toMatchObject({ problems: [{ code: 'LHC214' }] });
    await stand.remove();
    expect(await stand.points()).toEqual(['startContainer slow', 'poststop after']);
  });

  it('in start during poststart hooks leaves a running container', async () => {
    await stand.writeConfig({ hooks: { poststart: [await slowHook()] } });
    await stand.create();
    const starting = stand.command({ do: 'start', id: containerId });
    await until(async () => (await stand.points()).length === 1, 'the hook runs');
    expect(await stand.status()).toBe('running');
    starting.kill('SIGKILL');
    await starting.outcome;
    expect(await stand.view()).toMatchObject({ interrupted: true, state: { status: 'running' } });
    await stand.remove();
    expect(await listContainers(stand.life)).toEqual([]);
  });

  it('in delete during poststop hooks is completed by the next delete, which repeats no hook', async () => {
    const hooks = { poststop: [stand.hook('a'), await slowHook(), stand.hook('b')] };
    await stand.writeConfig({ hooks });
    await stand.create();
    const deleting = stand.command({ do: 'forceDelete', id: containerId });
    await until(async () => (await stand.points()).length === 2, 'the hook runs');
    deleting.kill('SIGKILL');
    await deleting.outcome;
    expect(await stand.view()).toMatchObject({ interrupted: true, state: { status: 'stopped' } });
    const [warning] = await stand.remove(false);
    expect(warning?.message).toContain('poststop hook #1');
    expect(await stand.points()).toEqual(['poststop a', 'poststop slow', 'poststop b']);
  });

  it('at any moment of create or delete leaves an id that can be used again', async () => {
    await stand.writeConfig({ hooks: { poststop: [stand.hook('after')] } });
    for (let delayMs = 40; delayMs < 280; delayMs += 10) {
      const options = stand.options();
      const command = stand.command(
        delayMs % 20 === 0 ? { do: 'create', options } : { do: 'forceDelete', id: containerId },
      );
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      command.kill('SIGKILL');
      await command.outcome;
      await stand.remove().catch(() => undefined);
    }
    expect(await stand.create()).toMatchObject({ kind: 'done' });
    await stand.remove();
    expect(await readdir(stand.life.root)).toEqual([]);
    await until(
      async () => (await processesOf(stand.folder)).length === 0,
      'no process is left of any of them',
    );
  });
});

/** Kills the command while this hook runs. The hook writes its own pid and the pid of a child in another session. */
const killDuring = async (text: string, timeout?: number): Promise<readonly string[]> => {
  const hook = await stand.script('left.sh', `#!/bin/sh\n${text}\n`);
  await stand.writeConfig({
    hooks: { createRuntime: [{ ...hook, timeout }], poststop: [stand.hook('after')] },
  });
  const creating = stand.command({ do: 'create', options: stand.options() });
  const said = join(stand.folder, 'said');
  const numbers = async (): Promise<string[]> =>
    (await readFile(said, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  await until(async () => (await numbers()).length === 2, 'the hook and its child run');
  creating.kill('SIGKILL');
  await creating.outcome;
  return numbers();
};
const saying = 'PATH=/usr/bin:/bin; cd "${0%/*}"; echo $$ >said; setsid sh -c \'echo $$ >>said; ';

describe('a hook whose command is killed', () => {
  it('ends at its deadline with everything that it has started', async () => {
    const hook = `${saying}trap : TERM; while true; do sleep 1; done' & trap : TERM; while true; do sleep 1; done`;
    for (const pid of await killDuring(hook, 8)) {
      await until(() => hasExited(pid), `process ${pid} of the hook is gone`);
    }
  });

  it('is killed by delete before the poststop hooks run', async () => {
    const left = await killDuring(`${saying}while true; do sleep 1; done' & wait`);
    await stand.remove(false);
    expect(await Promise.all(left.map(hasExited))).toEqual([true, true]);
    expect(await stand.points()).toEqual(['poststop after']);
  });

  it('is in the records as Unknown, also after delete', async () => {
    await killDuring(`${saying}while true; do sleep 1; done' & wait`);
    const spool = spoolFolder(stand.life.root);
    const outcomes = async (): Promise<unknown[]> =>
      (await readSpool(nodePlatform.files, spool, { limit: 10 })).map(({ stage, result }) => [
        stage,
        result?.outcome,
      ]);
    expect(await outcomes()).toEqual([['createRuntime', 'Unknown']]);
    await stand.remove(false);
    expect(await outcomes()).toEqual([
      ['poststop', 'Succeeded'],
      ['createRuntime', 'Unknown'],
    ]);
  });
});

describe('a supervisor that is killed', () => {
  const postexit = (): Promise<void> =>
    stand.writeHookFile('exit.json', {
      version: '1.0.0',
      hook: stand.hook('a'),
      when: { always: true },
      stages: ['postexit'],
    });

  it('leaves a running container that is found again, with an unknown exit', async () => {
    await postexit();
    await stand.writeConfig({});
    await stand.create();
    await stand.start();
    const { supervisor, process: own } = await report();
    process.kill(supervisor.pid, 'SIGKILL');
    await until(() => hasExited(String(supervisor.pid)), 'the supervisor is gone');
    expect(await stand.view()).toMatchObject({ state: { status: 'running', pid: own.pid } });
    await killContainer(stand.life, containerId, 'SIGTERM');
    await until(async () => (await stand.status()) === 'stopped', 'it has ended');
    expect(await stand.points()).toEqual([]);
    await stand.remove(false);
    // `delete` runs the hooks that the supervisor did not run, with the report that the exit was not observed.
    expect(await stand.seen()).toMatchObject([{ stage: 'postexit', name: 'a', exit: '/' }]);
  });

  it('before start makes start fail with the reason', async () => {
    await stand.writeConfig({});
    await stand.create();
    const { supervisor } = await report();
    process.kill(supervisor.pid, 'SIGKILL');
    await until(() => hasExited(String(supervisor.pid)), 'the supervisor is gone');
    await expect(stand.start()).rejects.toMatchObject({ problems: [{ code: 'LHC216' }] });
    await stand.remove();
  });

  it('between starting the process and reporting it leaves no process behind (OCI-V1)', async () => {
    await stand.writeConfig({});
    const [node = '', program = ''] = stand.life.supervisor;
    const life = { ...stand.life, supervisor: [node, program, 'superviseHastily'] };
    const created = createContainer(life, stand.options());
    await expect(created).rejects.toMatchObject({ problems: [{ code: 'LHC231' }] });
    await until(async () => (await processesOf(stand.folder)).length === 0, 'all are gone');
  });

  it('that fails to start is an error', async () => {
    await stand.writeConfig({ hooks: { poststop: [stand.hook('after')] } });
    const life = { ...stand.life, supervisor: ['/bin/false'] };
    const created = createContainer(life, stand.options());
    await expect(created).rejects.toMatchObject({ problems: [{ code: 'LHC231' }] });
    expect(await readdir(stand.life.root)).toEqual([]);
  });
});

describe('two concurrent commands', () => {
  it('on one container run one after the other', async () => {
    const slow = await slowHook();
    await stand.writeConfig({ hooks: { prestart: [slow] } });
    const first = stand.command({ do: 'create', options: stand.options() });
    await until(async () => (await stand.points()).length === 1, 'the hook of the first runs');
    // The first hook may end only while the second command waits for the lock.
    const { clock, timers } = nodePlatform;
    let isReleased = false;
    const platform: Platform = {
      ...nodePlatform,
      // With this clock the wait for the lock never reaches its time limit, which another test covers.
      clock: { nowMs: () => clock.nowMs(), monotonicMs: () => 0 },
      timers: {
        after: (ms, callback) => {
          if (!isReleased) rmSync(slow.path);
          isReleased = true;
          return timers.after(ms, callback);
        },
      },
    };
    const second = createContainer({ ...stand.life, platform }, stand.options());
    await expect(second).rejects.toMatchObject({ problems: [{ code: 'LHC212' }] });
    expect(await first.outcome).toMatchObject({ kind: 'done' });
  });

  it('on one container: the second fails at its limit while the first holds the lock', async () => {
    await stand.writeConfig({ hooks: { poststart: [await slowHook()] } });
    await stand.create();
    const starting = stand.command({ do: 'start', id: containerId });
    await until(async () => (await stand.points()).length === 1, 'the hook runs');
    await expect(stand.remove()).rejects.toMatchObject({ problems: [{ code: 'LHC213' }] });
    expect(await stand.status()).toBe('running');
    starting.kill('SIGKILL');
    await starting.outcome;
  });

  it('that create the same id succeed exactly once out of ten', async () => {
    await stand.writeConfig({});
    const commands = Array.from({ length: 10 }, () =>
      stand.command({ do: 'create', options: stand.options() }),
    );
    const outcomes = (await Promise.all(commands.map(({ outcome }) => outcome))) as {
      kind?: string;
    }[];
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1);
    expect(await stand.status()).toBe('created');
  });

  it('that delete the same container remove it once, and run its hooks once', async () => {
    await stand.writeConfig({ hooks: { poststop: [stand.hook('after')] } });
    await stand.create();
    const commands = [1, 2, 3].map(() => stand.command({ do: 'forceDelete', id: containerId }));
    const outcomes = await Promise.all(commands.map(({ outcome }) => outcome));
    expect(outcomes.filter((outcome) => Array.isArray(outcome))).toHaveLength(1);
    expect(await stand.points()).toEqual(['poststop after']);
  });
});

describe('a leftover file', () => {
  it('in the directory of an id that never became a container is removed', async () => {
    await mkdir(join(stand.life.root, containerId, 'gate'), { recursive: true });
    await stand.writeConfig({});
    expect(await listContainers(stand.life)).toEqual([]);
    expect(await stand.create()).toMatchObject({ kind: 'done' });
  });
});
