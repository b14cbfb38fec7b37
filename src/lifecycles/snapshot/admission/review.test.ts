import { describe, expect, it } from 'vitest';

import {
  type AdmissionRequest,
  type AdmissionResponse,
  answerOf,
} from '../../../controller/admission/admission-review.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { review } from './review.ts';

const targets = { podContainerNamesList: [{ podName: 'db', containerNames: ['mysql'] }] };
const preAction = { exec: { command: ['freeze'] } };
const good = { metadata: { name: 'h' }, spec: { ...targets, preAction } } as JsonObject;
const bad = { metadata: { name: 'h' }, spec: { preAction } } as JsonObject;

const answerTo = (request: Partial<AdmissionRequest>): AdmissionResponse => {
  const kind = { group: 'lifehook.dev', kind: 'ExecutionHook' };
  const whole = { uid: 'u', kind, operation: 'CREATE', object: good, ...request };
  const apiVersion = 'admission.k8s.io/v1' as const;
  const asked = { apiVersion, kind: 'AdmissionReview', request: whole };
  const answer = answerOf(
    asked,
    review(whole, () => undefined),
  );
  expect([answer.apiVersion, answer.kind]).toEqual([apiVersion, 'AdmissionReview']);
  return answer.response;
};

describe('review', () => {
  it('allows a valid hook', () => {
    expect(answerTo({})).toEqual({ uid: 'u', allowed: true });
  });

  it('refuses an invalid hook as an API server does, with every cause', () => {
    expect(answerTo({ object: bad })).toEqual({
      uid: 'u',
      allowed: false,
      status: {
        code: 422,
        reason: 'Invalid',
        message:
          'ExecutionHook.lifehook.dev "h" is invalid: spec.podContainerNamesList: Required value: name the pods and containers here, or give a podSelector or a containerSelector',
        details: {
          name: 'h',
          group: 'lifehook.dev',
          kind: 'ExecutionHook',
          causes: [
            {
              reason: 'FieldValueRequired',
              message:
                'Required value: name the pods and containers here, or give a podSelector or a containerSelector',
              field: 'spec.podContainerNamesList',
            },
          ],
        },
      },
    });
    const generated = { ...bad, metadata: { generateName: 'h-' } };
    expect(answerTo({ object: generated }).status?.details?.name).toBe('h-');
  });

  it('warns of an alternative spelling, in at most 256 characters', () => {
    const long = 'x'.repeat(300);
    const spec = { ...targets, preAction, expirationTimeSeconds: 60, [long]: 1 };
    const { allowed, warnings = [] } = answerTo({ object: { spec } });
    expect(allowed).toBe(true);
    expect(warnings.map((text) => text.length)).toEqual([256, 53]);
    expect(warnings[1]).toBe('spec.expirationTimeSeconds: read as expirationSeconds');
  });

  it('refuses an update of an invalid hook only if it changes the spec', () => {
    const update = { operation: 'UPDATE', oldObject: bad };
    const thawed = { ...bad, metadata: { name: 'h', annotations: { a: 'b' } } };
    expect(answerTo({ ...update, object: thawed }).allowed).toBe(true);
    expect(answerTo({ ...update, object: { ...bad, spec: {} } }).allowed).toBe(false);
  });

  it.each<[string, Partial<AdmissionRequest>]>([
    ['another kind', { kind: { group: '', kind: 'Pod' } }],
    ['our kinds of another group', { kind: { group: 'example.com', kind: 'ExecutionHook' } }],
    ['a deletion', { operation: 'DELETE', object: null, oldObject: bad }],
    ['a deletion that names an object', { operation: 'DELETE', oldObject: bad }],
    ['a connection', { operation: 'CONNECT' }],
    ['an update of an object that is not told', { operation: 'UPDATE' }],
    ['an update of no object', { operation: 'UPDATE', oldObject: null }],
    ['a status', { operation: 'UPDATE', subResource: 'status', oldObject: good }],
  ])('allows %s without a check', (_, request) => {
    expect(answerTo({ object: bad, ...request }).allowed).toBe(true);
  });
});
