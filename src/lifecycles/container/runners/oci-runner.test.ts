import { expect, it } from 'vitest';

import type { Life } from '../life/life.ts';
import { type Making, runnerOf } from './oci-runner.ts';

it('OCI-V3: gives each container of a name a pid file of its own', async () => {
  const runner = runnerOf({ env: {} } as Life, { kind: 'runtime', command: 'runc' });
  const making = { id: 'web', folder: '/c/web', bundle: { folder: '/b' } } as unknown as Making;
  const pidFileOf = async (instance: string): Promise<string | null> =>
    (await runner.prepare({ ...making, instance })).pidFile;
  expect(await pidFileOf('7-1')).toBe('/c/web/7-1.pid');
  expect(await pidFileOf('8-1')).toBe('/c/web/8-1.pid');
});
