import { describe, expect, it } from 'vitest';

import type {
  HttpService,
  HttpServiceAnswer,
  HttpServiceRequest,
} from '../../platform/http-server.ts';
import type { Verdict } from './admission-review.ts';
import { admissionService } from './admission-service.ts';

const service = (): HttpService =>
  admissionService({
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
  service().handle(request(JSON.stringify(body)));

const uid = '7';
const kind = { group: 'lifehook.dev', version: 'v1alpha1', kind: 'ApplicationSnapshot' };

const aReview = { apiVersion: 'admission.k8s.io/v1', request: { uid, kind } };

/** The answer of a webhook that gives this verdict. */
const answerTo = (verdict: Verdict): Promise<HttpServiceAnswer> =>
  admissionService({ '/validate': () => verdict }).handle(request(JSON.stringify(aReview)));

const responseIn = ({ body }: HttpServiceAnswer): Record<string, unknown> =>
  (JSON.parse(body as string) as { response: Record<string, unknown> }).response;

describe('the admission service', () => {
  it('answers with an AdmissionReview of the same version, as JSON', async () => {
    const { headers, body } = await answerTo({ allowed: true });
    expect(headers).toEqual({ 'content-type': 'application/json' });
    expect(JSON.parse(body as string)).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid, allowed: true },
    });
  });

  it('routes requests by their path alone, since API servers add a query (ROLL-E27)', async () => {
    const given = {
      ...request(JSON.stringify(aReview)),
      query: new URLSearchParams({ timeout: '5s' }),
    };
    expect(service().refuse(given)).toBeNull();
    expect(await service().handle(given)).toMatchObject({ status: 200 });
  });

  it('answers a verdict without warnings and changes by no such field', async () => {
    const response = responseIn(await answerTo({ allowed: true, warnings: [], patch: [] }));
    expect(response).toEqual({ uid, allowed: true });
  });

  it('passes the status of a denial on', async () => {
    const status = { code: 403, reason: 'Forbidden', message: 'no' };
    expect(responseIn(await answerTo({ allowed: false, status }))).toMatchObject({ status });
  });

  it('cuts warnings to the limits of an API server: 16 of 256 characters', async () => {
    const face = '\u{1F600}';
    const long = ['y'.repeat(257), `${'y'.repeat(254)}${face}y`];
    const warnings = ['x'.repeat(256), ...long, ...Array.from({ length: 15 }, () => 'z')];
    const response = responseIn(await answerTo({ allowed: true, warnings }));
    expect(response['warnings']).toEqual([
      'x'.repeat(256),
      `${'y'.repeat(255)}…`,
      `${'y'.repeat(254)}…`,
      ...Array.from({ length: 13 }, () => 'z'),
    ]);
  });

  it('answers an AdmissionReview with the verdict, the warnings and a base64 JSON patch', async () => {
    const answer = await asked({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid, kind, operation: 'CREATE', object: { spec: { source: {} } } },
    });
    const { patch, ...others } = responseIn(answer);
    expect(answer.status).toBe(200);
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
    ['no uid', { apiVersion: 'admission.k8s.io/v1', request: { kind } }],
    ['no kind', { apiVersion: 'admission.k8s.io/v1', request: { uid } }],
    [
      'an object that is a string',
      { apiVersion: 'admission.k8s.io/v1', request: { uid, kind, object: 'x' } },
    ],
  ])('answers 400 to a body that is not an AdmissionReview: %s', async (_, body) => {
    expect(await asked(body)).toMatchObject({
      status: 400,
      body: 'the request is not an AdmissionReview of admission.k8s.io/v1\n',
    });
  });

  it('answers 500 when the handler throws, so that the failure policy decides', async () => {
    const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', request: { uid, kind } });
    const answer = await service().handle({ ...request(body), path: '/broken' });
    expect([answer.status, answer.body]).toEqual([500, 'no lookup\n']);
  });

  it('refuses another path or method before the body is read, and names what it accepts', () => {
    const head = request('');
    expect(service().refuse(head)).toBeNull();
    expect(service().refuse({ ...head, path: '/' })).toMatchObject({
      status: 404,
      body: 'this server has only /validate, /broken\n',
    });
    expect(service().refuse({ ...head, method: 'GET' })).toMatchObject({
      status: 405,
      body: 'POST an AdmissionReview\n',
    });
  });

  it('refuses an upgrade to a WebSocket, and names what it accepts', async () => {
    expect(await service().upgrade(request(''))).toMatchObject({
      kind: 'refused',
      answer: { status: 400, body: 'POST an AdmissionReview\n' },
    });
  });

  it('names the limit to a client whose body is longer', () => {
    expect(service().tooLarge(9)).toMatchObject({ status: 413, body: 'at most 9 bytes\n' });
  });

  it('reads the body as text in UTF-8', () => {
    expect(service().isBinary(request(''))).toBe(false);
  });
});
