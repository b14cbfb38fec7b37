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
    ['keeps the variables of the container', 'A=1 B=$(A)', '', 'A=1 B=$(A)'],
    [
      'replaces a variable of the container in place by that of the hook (ROLL-C27)',
      'X=1 Y=$(X)',
      'X=2',
      'X=2 Y=$(X)',
    ],
    ['appends new variables of the hook', 'A=1', 'B=$(A)', 'A=1 B=$(A)'],
    [
      'moves a variable before the override that refers to it',
      'A=1 B=0 C=$(B)',
      'N=1 B=$(N)',
      'A=1 N=1 B=$(N) C=$(B)',
    ],
    [
      'moves a variable of the container with those that it refers to',
      'B=0 Y=1 Z=$(Y)',
      'B=$(Z)',
      'Y=1 Z=$(Y) B=$(Z)',
    ],
    ['leaves a reference cycle as it is', 'A=$(B) B=0', 'B=$(A)', 'A=$(B) B=$(A)'],
    ['reads an escaped reference as no reference', 'B=0 Z=1', 'B=$$(Z)', 'B=$$(Z) Z=1'],
    [
      'reads names of any length',
      'HOST=1',
      'URL=$(HOST)/$(PATH_OF) PATH_OF=x',
      'HOST=1 PATH_OF=x URL=$(HOST)/$(PATH_OF)',
    ],
    ['orders a chain of references', 'A=1', 'D=$(C) C=$(B) B=$(A)', 'A=1 B=$(A) C=$(B) D=$(C)'],
  ])('%s', (...[, container, hook, expected]) => {
    expect(hookEnv({ ours: [], container: env(container), hook: env(hook) })).toEqual(
      env(expected),
    );
  });

  it('moves a chain of up to a hundred references', () => {
    const chain = (length: number): { name: string; value: string }[] =>
      Array.from({ length }, (_, index) => ({ name: `V${index}`, value: `$(V${index + 1})` }));
    const first = (length: number): string | undefined =>
      hookEnv({ ours: [], container: [], hook: chain(length) })[0]?.name;
    expect([first(50), first(101), first(150)]).toEqual(['V49', 'V100', 'V100']);
  });

  it('puts our variables first, and lets neither container nor hook replace them', () => {
    const merged = hookEnv({
      ours: env('LIFEHOOK_STAGE=pre'),
      container: env('LIFEHOOK_STAGE=x A=1'),
      hook: env('LIFEHOOK_STAGE=y B=$(LIFEHOOK_STAGE)'),
    });
    expect(merged).toEqual(env('LIFEHOOK_STAGE=pre A=1 B=$(LIFEHOOK_STAGE)'));
  });

  it('takes the last of two variables with one name, as Kubernetes does', () => {
    expect(hookEnv({ ours: [], container: env('A=1 A=2'), hook: env('B=1 B=2') })).toEqual(
      env('A=2 B=2'),
    );
  });

  it('copies a reference to a secret as it is', () => {
    const secret = { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } };
    expect(hookEnv({ ours: [], container: [], hook: [secret] })).toEqual([secret]);
  });
});
