import { afterEach, expect, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
  NO_HOOKS,
  type StandWishes,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { nodePathWatching } from '../../../platform/path-watching.ts';
import { changeInventory } from '../deploy/inventory.ts';
import type { StageHooks, When } from '../hooks/model.ts';
import type { ImagePort } from '../session.ts';
import { cleanUp, type DevOptions, runDev } from './dev.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const NO_IMAGES: ImagePort = {
  importImage: () => Promise.reject(new Error('nothing is built here')),
  idOf: () => Promise.resolve(null),
  tag: () => Promise.resolve(),
};

const slow = (when: When): StageHooks => ({
  ...NO_HOOKS,
  [when]: [
    shell('echo begun; exec sleep 60', { address: `cleanup/${when}/0`, when, phase: 'cleanup' }),
  ],
});

test.each(['before', 'finally'] as const)(
  'cleanUp stops a running cleanup hook (%s) on a second interruption, and names what lifehook pipeline delete deletes',
  async (when) => {
    const [first, second] = [new AbortController(), new AbortController()];
    const context = { signal: first.signal, hurry: second.signal };
    const stand = buildStand({
      context,
      images: NO_IMAGES,
    });
    stands.push(stand);
    const { config } = stand.session;
    const ownHooks = { ...config.ownHooks, cleanup: slow(when) };
    first.abort();
    const ended = cleanUp({ ...stand.session, config: { ...config, ownHooks } });
    while (stand.lines().length === 0) await new Promise((resume) => setTimeout(resume, 10));
    const { target } = stand.session;
    const web = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' };
    const scope = JSON.stringify([target?.context, 'shop', [], []]);
    await changeInventory(stand.session, () => ({ project: 'p', scopes: { [scope]: [web] } }));
    second.abort();
    const result = await ended;
    expect(result).toMatchObject({ outcome: 'Cancelled', exitCode: 130 });
    expect(result).toMatchObject({
      message: expect.stringMatching(/Pod shop\/web\. Next: run `lifehook pipeline delete`/u),
    });
    expect(stand.callbacks()).toEqual([`cleanup/${when}/0 InProgress`, `cleanup/${when}/0 Failed`]);
  },
);

/** Runs a development session whose cleanup has this hook, until the session ends by itself. */
function devWith(
  script: string,
  { watching, artifactsIn }: Pick<DevOptions, 'watching'> & Pick<StandWishes, 'artifactsIn'>,
): { readonly stand: BuildStand; readonly ended: ReturnType<typeof runDev> } {
  const stand = buildStand({ images: NO_IMAGES, artifactsIn: artifactsIn ?? (() => []) });
  stands.push(stand);
  const { config } = stand.session;
  const tidy = shell(script, { address: 'cleanup/before/0', phase: 'cleanup' });
  const ownHooks = { ...config.ownHooks, cleanup: { ...NO_HOOKS, before: [tidy] } };
  const session = { ...stand.session, config: { ...config, ownHooks } };
  const ended = runDev(session, {
    reload: () => Promise.resolve(session),
    watching,
    cleanup: true,
    forwardPorts: false,
    keepsRunning: false,
    tailLogs: false,
  });
  return { stand, ended };
}

test('PIPE-D4: runs the cleanup when the loop ends with an error', async () => {
  const watching = { watch: () => Promise.reject(new Error('too many watches')) };
  const { stand, ended } = devWith('echo tidied', { watching });
  await expect(ended).rejects.toThrow('too many watches');
  expect(stand.lines()).toEqual(['cleanup/before/0: tidied']);
});

test('reports a failed cleanup together with the failure of the first iteration', async () => {
  const before = [shell('exit 7', { address: 'build/web/before/0' })];
  const { ended } = devWith('exit 5', {
    watching: nodePathWatching,
    artifactsIn: (folder) => [artifactIn(folder, 'web', { hooks: { ...NO_HOOKS, before } })],
  });
  const result = await ended;
  expect(result).toMatchObject({ outcome: 'Failed', exitCode: 7 });
  expect(result).toMatchObject({
    message: expect.stringMatching(/build\/web\/before\/0 failed[^]*cleanup\/before\/0 failed/),
  });
});
