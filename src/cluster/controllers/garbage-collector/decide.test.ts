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

describe('an object with owners', () => {
  it.each([
    ['none', facts([]), { kind: 'keep' }],
    ['all there', facts(['solid', 'solid']), { kind: 'keep' }],
    ['the last one gone', facts(['dangling']), deleted('Background')],
    ['both gone', facts(['dangling', 'dangling']), deleted('Background')],
    [
      'gone, it orphans its own',
      facts(['dangling'], { finalizers: ['orphan'] }),
      deleted('Orphan'),
    ],
    [
      'gone, it waits for its own',
      facts(['dangling'], { finalizers: ['foregroundDeletion'] }),
      deleted('Foreground'),
    ],
    ['waiting, without dependents', facts(['waiting']), deleted('Background')],
    [
      'waiting, with dependents',
      facts(['waiting'], { hasDependents: true }),
      deleted('Foreground'),
    ],
    [
      'waiting, in a circle',
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
