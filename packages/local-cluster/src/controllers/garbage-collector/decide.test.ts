import { describe, expect, it } from 'vitest';

import { decideOwned, type OwnedFacts, type OwnerState } from './decide.ts';

const owner = (name: string, state: OwnerState): OwnedFacts['owners'][number] => ({
  reference: { apiVersion: 'v1', kind: 'ConfigMap', name, uid: name },
  state,
});

const facts = (states: readonly OwnerState[], more: Partial<OwnedFacts> = {}): OwnedFacts => ({
  owners: states.map((state, index) => owner(`${index}`, state)),
  finalizers: [],
  hasDependents: false,
  dependentWaits: false,
  ...more,
});

const deleted = (policy: string, unblock = false): object => ({ kind: 'delete', policy, unblock });

describe('an object', () => {
  it.each([
    ['is kept without an owner reference', facts([]), { kind: 'keep' }],
    ['is kept while all owners exist', facts(['solid', 'solid']), { kind: 'keep' }],
    ['is deleted when its last owner was deleted', facts(['dangling']), deleted('Background')],
    [
      'is deleted when both owners were deleted',
      facts(['dangling', 'dangling']),
      deleted('Background'),
    ],
    [
      'is deleted with Orphan when it has the orphan finalizer',
      facts(['dangling'], { finalizers: ['orphan'] }),
      deleted('Orphan'),
    ],
    [
      'is deleted with Foreground when it has the foregroundDeletion finalizer',
      facts(['dangling'], { finalizers: ['foregroundDeletion'] }),
      deleted('Foreground'),
    ],
    [
      'is deleted when its owner waits for it, without dependents',
      facts(['waiting']),
      deleted('Background'),
    ],
    [
      'is deleted with Foreground when its owner waits for it, with dependents',
      facts(['waiting'], { hasDependents: true }),
      deleted('Foreground'),
    ],
    [
      'is deleted, and its dependents are unblocked, when the references form a circle',
      facts(['waiting'], { hasDependents: true, dependentWaits: true }),
      deleted('Foreground', true),
    ],
  ])('%s', (_title, given, expected) => {
    expect(decideOwned(given)).toEqual(expected);
  });

  it('keeps only the references to owners that exist', () => {
    const decision = decideOwned(facts(['dangling', 'solid', 'waiting']));
    expect(decision).toMatchObject({ kind: 'rewrite', owners: [{ name: '1' }] });
  });
});
