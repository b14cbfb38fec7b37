import { afterEach, expect, it, vi } from 'vitest';

import { BarStore } from '../../timeline/bar-store.ts';
import { openSources, type SourceOptions } from './sources.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('a user without a home directory has no local cluster, and may name another cluster', async () => {
  vi.stubEnv('HOME', '');
  vi.stubEnv('XDG_STATE_HOME', undefined);
  vi.stubEnv('KUBECONFIG', undefined);
  const store = new BarStore({ clock: { nowMs: () => 0 } });
  const { signal } = new AbortController();
  const open = (options: Omit<SourceOptions, 'cluster'>): Promise<object[]> =>
    openSources({ cluster: 'local', records: '/proc', ...options }, { store, signal });
  await expect(open({})).resolves.toHaveLength(1);
  await expect(open({ kubeconfig: '/nowhere/config' })).rejects.toThrow('LHK001');
});
