import { describe, expect, it } from 'vitest';

import { type Capabilities, capabilitiesOf, parseServerVersion } from './capabilities.ts';

const at = (minor: number, resources: readonly string[] = [], major = 1): Capabilities =>
  capabilitiesOf({
    version: { major, minor, text: `v${major}.${minor}.0` },
    groupVersions: [],
    resources,
  });

describe('capabilitiesOf', () => {
  it.each([
    ['sleepAction', [28, 29, 30]],
    ['sleepActionAllowZero', [31, 32, 33]],
    ['sidecarContainers', [27, 28, 29]],
    ['crdCelRules', [22, 23, 25]],
    ['matchConditions', [26, 27, 28]],
    ['execProtocolV5', [28, 29, 30]],
  ] as const)(
    'reports the server versions that have %s: none, behind a feature gate, by default',
    (name, minors) => {
      expect(minors.map((minor) => at(minor)[name])).toEqual(['no', 'gate', 'yes']);
    },
  );

  it('finds the APIs that the client needs on the oldest supported server', () => {
    expect(at(20)).toMatchObject({
      serverSideApply: 'yes',
      watchBookmarks: 'yes',
      webSocketExec: 'yes',
      execProtocolV5: 'no',
    });
  });

  it('assumes every capability for a major version after 1', () => {
    expect(at(0, [], 2).sleepActionAllowZero).toBe('yes');
  });

  it('reports the newest served version of each API, and null for an API that is not served', () => {
    const served = [
      'volumegroupsnapshots.groupsnapshot.storage.k8s.io/v1alpha1',
      'volumegroupsnapshots.groupsnapshot.storage.k8s.io/v1beta1',
      'validatingadmissionpolicies.admissionregistration.k8s.io/v1',
      'volumesnapshots.snapshot.storage.k8s.io/v1',
    ];
    expect(at(31, served)).toMatchObject({
      volumeGroupSnapshot: 'v1beta1',
      validatingAdmissionPolicy: 'v1',
      mutatingAdmissionPolicy: null,
      volumeSnapshot: 'v1',
    });
  });
});

describe('parseServerVersion', () => {
  it.each([
    [{ major: '1', minor: '20', gitVersion: 'v1.20.2' }, [1, 20, 'v1.20.2']],
    [{ major: '1', minor: '29+', gitVersion: 'v1.29.3-gke.1' }, [1, 29, 'v1.29.3-gke.1']],
    [{ major: '', minor: '', gitVersion: 'v1.31.0' }, [1, 31, 'v1.31.0']],
    [{ gitVersion: 'v1.31.0+k3s1' }, [1, 31, 'v1.31.0+k3s1']],
    [{ major: '1', minor: '34' }, [1, 34, 'v1.34']],
  ])('reads %j', (told, [major, minor, text]) => {
    expect(parseServerVersion(told)).toEqual({ major, minor, text });
  });

  it.each([[{}], [{ gitVersion: 'unknown' }], [{ major: 1, minor: 2 }]])(
    'returns null for the unreadable version %j',
    (told) => {
      expect(parseServerVersion(told)).toBeNull();
    },
  );
});
