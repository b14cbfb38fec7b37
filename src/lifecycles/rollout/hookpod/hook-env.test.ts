import { describe, expect, it } from 'vitest';

import { hookEnv } from './hook-env.ts';

const env = (text: string): { name: string; value: string }[] =>
  text
    .split(' ')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [name = '', ...value] = entry.split('=');
      return { name, value: value.join('=') };
    });

describe('hookEnv', () => {
  it.each([
    ['the container alone', 'A=1 B=$(A)', '', 'A=1 B=$(A)'],
    ['the hook wins, in the same place (C27)', 'X=1 Y=$(X)', 'X=2', 'X=2 Y=$(X)'],
    ['what is new comes after', 'A=1', 'B=$(A)', 'A=1 B=$(A)'],
    [
      'what an override refers to comes before',
      'A=1 B=0 C=$(B)',
      'N=1 B=$(N)',
      'A=1 N=1 B=$(N) C=$(B)',
    ],
    ['of the container too, with what it needs', 'B=0 Y=1 Z=$(Y)', 'B=$(Z)', 'Y=1 Z=$(Y) B=$(Z)'],
    ['a circle is left as it is', 'A=$(B) B=0', 'B=$(A)', 'A=$(B) B=$(A)'],
    ['an escape refers to nothing', 'B=0 Z=1', 'B=$$(Z)', 'B=$$(Z) Z=1'],
    ['a long chain', 'A=1', 'D=$(C) C=$(B) B=$(A)', 'A=1 B=$(A) C=$(B) D=$(C)'],
  ])('%s', (...[, container, hook, expected]) => {
    expect(hookEnv({ ours: [], container: env(container), hook: env(hook) })).toEqual(
      env(expected),
    );
  });

  it('puts ours first, and nobody replaces them', () => {
    const merged = hookEnv({
      ours: env('LIFEHOOK_STAGE=pre'),
      container: env('LIFEHOOK_STAGE=x A=1'),
      hook: env('LIFEHOOK_STAGE=y B=$(LIFEHOOK_STAGE)'),
    });
    expect(merged).toEqual(env('LIFEHOOK_STAGE=pre A=1 B=$(LIFEHOOK_STAGE)'));
  });

  it('takes the last of two of one name, as Kubernetes does', () => {
    expect(hookEnv({ ours: [], container: env('A=1 A=2'), hook: env('B=1 B=2') })).toEqual(
      env('A=2 B=2'),
    );
  });

  it('takes a reference to a secret as it is', () => {
    const secret = { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } };
    expect(hookEnv({ ours: [], container: [], hook: [secret] })).toEqual([secret]);
  });
});
