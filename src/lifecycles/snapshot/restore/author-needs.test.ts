import { expect, it } from 'vitest';

import { needsOfRestore } from './author-needs.ts';
import type { SnapshotRestoreSpec } from './kinds.ts';

const CLAIMS = 'persistentvolumeclaims';
const command = ['true'];

it.each<[string, unknown, readonly string[]]>([
  ['no hooks', {}, [CLAIMS]],
  ['a pod', { verify: [{ name: 'a', pod: { image: 'i' } }] }, [CLAIMS, 'pods']],
  [
    'a command',
    { postRestore: [{ name: 'a', exec: { podName: 'p', command } }] },
    [CLAIMS, 'pods/exec'],
  ],
  [
    'workloads to scale',
    {
      preRestore: [
        { name: 'a', scale: { kind: 'Deployment', name: 'd' } },
        { name: 'b', scale: { kind: 'StatefulSet', name: 's' } },
      ],
    },
    [CLAIMS, 'deployments/scale', 'statefulsets/scale'],
  ],
  [
    'all at once',
    { preRestore: [{ exec: {}, pod: {} }], verify: [{ pod: null }] },
    [CLAIMS, 'pods', 'pods/exec'],
  ],
  ['lists that are none', { preRestore: 'a', verify: [null, 7] }, [CLAIMS]],
])('the author of a restore with %s needs what is done for it (SNAP-V14)', (_, spec, expected) => {
  expect(needsOfRestore(spec as Partial<SnapshotRestoreSpec>)).toEqual(expected);
});
