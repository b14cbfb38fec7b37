import { describe, expect, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { SyncPlan } from '../sync/plan-sync.ts';
import { type DevWork, planDev } from './dev-plan.ts';

const EDIT = { modified: ['/p/a'], deleted: [] };
const SYNC: SyncPlan = { kind: 'sync', copies: [{ from: '/p/a', to: 'a' }], deletes: [] };
const REBUILD: SyncPlan = { kind: 'rebuild', reason: 'no sync rule matches a' };

interface Given {
  readonly changed: readonly string[];
  readonly syncs?: Readonly<Record<string, SyncPlan>>;
  readonly synced?: readonly string[];
  readonly isDeployed?: boolean;
}

/** The plan for three images: web, which has sync rules, base, and api, which requires base. */
function plan({ changed, syncs = {}, synced = [], isDeployed = true }: Given): DevWork {
  const hooks = { before: [], after: [], onError: [], finally: [] };
  const sync = { mode: 'manual', manual: [], infer: [], hooks } as const;
  const stand: BuildStand = buildStand({
    artifactsIn: (folder) => [
      artifactIn(`${folder}/web`, 'web', { sync }),
      artifactIn(`${folder}/base`, 'base'),
      artifactIn(`${folder}/api`, 'api', { requires: [{ image: 'base', alias: 'BASE' }] }),
    ],
  });
  stand.remove();
  return planDev({
    config: stand.session.config,
    changes: new Map(changed.map((key) => [key, EDIT])),
    syncs: new Map(Object.entries(syncs)),
    synced: new Set(synced),
    isDeployed,
  });
}

function shortly(work: DevWork): string {
  if (work.kind === 'nothing') return 'nothing';
  const builds = work.builds === 'all' ? ['all'] : [...work.builds].toSorted();
  return [
    ...work.syncs.map(({ artifact }) => `sync ${artifact.image}`),
    ...builds.map((image) => `build ${image}`),
    ...(work.tests ? ['test'] : []),
    ...(work.deploys ? ['deploy'] : []),
  ].join(', ');
}

const WEB = { web: SYNC };

describe('the work of an iteration', () => {
  test.each<[string, Given, string]>([
    ['everything at first', { changed: [], isDeployed: false }, 'build all, test, deploy'],
    ['nothing without a change', { changed: [] }, 'nothing'],
    ['a sync when the sync rules match', { changed: ['artifact/web'], syncs: WEB }, 'sync web'],
    [
      'a build when no sync rule matches',
      { changed: ['artifact/web'], syncs: { web: REBUILD } },
      'build web, test, deploy',
    ],
    [
      'a build of dependent images too',
      { changed: ['artifact/base'] },
      'build api, build base, test, deploy',
    ],
    ['only render and deploy for changed manifests', { changed: ['manifests'] }, 'deploy'],
    ['only tests for changed test dependencies', { changed: ['test/web/0'] }, 'test'],
    [
      'a build of every image for changed inputs of the whole build',
      { changed: ['build'] },
      'build api, build base, build web, test, deploy',
    ],
    [
      'a build instead of a sync when manifests changed too, since new pods would lack the synced files',
      { changed: ['artifact/web', 'manifests'], syncs: WEB },
      'build web, test, deploy',
    ],
    [
      'a build of an image that was synced before, when manifests changed',
      { changed: ['manifests'], synced: ['web'] },
      'build web, test, deploy',
    ],
  ])('is %s', (_title, given, work) => {
    expect(shortly(plan(given))).toBe(work);
  });

  test('notes why an image with sync rules is built', () => {
    expect(plan({ changed: ['artifact/web'], syncs: { web: REBUILD } })).toMatchObject({
      notes: ['web is built: no sync rule matches a'],
    });
  });
});
