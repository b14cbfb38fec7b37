import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { ExecNewPodHook, HookPodOverrides } from '../kinds.ts';
import { checkEnv, checkEnvFrom } from './check-env.ts';
import { checkOverrides } from './check-hook.ts';

/** The fields that have a problem. */
const fieldsOf = (overrides: HookPodOverrides): string[] =>
  checkOverrides('o', overrides).map(({ field }) => field);

describe('what a hook has in place of its template (ROLL-C28)', () => {
  it('may be nothing at all', () => {
    expect(fieldsOf({})).toEqual([]);
  });

  it.each<[string, HookPodOverrides, string]>([
    ['a service account', { serviceAccountName: 'A!' }, 'the service account'],
    ['a priority class', { priorityClassName: 'A!' }, 'the priority class'],
    ['a runtime class', { runtimeClassName: 'A!' }, 'the runtime class'],
    ['a pull secret', { imagePullSecrets: [{ name: 'A!' }] }, 'the Secret'],
  ])('names %s', (...[, overrides, what]) => {
    const [problem, ...more] = checkOverrides('o', overrides);
    const [name = ''] = Object.keys(overrides);
    expect(more).toEqual([]);
    expect(problem?.field).toBe(name === 'imagePullSecrets' ? `o.${name}[0].name` : `o.${name}`);
    expect(problem === undefined ? '' : fieldProblemMessage(problem)).toContain(what);
  });

  it('tolerates an effect that Kubernetes has, or every one', () => {
    const tolerations = [{ effect: 'NoExecute' }, { effect: '' }, {}];
    expect(fieldsOf({ tolerations })).toEqual([]);
    expect(fieldsOf({ tolerations: [...tolerations, { effect: 'Never' }] })).toEqual([
      'o.tolerations[3].effect',
    ]);
  });
});

describe('the variables of a hook (ROLL-DH8)', () => {
  const problemsOf = (env: ExecNewPodHook['env'] = []): string[] =>
    checkEnv('env', env).map(fieldProblemMessage);

  it.each(['.', '..', '..a', '1A', 'A B', ''])('are not named %j', (name) => {
    expect(problemsOf([{ name }])).toEqual([expect.stringMatching(/^env\[0\]\.name: /u)]);
  });

  it.each(['A', '_', 'a.b', '.a', 'a..', '-1', 'A_LIFEHOOK_'])('may be named %j', (name) => {
    expect(problemsOf([{ name }])).toEqual([]);
  });

  it('have a value or a source, and an empty value counts for none', () => {
    const valueFrom = { fieldRef: { fieldPath: 'metadata.name' } };
    expect(problemsOf([{ name: 'A', value: '', valueFrom }])).toEqual([]);
    expect(problemsOf([{ name: 'A', value: 'x', valueFrom }])).toEqual([
      'env[0].value: Forbidden: valueFrom sets the value: remove one of the two',
    ]);
  });

  it('come from ConfigMaps and Secrets with valid names and without our prefix', () => {
    const fields = (source: NonNullable<HookPodOverrides['envFrom']>[number]): string[] =>
      checkEnvFrom('from', [source]).map(({ field }) => field);
    expect(fields({ secretRef: { name: 'A!' } })).toEqual(['from[0].secretRef.name']);
    expect(fields({ secretRef: {} })).toEqual(['from[0].secretRef.name']);
    expect(fields({ configMapRef: { name: 'A!' } })).toEqual(['from[0].configMapRef.name']);
    const secretRef = { name: 's' };
    expect(fields({ secretRef, prefix: 'LIFEHOOK_A' })).toEqual(['from[0].prefix']);
    expect(fields({ secretRef, prefix: 'A_LIFEHOOK_' })).toEqual([]);
    const [problem] = checkEnvFrom('from', [{ secretRef: { name: 'A!' } }]);
    expect(problem === undefined ? '' : fieldProblemMessage(problem)).toContain('the Secret');
  });
});
