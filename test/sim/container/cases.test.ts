/** Regression tests, one for each defect that the simulation found in the container lifecycle. */
import { beforeEach, describe, expect, it } from 'vitest';

import { Random } from '../random.ts';
import { World } from '../world.ts';
import type { Verb } from './commands.ts';
import { HOOK_RUNNER } from './own-programs.ts';
import { type ContainerPlan, type HookPlan, planOf } from './plan.ts';
import { Stand } from './stand.ts';

const quick: HookPlan = { timeout: null, hasSecret: false };
const hanging: HookPlan = { ...quick, hangs: true };
const late: HookPlan = { ...hanging, timeout: 1 };

let stand: Stand;

function begin(seed: number): void {
  stand = new Stand(new World(), new Random(seed));
  stand.account.faulty = false;
}

beforeEach(() => {
  begin(1);
});

const done = (verb: Verb, plan?: ContainerPlan): Promise<string | null> =>
  stand.ended(stand.command(verb, 'web', plan));

const processesNamed = (name: string): number =>
  [...stand.host.processes.values()].filter(({ argv }) => argv[0] === name).length;

describe('delete', () => {
  it('lets no supervisor start a process whose create was killed before (OCI-O4)', async () => {
    const creating = stand.command('create', 'web', planOf({ poststop: [late, quick] }));
    stand.onStart.push((process) => {
      if (process.argv[0] !== '/lifehook/supervise') return;
      process.pausedUntilMs = stand.world.elapsedMs + 500;
    });
    await stand.until(() => processesNamed('/lifehook/supervise') === 1);
    stand.host.kill(creating.process);
    expect(await done('force delete')).toBe('done');
    await stand.pass(200);
    expect(stand.world.violation).toBeNull();
    expect(stand.account.ofNumber(1).held).toBeNull();
  });

  it('kills no process that got the number of the container after a restart of the machine', async () => {
    await done('create', planOf({}));
    const number = stand.account.ofNumber(1).held?.pid;
    stand.losePower();
    const others = Array.from({ length: 10 }, () => stand.startOther());
    expect(others.some(({ pid }) => pid === number)).toBe(true);
    expect(await done('force delete')).toBe('done');
    expect(others.filter(({ alive }) => !alive)).toEqual([]);
  });

  it('ends the shell that a killed start has left at the gate of a dead container', async () => {
    await done('create', planOf({}));
    const starting = stand.command('start', 'web');
    const opener = (): boolean =>
      [...stand.host.processes.values()].some(({ argv }) => argv[2] === 'echo go >"$0"');
    await stand.until(opener);
    const { held } = stand.account.ofNumber(1);
    if (held !== null) stand.host.kill(held);
    stand.host.kill(starting.process);
    await stand.pass(100);
    expect(processesNamed('sh')).toBe(1);
    expect(await done('force delete')).toBe('done');
    expect(processesNamed('sh')).toBe(0);
  });

  it('ends a postexit hook of a killed supervisor before the poststop hooks', async () => {
    await done('create', planOf({ postexit: [hanging], poststop: [quick] }));
    await done('start');
    await done('stop');
    const { hooks } = stand.account.ofNumber(1);
    await stand.until(() => hooks.length === 1);
    for (const process of stand.host.processes.values()) {
      if (process.argv[0] === '/lifehook/supervise') stand.host.kill(process);
    }
    expect(await done('delete')).toBe('done');
    expect(stand.world.violation).toBeNull();
    expect(hooks.map(({ point, endedMs }) => [point, endedMs !== null])).toEqual([
      ['postexit', true],
      ['poststop', true],
    ]);
  });
});

describe('a create that waits for one that fails', () => {
  it('makes its container, whatever the first one still removes', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      begin(seed);
      const first = stand.command('create', 'web', planOf({ createRuntime: [late] }));
      await stand.until(() => stand.account.ofNumber(1).hooks.length === 1);
      const second = stand.command(
        'create',
        'web',
        planOf({ createRuntime: [quick, quick, quick] }),
      );
      const third = stand.command(
        'create',
        'web',
        planOf({ createRuntime: [quick, quick, quick] }),
      );
      await stand.pass(10_000);
      expect([seed, first.outcome]).toEqual([seed, 'failed']);
      const others = [second.outcome, third.outcome];
      expect([seed, others.includes('done'), others.includes('LHC212')]).toEqual([
        seed,
        true,
        true,
      ]);
      expect([seed, stand.world.violation]).toEqual([seed, null]);
    }
  });
});

describe('the runner of a hook', () => {
  it('starts no hook if its command died before it reported itself (OCI-O6)', async () => {
    const creating = stand.command('create', 'web', planOf({ createRuntime: [quick] }));
    await stand.until(() => processesNamed(HOOK_RUNNER) === 1);
    stand.host.kill(creating.process);
    expect(processesNamed(HOOK_RUNNER)).toBe(1);
    await stand.until(() => processesNamed(HOOK_RUNNER) === 0);
    expect(stand.world.violation).toBeNull();
    expect(stand.account.ofNumber(1).hooks).toEqual([]);
  });
});
