import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { artifactIn, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { fastPlatform } from '../../../../test/fixtures/pipeline/fast-platform.ts';
import { nodePathWatching } from '../../../platform/path-watching.ts';
import type { PipelineSession } from '../session.ts';
import { runDev } from './dev.ts';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The session with a further module, which skaffold.yaml names since it was changed. */
function withOther(session: PipelineSession): PipelineSession {
  const { config } = session;
  const file = join(session.hooks.workDir, 'other.yaml');
  const others = config.modules.map((module) => ({
    ...module,
    file,
    build: { ...module.build, artifacts: [] },
  }));
  return { ...session, config: { ...config, modules: [...others, ...config.modules] } };
}

test('PIPE-D2: a development session reads a configuration that names a further file only once', async () => {
  const end = new AbortController();
  const stand = buildStand({
    context: { signal: end.signal, platform: fastPlatform },
    artifactsIn: (folder) => [artifactIn(join(folder, 'web'), 'web')],
    images: {
      importImage: ({ reference }) => Promise.resolve(`sha256:${reference}`),
      idOf: () => Promise.resolve(null),
      tag: () => Promise.resolve(),
    },
  });
  for (const name of ['web/a', 'skaffold.yaml', 'other.yaml']) stand.write(name, 'one');
  let reads = 0;
  const ended = runDev(stand.session, {
    reload: async () => {
      reads += 1;
      return withOther(stand.session);
    },
    watching: nodePathWatching,
    cleanup: false,
    forwardPorts: false,
    keepsRunning: true,
    tailLogs: false,
  });
  closers.push(async () => {
    end.abort();
    await ended;
    stand.remove();
  });
  const deployments = (): number =>
    stand.events.filter(
      (event) =>
        event.type === 'PhaseEvent' && event.phase === 'deploy' && event.status === 'Succeeded',
    ).length;
  await expect.poll(deployments).toBe(1);
  stand.write('skaffold.yaml', 'two');
  // Both modules report their deployment now.
  await expect.poll(deployments).toBe(3);
  stand.write('web/a', 'two');
  await expect.poll(deployments).toBe(5);
  expect(reads).toBe(1);
});
