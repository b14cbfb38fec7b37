import { afterEach, describe, expect, it } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
  customBuilder,
  type StandWishes,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { runBuild } from '../build/run-build.ts';
import { driveDeploy } from './deploy.ts';
import { knownImages } from './known-images.ts';
import { driveRender, driveTest, driveVerify } from './render.ts';

const stands: BuildStand[] = [];

/**
 * Two images of builders that build nothing. The images are pushed, so that the local cluster is not asked for them.
 */
function stand(options: NonNullable<StandWishes['options']> = {}): BuildStand {
  const builder = customBuilder('true');
  const made = buildStand({
    options: { push: true, ...options },
    artifactsIn: (folder) =>
      ['web', 'db'].map((image) => artifactIn(`${folder}/${image}`, image, { builder })),
  });
  made.write('web/a', 'a');
  made.write('db/a', 'a');
  stands.push(made);
  return made;
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

describe('knownImages', () => {
  it('returns the images of the last build while their files are unchanged', async () => {
    const { session, write } = stand();
    await expect(knownImages(session, { reported: null, must: 'be-built' })).rejects.toThrow(
      /LHL603: web was not built[^]*LHL603: db was not built/u,
    );
    expect((await runBuild(session)).outcome).toBe('Succeeded');
    const known = await knownImages(session, { reported: null, must: 'be-built' });
    expect(known).toMatchObject([
      { image: 'web', reference: 'web:latest', cached: true },
      { image: 'db', reference: 'db:latest', cached: true },
    ]);
    write('db/a', 'b');
    await expect(knownImages(session, { reported: null, must: 'be-built' })).rejects.toThrow(
      'db was not built',
    );
    const only = (image: string): boolean => image === 'web';
    expect(await knownImages(session, { reported: null, must: 'be-built', only })).toHaveLength(1);
  });

  it.each([
    ['deploy', driveDeploy],
    ['render', driveRender],
    ['test', driveTest],
    ['verify', driveVerify],
  ])('cancels %s when the list of files is interrupted', async (_, drive) => {
    const dependencies = { kind: 'command', command: 'exec sleep 30' } as const;
    const made = buildStand({
      artifactsIn: (folder) => [
        artifactIn(folder, 'web', {
          builder: { kind: 'custom', buildCommand: 'true', dependencies },
        }),
      ],
    });
    stands.push(made);
    const interrupt = new AbortController();
    const { platform, hooks } = made.session;
    const spawn: typeof platform.processes.spawn = (spec) => {
      queueMicrotask(() => {
        interrupt.abort();
      });
      return platform.processes.spawn(spec);
    };
    const session = {
      ...made.session,
      platform: { ...platform, processes: { spawn } },
      hooks: { ...hooks, signal: interrupt.signal },
    };
    const result = await drive(session, null);
    expect(result).toMatchObject({ outcome: 'Cancelled', exitCode: 130 });
  });

  it('returns the names with the tag of --tag, without a build of this project', async () => {
    const { session } = stand({ tag: 'v7', defaultRepo: 'gcr.io/p' });
    const known = await knownImages(session, { reported: null, must: 'be-built' });
    expect(known.map(({ reference }) => reference)).toEqual(['gcr.io/p/web:v7', 'gcr.io/p/db:v7']);
  });

  it('returns the given images, also those of another pipeline', async () => {
    const { session } = stand();
    const reported = [
      { image: 'web', reference: 'r/web:v1' },
      { image: 'other', reference: 'r/other:v2' },
    ];
    expect(await knownImages(session, { reported, must: 'be-built' })).toMatchObject([
      { image: 'web', reference: 'r/web:v1', artifact: { builder: { kind: 'custom' } } },
      { image: 'other', reference: 'r/other:v2', artifact: { builder: { kind: 'unsupported' } } },
    ]);
  });
});
