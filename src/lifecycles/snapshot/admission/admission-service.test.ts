import { describe, expect, it } from 'vitest';

import type { HttpServiceAnswer, HttpServiceRequest } from '../../../platform/http-server.ts';
import { admissionService } from './admission-service.ts';

const service = admissionService(() => undefined);
const request = (body: string): HttpServiceRequest => ({
  method: 'POST',
  path: '/validate',
  query: new URLSearchParams(),
  headers: {},
  body,
  signal: new AbortController().signal,
});

const asked = (body: unknown): Promise<HttpServiceAnswer> =>
  service.handle(request(JSON.stringify(body)));

const uid = '7';
const kind = { group: 'lifehook.dev', version: 'v1alpha1', kind: 'ApplicationSnapshot' };

describe('the admission service', () => {
  it('answers a review', async () => {
    const { status, body } = await asked({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid, kind, operation: 'CREATE', object: { spec: { source: {} } } },
    });
    const read = JSON.parse(body as string) as { response: { uid: string; allowed: boolean } };
    expect([status, read.response.uid, read.response.allowed]).toEqual([200, uid, false]);
  });

  it.each([
    ['no JSON', 'x{'],
    ['a list', []],
    ['another version', { apiVersion: 'admission.k8s.io/v2', request: { uid, kind } }],
    ['no request', { apiVersion: 'admission.k8s.io/v1' }],
    ['no kind', { apiVersion: 'admission.k8s.io/v1', request: { uid } }],
    [
      'an object that is none',
      { apiVersion: 'admission.k8s.io/v1', request: { uid, kind, object: 'x' } },
    ],
  ])('does not take %s for one', async (_, body) => {
    expect((await asked(body)).status).toBe(400);
  });

  it('knows one path and one method', () => {
    const head = request('');
    expect(service.refuse(head)).toBeNull();
    expect(service.refuse({ ...head, path: '/' })?.status).toBe(404);
    expect(service.refuse({ ...head, method: 'GET' })?.status).toBe(405);
  });
});
