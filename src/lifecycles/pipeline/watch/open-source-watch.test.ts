import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { artifactIn, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { SourceWatch } from './source-watch.ts';

test('SourceWatch.open closes its watch when the first look at the files rejects', async () => {
  const dependencies = { kind: 'command', command: 'true' } as const;
  const builder = { kind: 'custom', buildCommand: 'true', dependencies } as const;
  const stand = buildStand({
    artifactsIn: (folder) => [artifactIn(join(folder, 'web'), 'web', { builder })],
  });
  onTestFinished(stand.remove);
  const spawn = (): never => {
    throw new Error('no process');
  };
  const { hooks } = stand.session;
  const platform = { ...stand.session.platform, processes: { spawn } };
  const session = { ...stand.session, platform, hooks: { ...hooks, platform } };
  let closed = 0;
  const opening = SourceWatch.open(session, {
    watch: async () => ({
      add: async () => undefined,
      close: async () => {
        closed += 1;
      },
    }),
  });
  await expect(opening).rejects.toThrow();
  expect(closed).toBe(1);
});
