import { describe, expect, it } from 'vitest';

import { sampleContent } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { contentOf } from './content-of.ts';

const reference = { name: 'nightly-data', handle: 'handle-data' };
const own = sampleContent('own', { ...reference, uid: 'vs-1' });
const stranger = sampleContent('stranger', { ...reference, uid: 'vs-0' });
const prepared = {
  ...own,
  metadata: { name: 'prepared' },
  spec: { ...own.spec, source: { snapshotHandle: 'of-before' } },
};

describe('contentOf', () => {
  const unbound = { uid: 'vs-1', bound: undefined };

  it('finds the content of this uid, before the snapshot names one', () => {
    expect(contentOf([stranger, own], unbound)).toBe(own);
  });

  it('finds the content of a group, which is of several volumes', () => {
    const group = {
      metadata: { name: 'group' },
      spec: {
        volumeGroupSnapshotRef: { uid: 'vs-1' },
        deletionPolicy: 'Delete' as const,
        driver: 'fast.example',
        source: { volumeHandles: ['handle-data'] },
      },
    };
    expect(contentOf([group], unbound)).toBe(group);
  });

  it('finds none where only an earlier snapshot of this name has one', () => {
    expect(contentOf([stranger], unbound)).toBeNull();
    expect(contentOf([stranger], { uid: undefined, bound: undefined })).toBeNull();
  });

  it('finds no content that a user created from a snapshot of before, unless it is named', () => {
    expect(contentOf([prepared], unbound)).toBeNull();
    expect(contentOf([prepared, own], { uid: 'vs-1', bound: 'own' })).toBe(own);
    expect(contentOf([prepared, own], { uid: 'vs-1', bound: 'prepared' })).toBe(prepared);
  });

  it('finds none where the snapshot names another content', () => {
    expect(contentOf([own], { uid: 'vs-1', bound: 'another' })).toBeNull();
  });
});
