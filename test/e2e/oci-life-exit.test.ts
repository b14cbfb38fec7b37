/** How a container's exit is observed, recorded and reported. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasExited, openStand, until, type Stand } from './oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

describe('the exit of a container', () => {
  const exitHook = (name: string, exitCode = 0): object => ({
    version: '1.0.0',
    hook: stand.hook(name, exitCode),
    when: { always: true },
    stages: ['postexit'],
  });

  it.each([
    ['its code', 'exit 7', { exitCode: 7, signal: null }, '7/'],
    ['its signal', 'kill -TERM $$', { exitCode: null, signal: 'SIGTERM' }, '/SIGTERM'],
  ])('is recorded and passed to postexit hooks with %s', async (...[, script, exit, variables]) => {
    await stand.writeHookFile('a.json', exitHook('a', 1));
    await stand.writeHookFile('b.json', exitHook('b'));
    await stand.writeConfig({ process: { cwd: '/', args: ['sh', '-c', script] } });
    await stand.create();
    await stand.start();
    await until(async () => (await stand.points()).length === 2, 'the postexit hooks have run');
    const view = await stand.view();
    expect(view).toMatchObject({ exit, state: { status: 'stopped', ...exit } });
    for (const seen of await stand.seen()) {
      expect(seen).toMatchObject({ stage: 'postexit', exit: variables, state: exit });
    }
    expect(await stand.points()).toEqual(['postexit a', 'postexit b']);
    // The supervisor ran the hook and prints nothing, so `delete` must report the failure.
    const failure = { code: 'LHC221', severity: 'warning' };
    expect(await stand.remove()).toMatchObject([failure]);
    const shown = stand.events.filter(({ type }) => type === 'Warning');
    expect(shown).toMatchObject([{ problem: failure }]);
    expect(JSON.stringify(shown)).toContain('hook a gives up');
    expect(await stand.points()).toEqual(['postexit a', 'postexit b']);
  });

  it('does not exist for a program that was never started', async () => {
    await stand.writeHookFile('a.json', exitHook('a'));
    await stand.writeConfig({});
    await stand.create();
    await stand.remove();
    expect(await stand.points()).toEqual([]);
  });

  it('runs postexit before poststop when a running container is deleted', async () => {
    await stand.writeHookFile('a.json', exitHook('a'));
    await stand.writeConfig({ hooks: { poststop: [stand.hook('b')] } });
    await stand.create();
    await stand.start();
    await stand.remove();
    expect(await stand.points()).toEqual(['postexit a', 'poststop b']);
    expect((await stand.seen())[0]).toMatchObject({ exit: '/SIGKILL' });
  });

  it('kills the child processes of the program', async () => {
    const script = 'sleep 100 & echo $! >child; exit 0';
    await stand.writeConfig({ process: { cwd: '/', args: ['sh', '-c', script] } });
    await stand.create();
    await stand.start();
    await until(async () => (await stand.status()) === 'stopped', 'it has ended');
    const child = (await readFile(join(stand.bundle, 'rootfs', 'child'), 'utf8')).trim();
    await until(() => hasExited(child), 'its child is gone');
  });
});
