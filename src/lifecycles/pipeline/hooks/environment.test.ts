import { describe, expect, test } from 'vitest';

import { hookEnvironment } from './environment.ts';
import { HookHistory } from './history.ts';
import { parseImageName } from './image-name.ts';

describe('the environment of a host hook', () => {
  const parts = {
    caller: { A: 'caller', B: 'caller', C: 'caller', D: 'caller', SKAFFOLD_RUN_ID: 'stale' },
    values: { B: 'value', C: 'value', D: 'value' },
    own: { C: 'own', D: 'own' },
    contract: { set: { D: 'contract' }, unset: ['SKAFFOLD_RUN_ID'] },
  };

  test('PIPE-CASE16: is the caller, then values of hooks, then the own ones, then the contract', () => {
    expect(hookEnvironment({ ...parts, compat: false })).toEqual({
      A: 'caller',
      B: 'value',
      C: 'own',
      D: 'contract',
    });
    expect(parts.caller).toHaveProperty('SKAFFOLD_RUN_ID');
  });

  test('puts the contract first in compat, and unsets nothing', () => {
    const { contract } = parts;
    const set = { ...contract.set, E: 'contract' };
    const compat = hookEnvironment({ ...parts, contract: { ...contract, set }, compat: true });
    const caller = { A: 'caller', SKAFFOLD_RUN_ID: 'stale' };
    expect(compat).toEqual({ ...caller, B: 'value', C: 'own', D: 'own', E: 'contract' });
  });
});

test.each([
  ['ghcr.io/acme/web:v1', 'ghcr.io/acme/web', 'ghcr.io/acme', 'v1'],
  ['localhost:5000/web', 'localhost:5000/web', 'localhost:5000', null],
  ['localhost:5000/web:v1', 'localhost:5000/web', 'localhost:5000', 'v1'],
  ['web:v1@sha256:00', 'web', '', 'v1'],
  ['web@sha256:00', 'web', '', null],
  ['web', 'web', '', null],
])('PIPE-CASE12: of the image %s the repo is %s, below %j, and the tag is %s', (...row) => {
  const [image, repo, parent, tag] = row;
  expect(parseImageName(image)).toEqual({ repo, parent, tag });
});

describe('the history of hooks', () => {
  test('remembers a success in this session, and the digest of its inputs', async () => {
    const history = new HookHistory();
    expect(history.succeededInSession('a')).toBe(false);
    await history.succeeded('a', 'd2');
    await history.succeeded('c', null);
    expect(history.succeededInSession('a')).toBe(true);
    expect(history.succeededInSession('c')).toBe(true);
    expect(history.lastDigest('a')).toBe('d2');
    expect(history.lastDigest('c')).toBeNull();
  });

  test('voids the digest of a hook that starts again, also in the records', async () => {
    const history = new HookHistory();
    await history.succeeded('a', 'd1');
    await history.begins('a');
    expect(history.lastDigest('a')).toBeNull();
    await history.recall(['a']);
    expect(history.lastDigest('a')).toBeNull();
  });
});
