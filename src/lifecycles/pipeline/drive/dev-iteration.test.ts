import { expect, onTestFinished, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { runningPod } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { plainDocker } from '../../../../test/fixtures/pipeline/docker-builder.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import type { TestConfig } from '../config/model.ts';
import { HookHistory } from '../hooks/history.ts';
import type { Snapshot } from '../watch/snapshot.ts';
import { DevState, dueChanges, runIteration } from './dev-iteration.ts';

test('a changed test runs the tests of its image, and not those of an image whose name its name begins with', async () => {
  const testOf = (image: string): TestConfig => ({
    image,
    context: '/',
    custom: [{ command: `echo ${image}`, timeoutSeconds: null, dependencies: null }],
    structureTests: [],
    structureTestsArgs: [],
  });
  const images = ['shop', 'shop/web'];
  const stand = buildStand({ tests: images.map(testOf) });
  onTestFinished(stand.remove);
  const [module] = stand.session.config.modules;
  if (module === undefined) throw new Error('the stand has a module');
  const state = new DevState();
  state.built = images.map((image) => {
    const artifact = artifactIn(stand.folder, image);
    return { module, artifact, image, reference: `${image}:1`, id: 'sha256:1', cached: false };
  });
  state.isDeployed = true;
  const groups = new Map([['test/shop/web/1', ['/check']]]);
  await runIteration(stand.session, state, { groups, digests: new Map([['/check', '1']]) });
  expect(stand.lines()).toEqual(['test/shop/web/0: shop/web']);
});

test('a file whose name has an umlaut in the Dockerfile is sent to the place of its COPY', async () => {
  const sent: string[] = [];
  const infer = ['**'];
  const stand = buildStand({
    context: {
      cluster: {
        pods: () => Promise.resolve([runningPod('web-1', ['web'])]),
        exec: ({ pod }) => {
          sent.push(pod);
          return Promise.resolve({ outcome: 'exited', exitCode: 0 });
        },
      },
    },
    artifactsIn: (folder) => [
      artifactIn(folder, 'web', {
        builder: plainDocker,
        sync: { mode: 'infer', manual: [], infer, hooks: NO_HOOKS },
      }),
    ],
  });
  onTestFinished(stand.remove);
  stand.write('Dockerfile', 'FROM scratch\nCOPY größe /app/\n');
  const path = stand.write('größe', 'two');
  const contentOf = (digest: string): Snapshot => contentAs(path, digest);
  const state = deployedState(stand);
  state.finish(['artifact/web'], contentOf('one'));
  await runIteration(stand.session, state, contentOf('two'));
  expect(sent).toEqual(['web-1']);
});

test('a sync that rejects after it has sent a file leaves the file pending, whatever its content then', async () => {
  const after = shell('true', { phase: 'sync', when: 'after', address: 'sync/web/after/0' });
  const manual = [{ src: 'src', dest: 'app', strip: '' }];
  const unwritable = new HookHistory({
    read: async () => null,
    write: () => Promise.reject(new Error('no space')),
  });
  const stand = buildStand({
    context: {
      history: unwritable,
      cluster: {
        pods: () => Promise.resolve([runningPod('web-1', ['web'])]),
        exec: () => Promise.resolve({ outcome: 'exited', exitCode: 0 }),
      },
    },
    artifactsIn: (folder) => [
      artifactIn(folder, 'web', {
        sync: { mode: 'manual', manual, infer: [], hooks: { ...NO_HOOKS, after: [after] } },
      }),
    ],
  });
  onTestFinished(stand.remove);
  const path = stand.write('src', 'two');
  const contentOf = (digest: string): Snapshot => contentAs(path, digest);
  const state = deployedState(stand);
  state.finish(['artifact/web'], contentOf('one'));
  await expect(runIteration(stand.session, state, contentOf('two'))).rejects.toThrow('no space');
  expect([...dueChanges(state, contentOf('one')).keys()]).toEqual(['artifact/web']);
});

/** The state in which the file has this digest. */
function contentAs(path: string, digest: string): Snapshot {
  return { groups: new Map([['artifact/web', [path]]]), digests: new Map([[path, digest]]) };
}

/** The state after the image of the stand was built and deployed. */
function deployedState({ session }: BuildStand): DevState {
  const [module] = session.config.modules;
  const [artifact] = module?.build.artifacts ?? [];
  if (module === undefined || artifact === undefined) throw new Error('the stand has an image');
  const state = new DevState();
  state.built = [
    { module, artifact, image: 'web', reference: 'web:1', id: 'sha256:1', cached: false },
  ];
  state.deployed = { namespaces: ['shop'], objects: [] };
  state.isDeployed = true;
  return state;
}
