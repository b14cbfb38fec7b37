import { expect, it } from 'vitest';

import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import { refused } from './apply-objects.ts';

const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' };
const what = 'applied';
const noAnswer = new UnreachableError('PATCH /api/v1: no answer', { sent: true });
const interrupted = AbortSignal.abort();
const { signal } = new AbortController();

it('reports a request without an answer as interrupted after an interruption', () => {
  const result = { outcome: 'Cancelled', exitCode: 130 };
  expect(refused(noAnswer, { what, ref, signal: interrupted })).toMatchObject(result);
});

it('reports a request without an answer as failed without an interruption', () => {
  const result = { outcome: 'Failed', exitCode: 1 };
  expect(refused(noAnswer, { what, ref, signal })).toMatchObject(result);
});

it('reports the refusal of the cluster also after an interruption', () => {
  const error = new ApiError(422, { reason: 'Invalid', message: 'the port is invalid' });
  const result = refused(error, { what, ref, signal: interrupted });
  expect(result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
  expect(result.message).toContain('the port is invalid');
});
