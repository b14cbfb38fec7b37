import { afterEach, expect, test } from 'vitest';

import {
  type BuildStand,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { writeInventory } from '../deploy/inventory.ts';
import type { StageHooks, When } from '../hooks/model.ts';
import { cleanUp } from './dev.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

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
      images: {
        importImage: () => Promise.reject(new Error('nothing is built here')),
        idOf: () => Promise.resolve(null),
        tag: () => Promise.resolve(),
      },
    });
    stands.push(stand);
    const { config } = stand.session;
    const ownHooks = { ...config.ownHooks, cleanup: slow(when) };
    first.abort();
    const ended = cleanUp({ ...stand.session, config: { ...config, ownHooks } });
    while (stand.lines().length === 0) await new Promise((resume) => setTimeout(resume, 10));
    const { target, stateFolder, platform } = stand.session;
    const web = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' };
    const scope = JSON.stringify([target?.context, 'shop', [], []]);
    await writeInventory(platform, stateFolder, { project: 'p', scopes: { [scope]: [web] } });
    second.abort();
    const result = await ended;
    expect(result).toMatchObject({ outcome: 'Cancelled', exitCode: 130 });
    expect(result).toMatchObject({
      message: expect.stringMatching(/Pod shop\/web\. Next: run `lifehook pipeline delete`/u),
    });
    expect(stand.callbacks()).toEqual([`cleanup/${when}/0 InProgress`, `cleanup/${when}/0 Failed`]);
  },
);
