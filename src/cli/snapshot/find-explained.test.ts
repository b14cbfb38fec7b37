import { describe, expect, it } from 'vitest';

import { ApiError } from '../../kube/api-error.ts';
import type { ObjectKey, Resource } from '../../kube/object.ts';
import { findExplained } from './find-explained.ts';

const asked: string[] = [];

/** A cluster with these objects, written as PLURAL/NAME. Its user may not read the kinds in `denied`. */
function clusterWith(
  present: readonly string[],
  denied: readonly string[] = [],
): Parameters<typeof findExplained>[0] {
  asked.length = 0;
  const get = ({ plural }: Resource, { name }: ObjectKey): Promise<never> => {
    asked.push(`${plural}/${name}`);
    if (denied.includes(plural)) {
      const message = `${plural} "${name}" is forbidden`;
      return Promise.reject(new ApiError(403, { reason: 'Forbidden', message }));
    }
    if (present.includes(`${plural}/${name}`))
      return Promise.resolve({ metadata: { name } } as never);
    return Promise.reject(new ApiError(404, { reason: 'NotFound' }));
  };
  return { client: { get } as never, namespace: 'shop', source: 'here' };
}

async function kindOf(text: string, ...present: readonly string[]): Promise<string> {
  return (await findExplained(clusterWith(present), text)).kind;
}

describe('the object that `snapshot status` explains', () => {
  it('is an ApplicationSnapshot if there is one of that name', async () => {
    expect(await kindOf('a', 'applicationsnapshots/a', 'volumesnapshots/a')).toBe(
      'ApplicationSnapshot',
    );
    expect(asked).toEqual(['applicationsnapshots/a']);
  });

  it.each([
    ['a', 'volumesnapshots/a', 'VolumeSnapshot'],
    ['a', 'snapshotguards/a', 'SnapshotGuard'],
    ['volumesnapshot/a', 'volumesnapshots/a', 'VolumeSnapshot'],
    ['SnapshotSchedules/a', 'snapshotschedules/a', 'SnapshotSchedule'],
    ['snapshotrestore/a', 'snapshotrestores/a', 'SnapshotRestore'],
    ['applicationsnapshot.lifehook.dev/a', 'applicationsnapshots/a', 'ApplicationSnapshot'],
    ['volumesnapshots.v1.snapshot.storage.k8s.io/a', 'volumesnapshots/a', 'VolumeSnapshot'],
  ])('of %s is %s', async (text, present, kind) => {
    expect(await kindOf(text, present)).toBe(kind);
  });

  it('is refused if its kind is named with another API group', async () => {
    await expect(kindOf('volumesnapshots.lifehook.dev/a', 'volumesnapshots/a')).rejects.toThrow(
      'LHS412',
    );
  });

  it('is looked for only in the kind that is named', async () => {
    await expect(kindOf('snapshotguard/a', 'volumesnapshots/a')).rejects.toThrow(
      'LHS401: There is no SnapshotGuard "a" in namespace "shop" (here).',
    );
    expect(asked).toEqual(['snapshotguards/a']);
  });

  it('is found by its name alone by a user who may not read the kinds before it', async () => {
    const cluster = clusterWith(['snapshotrestores/a'], ['volumesnapshots', 'snapshotguards']);
    expect((await findExplained(cluster, 'a')).kind).toBe('SnapshotRestore');
  });

  it('may be of a kind that the user may not read, if no other kind has the name', async () => {
    const cluster = clusterWith([], ['volumesnapshots']);
    await expect(findExplained(cluster, 'a')).rejects.toThrow('volumesnapshots "a" is forbidden');
    expect(asked).toHaveLength(5);
  });

  it('is refused with the known kinds if the kind is another one, or the name is unknown', async () => {
    await expect(kindOf('deployment/a')).rejects.toThrow(
      'LHS412: "deployment/a" must be NAME or KIND/NAME, with one of the kinds applicationsnapshot, volumesnapshot, snapshotschedule, snapshotrestore, snapshotguard; "deployment" is none of them.',
    );
    expect(asked).toEqual([]);
    await expect(kindOf('a')).rejects.toThrow(
      'There is no ApplicationSnapshot, VolumeSnapshot, SnapshotSchedule, SnapshotRestore or SnapshotGuard "a"',
    );
  });
});
