import { describe, expect, it } from 'vitest';

import {
  collectClaimNames,
  collectNames,
  collectWorkloads,
  type RestoreOptions,
} from './restore-options.ts';
import { restoreOf, whyWrongOptions } from './restore.ts';

const given: RestoreOptions = { timeout: 600, output: 'text' };

describe('the options of a restore', () => {
  it('become a SnapshotRestore', () => {
    const options: RestoreOptions = {
      ...given,
      claim: collectClaimNames('data=copy'),
      storageClass: 'fast',
      require: 'CrashConsistent',
      stop: collectWorkloads('deploy/web', collectWorkloads('StatefulSet/db')),
      verify: { name: 'mariadb-lock' },
      image: 'mariadb:11',
      as: 'friday',
      scratch: true,
    };
    expect(restoreOf('nightly', 'shop', options)).toMatchObject({
      metadata: { namespace: 'shop', name: 'friday' },
      spec: {
        source: { applicationSnapshotName: 'nightly' },
        requiredVerdict: 'CrashConsistent',
        claims: [{ sourceClaimName: 'data', claimName: 'copy' }],
        storageClassName: 'fast',
        preRestore: [
          { name: 'stop-0', scale: { kind: 'StatefulSet', name: 'db' } },
          { name: 'stop-1', scale: { kind: 'Deployment', name: 'web' } },
        ],
        verify: [
          { name: 'verify', pod: { image: 'mariadb:11', recipe: { name: 'mariadb-lock' } } },
        ],
        scratch: true,
      },
    });
  });

  it('get a generated name, and only the fields that were given', () => {
    const volumeSnapshot = collectNames('b', collectNames('a'));
    const made = restoreOf(undefined, 'shop', { ...given, volumeSnapshot });
    expect(made.metadata).toEqual({ namespace: 'shop', generateName: 'a-' });
    expect(made.spec).toEqual({ source: { volumeSnapshotNames: ['a', 'b'] } });
  });

  it('may check by a line for sh', () => {
    const { spec } = restoreOf('nightly', 'shop', { ...given, image: 'i', command: 'test -s x' });
    expect(spec.verify?.[0]?.pod?.command).toEqual(['sh', '-c', 'test -s x']);
  });

  it.each<[string, string | undefined, Partial<RestoreOptions>, string]>([
    ['no source', undefined, {}, 'exactly one of the two'],
    ['two sources', 'nightly', { volumeSnapshot: ['a'] }, 'exactly one of the two'],
    ['a check without an image', 'nightly', { command: 'true' }, 'which needs --image'],
    ['an image without a check', 'nightly', { image: 'i' }, 'needs a check of the copy'],
  ])('are refused with %s', (...[, name, more, message]) => {
    expect(whyWrongOptions(name, { ...given, ...more })?.message).toContain(message);
  });

  it('are complete with a source, with and without a check', () => {
    expect(whyWrongOptions('nightly', given)).toBeNull();
    expect(whyWrongOptions('nightly', { ...given, image: 'i', command: 'true' })).toBeNull();
  });

  it.each(['data', '=copy', 'data=', 'a=b=c'])('refuse the claim %s', (text) => {
    expect(() => collectClaimNames(text)).toThrow('SOURCE=NEW');
  });

  it.each(['web', 'pod/web', 'deployment/', 'deployment/a/b', 'constructor/web'])(
    'refuse the workload %s',
    (text) => {
      expect(() => collectWorkloads(text)).toThrow('deployment/NAME');
    },
  );
});
