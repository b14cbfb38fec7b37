import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { nodePlatform } from '../../platform/node-platform.ts';
import { readRunning, stateFolderOf, usualStateFolder } from './cluster-state.ts';

beforeEach(() => {
  vi.stubEnv('XDG_STATE_HOME', undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('the state directory of a local cluster', () => {
  it('is below XDG_STATE_HOME, else below the home directory', () => {
    vi.stubEnv('HOME', '/home/me');
    expect(stateFolderOf({ cluster: 'a' })).toBe('/home/me/.local/state/lifehook/a');
    vi.stubEnv('XDG_STATE_HOME', '');
    expect(usualStateFolder()).toBe('/home/me/.local/state/lifehook');
    vi.stubEnv('XDG_STATE_HOME', '/var/state');
    expect(stateFolderOf({ cluster: 'a' })).toBe('/var/state/lifehook/a');
  });

  it('is an error that names HOME and XDG_STATE_HOME when the user has no home directory', () => {
    vi.stubEnv('HOME', '');
    expect(() => stateFolderOf({ cluster: 'a' })).toThrow(/LHA108.*HOME or XDG_STATE_HOME/);
    expect(usualStateFolder()).toBeNull();
  });

  it('is the given one without a look at the home directory', () => {
    vi.stubEnv('HOME', '');
    expect(stateFolderOf({ cluster: 'a', stateDir: '/srv/a' })).toBe('/srv/a');
  });
});

describe('the file of a running cluster', () => {
  /** The fields of /proc/PID/stat from the fourth on; the 20th is the number of threads. */
  const statOf = (threads: number): string =>
    Array.from({ length: 30 }, (_, index) => (index === 16 ? threads : index + 4)).join(' ');

  /**
   * A process 42 with these states, one for each reading of its status: name, pending signals, threads. ESRCH: it exits
   * between the opening of the file and the reading.
   */
  function statesOf(...states: readonly (readonly [string, string, number])[]): void {
    const running = { process: { pid: 42, started: 'boot/22' }, server: '', kubeconfig: '' };
    const left = [...states];
    const [now = ['S', '', 1] as const] = left;
    let state = now;
    vi.spyOn(nodePlatform.files, 'read').mockImplementation(async (path) => {
      if (path.endsWith('up.json')) return JSON.stringify(running);
      if (path.endsWith('boot_id')) return 'boot\n';
      if (path === '/proc/42/stat' && state[0] !== 'ESRCH')
        return `42 (node) ${state[0]} ${statOf(state[2])}\n`;
      if (!path.startsWith('/proc/42/stat')) throw new Error(`${path} is not read`);
      state = left.shift() ?? state;
      if (state[0] === 'ESRCH') throw Object.assign(new Error('exited'), { code: 'ESRCH' });
      return `State:\t${state[0]} (state)\nThreads:\t${state[2]}\nShdPnd:\t${state[1]}\n`;
    });
  }

  it('is not a file of that name from another program', async () => {
    const read = vi.spyOn(nodePlatform.files, 'read');
    for (const text of ['{ "name": "up" }', 'null', 'up: true']) {
      read.mockResolvedValue(text);
      expect(await readRunning('/project')).toBeNull();
    }
  });

  it('names a process that runs', async () => {
    statesOf(['S', '0000000000000000', 7]);
    expect(await readRunning('/state')).toMatchObject({ process: { pid: 42 } });
  });

  it('does not count once its process was killed, even while that process is still exiting', async () => {
    statesOf(
      ['R', '0000000000000100', 7],
      ['Z', '0000000000000100', 2],
      ['Z', '0000000000000100', 1],
    );
    expect(await readRunning('/state')).toBeNull();
  });

  it('does not count if its process exits while its status is read', async () => {
    statesOf(['R', '0000000000000100', 7], ['ESRCH', '', 0]);
    expect(await readRunning('/state')).toBeNull();
  });
});
