import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { stateFolderOf, usualStateFolder } from './cluster-state.ts';

beforeEach(() => {
  vi.stubEnv('XDG_STATE_HOME', undefined);
});

afterEach(() => {
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
