/** Admission checks only the changes in an update (SNAP-I10). */
import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { type Findings, validateHook, validateSnapshot, validateTemplate } from './validate.ts';

const resolveRecipe = (): undefined => undefined;
const reported = ({ errors, warnings }: Findings): string[] => [
  ...errors.map(fieldProblemMessage),
  ...warnings.map((text) => `warning: ${text}`),
];
const preAction = { exec: { command: ['freeze'] } };
const metadata = { name: 'h', annotations: { a: 'b' } };

describe('a template', () => {
  const of = (object: JsonObject, before?: JsonObject): string[] =>
    reported(
      validateTemplate({ object, resolveRecipe, ...(before === undefined ? {} : { before }) }),
    );
  const wrong = { preAction: {} };

  it('is judged by its actions, and not by what every object has', () => {
    const object = { apiVersion: 'lifehook.dev/v1alpha1', kind: 'ExecutionHookTemplate', metadata };
    expect(of({ ...object, preAction })).toEqual([]);
    const [problem] = of({ ...object, ...wrong });
    expect(problem).toMatch(/^preAction: Required value: give exactly one of/u);
    expect(of({ ...object, preAction, expirationTimeSeconds: 60 })).toEqual([
      'warning: expirationTimeSeconds: read as expirationSeconds',
    ]);
  });

  it('is not judged again where its actions are the same', () => {
    expect(of({ ...wrong, metadata }, wrong)).toEqual([]);
    expect(of(wrong, { preAction })).toHaveLength(1);
  });
});

describe('a hook', () => {
  const spec = { podSelector: { matchLabels: { app: 'db' } }, preAction };
  const of = (object: JsonObject, before: JsonObject): string[] =>
    reported(validateHook({ object, before, resolveRecipe }));

  it('is not judged again where its spec is the same, even if that is wrong', () => {
    const wrong = { metadata: { name: 'h' }, spec: { ...spec, preAction: {} } };
    expect(of({ ...wrong, metadata }, wrong)).toEqual([]);
  });

  it('must keep its spec, and hears of that alone', () => {
    const changed = of({ metadata, spec: { preAction: {} } }, { metadata, spec });
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatch(/^spec/u);
  });
});

it('a snapshot must keep its spec, and gets no warnings then', () => {
  const spec = { source: { persistentVolumeClaimNames: ['data'] } };
  const of = (object: JsonObject): string[] =>
    reported(validateSnapshot({ object, before: { metadata, spec }, resolveRecipe }));
  expect(of({ metadata: { name: 'h' }, spec })).toEqual([]);
  expect(of({ metadata, spec: { source: { persistentVolumeClaimNames: ['log'] } } })).toHaveLength(
    1,
  );
});
