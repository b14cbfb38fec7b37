/**
 * The answer of a webhook to an object, which for an invalid one is of the same kind as that of the API server itself
 * (SNAP-R4), and the address of the webhook.
 */
import { describe, expect, it } from 'vitest';

import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../definitions/field-problem.ts';
import type { AdmissionRequest } from './admission-review.ts';
import { findingsVerdict } from './findings-verdict.ts';
import { webhookTarget } from './webhook-client.ts';

const request = (more: Partial<AdmissionRequest>): AdmissionRequest => ({
  uid: 'u1',
  kind: { group: 'lifehook.dev', kind: 'ExecutionHook' },
  operation: 'CREATE',
  object: null,
  ...more,
});

describe('the verdict on an object', () => {
  it('allows one without errors, and passes the warnings on', () => {
    const findings = { errors: [], warnings: ['unknown field "spec.x"'] };
    expect(findingsVerdict(request({ name: 'h' }), findings)).toEqual({
      allowed: true,
      warnings: ['unknown field "spec.x"'],
    });
  });

  it('denies one with errors, with code, message and a cause for each', () => {
    const errors = [
      required('spec.a', 'name it'),
      invalid('spec.b', 0, 'must be 1'),
      notSupported('spec.c', 'x', ['y', 'z']),
      forbidden('spec.d', 'it cannot change'),
      duplicate('spec.e[1]', 'twice'),
    ];
    const texts = [
      'Required value: name it',
      'Invalid value: 0: must be 1',
      'Unsupported value: "x": supported values: "y", "z"',
      'Forbidden: it cannot change',
      'Duplicate value: "twice": write it once',
    ];
    const reasons = ['Required', 'Invalid', 'NotSupported', 'Forbidden', 'Duplicate'];
    const fields = ['spec.a', 'spec.b', 'spec.c', 'spec.d', 'spec.e[1]'];
    const all = texts.map((text, index) => `${fields[index]}: ${text}`).join(', ');
    expect(findingsVerdict(request({ name: 'h' }), { errors, warnings: ['w'] })).toEqual({
      allowed: false,
      warnings: ['w'],
      status: {
        code: 422,
        reason: 'Invalid',
        message: `ExecutionHook.lifehook.dev "h" is invalid: [${all}]`,
        details: {
          name: 'h',
          group: 'lifehook.dev',
          kind: 'ExecutionHook',
          causes: texts.map((message, index) => ({
            reason: `FieldValue${reasons[index]}`,
            message,
            field: fields[index],
          })),
        },
      },
    });
  });

  it.each<[string, Partial<AdmissionRequest>]>([
    ['h', { name: 'h', object: { metadata: { name: 'other' } } }],
    ['own', { name: '', object: { metadata: { name: 'own', generateName: 'g-' } } }],
    ['own', { object: { metadata: { name: 'own' } } }],
    ['g-', { object: { metadata: { generateName: 'g-' } } }],
    ['', { object: { metadata: { name: 5 } } }],
    ['', { object: { metadata: null } }],
    ['', { object: { metadata: ['name'] } }],
    ['', { object: { metadata: 'name' } }],
    ['', { object: {} }],
    ['', { object: null }],
  ])('names the object %j of %j', (name, more) => {
    const { status } = findingsVerdict(request(more), {
      errors: [required('spec', 'write it')],
      warnings: [],
    });
    expect(status?.details?.name).toBe(name);
  });
});

describe('the target of a webhook', () => {
  it('is the service in the cluster, or an address, with the authority in base64', () => {
    const service = { namespace: 'n', name: 's', port: 443 };
    const common = { path: '/validate', authority: 'PEM' };
    expect(webhookTarget({ client: { service }, ...common })).toEqual({
      service: { ...service, path: '/validate' },
      caBundle: 'UEVN',
    });
    expect(webhookTarget({ client: { url: 'https://10.0.0.1:9443' }, ...common })).toEqual({
      url: 'https://10.0.0.1:9443/validate',
      caBundle: 'UEVN',
    });
  });
});
