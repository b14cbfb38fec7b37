import { describe, expect, it } from 'vitest';

import type { HttpServiceAnswer, HttpServiceRequest } from '../../platform/http-server.ts';
import { admissionService } from './admission-service.ts';

const service = admissionService({
  '/validate': ({ object }) => ({
    allowed: false,
    warnings: [object === null ? 'none' : 'one'],
    patch: [{ op: 'add', path: '/metadata/labels', value: { name: 'Käse 🧀' } }],
  }),
  '/broken': async () => {
    throw new Error('no lookup');
  },
});
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
  it('answers an AdmissionReview with the verdict, the warnings and a base64 JSON patch', async () => {
    const { status, body } = await asked({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid, kind, operation: 'CREATE', object: { spec: { source: {} } } },
    });
    const { response } = JSON.parse(body as string) as { response: Record<string, unknown> };
    const { patch, ...others } = response;
    expect(status).toBe(200);
    expect(others).toEqual({ uid, allowed: false, warnings: ['one'], patchType: 'JSONPatch' });
    const text = Buffer.from(String(patch), 'base64').toString('utf8');
    expect(JSON.parse(text)).toEqual([
      { op: 'add', path: '/metadata/labels', value: { name: 'Käse 🧀' } },
    ]);
  });

  it.each([
    ['text that is not JSON', 'x{'],
    ['a list', []],
    ['another version', { apiVersion: 'admission.k8s.io/v2', request: { uid, kind } }],
    ['no request', { apiVersion: 'admission.k8s.io/v1' }],
    ['no kind', { apiVersion: 'admission.k8s.io/v1', request: { uid } }],
    [
      'an object that is a string',
      { apiVersion: 'admission.k8s.io/v1', request: { uid, kind, object: 'x' } },
    ],
  ])('answers 400 to a body that is not an AdmissionReview: %s', async (_, body) => {
    expect((await asked(body)).status).toBe(400);
  });

  it('answers 500 when the handler throws, so that the failure policy decides', async () => {
    const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', request: { uid, kind } });
    const answer = await service.handle({ ...request(body), path: '/broken' });
    expect([answer.status, answer.body]).toEqual([500, 'no lookup\n']);
  });

  it('answers 404 to an unknown path and 405 to another method than POST', () => {
    const head = request('');
    expect(service.refuse(head)).toBeNull();
    expect(service.refuse({ ...head, path: '/' })?.status).toBe(404);
    expect(service.refuse({ ...head, method: 'GET' })?.status).toBe(405);
  });
});
