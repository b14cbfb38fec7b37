import { describe, expect, it } from 'vitest';

import { type Capabilities, capabilitiesOf, parseServerVersion } from './capabilities.ts';

const having = (resources: readonly string[]): Capabilities =>
  capabilitiesOf({
    version: { major: 1, minor: 37, text: 'v1.37.2' },
    groupVersions: [],
    resources,
  });

describe('capabilitiesOf', () => {
  it('reports the newest served version of each API, and null for an API that is not served', () => {
    const served = [
      'volumegroupsnapshots.groupsnapshot.storage.k8s.io/v1alpha1',
      'volumegroupsnapshots.groupsnapshot.storage.k8s.io/v1beta1',
    ];
    expect(having(served)).toMatchObject({
      volumeGroupSnapshot: 'v1beta1',
      volumeSnapshot: null,
    });
  });

  it('reports no version that the controllers cannot use', () => {
    const served = ['volumegroupsnapshots.groupsnapshot.storage.k8s.io/v1alpha1'];
    expect(having(served).volumeGroupSnapshot).toBeNull();
  });
});

describe('parseServerVersion', () => {
  it.each([
    [{ major: '1', minor: '37', gitVersion: 'v1.37.2' }, [1, 37, 'v1.37.2']],
    [{ major: '1', minor: '29+', gitVersion: 'v1.29.3-gke.1' }, [1, 29, 'v1.29.3-gke.1']],
    [{ major: '', minor: '', gitVersion: 'v1.31.0' }, [1, 31, 'v1.31.0']],
    [{ gitVersion: 'v1.31.0+k3s1' }, [1, 31, 'v1.31.0+k3s1']],
    [{ major: '1', minor: '34' }, [1, 34, 'v1.34']],
  ])('reads %j', (reported, [major, minor, text]) => {
    expect(parseServerVersion(reported)).toEqual({ major, minor, text });
  });

  it.each([[{}], [{ gitVersion: 'unknown' }], [{ major: 1, minor: 2 }]])(
    'returns null for the unreadable version %j',
    (reported) => {
      expect(parseServerVersion(reported)).toBeNull();
    },
  );
});
