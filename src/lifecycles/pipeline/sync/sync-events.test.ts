import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { artifactIn, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { runningPod } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { runSync } from './run-sync.ts';

test('a sync reports its end when a file cannot be read', async () => {
  const stand = buildStand({
    context: {
      cluster: {
        pods: () => Promise.resolve([runningPod('web-1', ['web'])]),
        exec: () => Promise.resolve({ outcome: 'exited', exitCode: 0 }),
      },
    },
  });
  onTestFinished(stand.remove);
  const from = stand.write('web/a', 'one');
  const { platform, config } = stand.session;
  const read = (): Promise<never> => Promise.reject(new Error('EIO'));
  const session = {
    ...stand.session,
    platform: { ...platform, files: { ...platform.files, read } },
  };
  const [module] = config.modules;
  if (module === undefined) throw new Error('the stand has a module');
  const artifact = artifactIn(join(stand.folder, 'web'), 'web');
  const made = { image: 'web', reference: 'web:1', id: 'sha256:1', cached: false };
  const syncing = runSync(session, {
    built: { module, artifact, ...made },
    deployed: { namespaces: ['shop'] },
    changes: { modified: [from], deleted: [] },
    plan: { kind: 'sync', copies: [{ from, to: 'a' }], deletes: [] },
  });
  await expect(syncing).rejects.toThrow('EIO');
  expect(stand.events.filter(({ type }) => type === 'PhaseEvent')).toMatchObject([
    { phase: 'sync', status: 'InProgress' },
    { phase: 'sync', status: 'Failed', message: 'EIO' },
  ]);
});
