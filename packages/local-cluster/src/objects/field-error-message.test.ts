import { describe, expect, it } from 'vitest';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  fieldErrorMessage,
  invalidMessage,
  invalidStatus,
} from './field-error.ts';

const negative = invalid('spec.replicas', -1, 'must be greater than or equal to 0');

describe('a field error', () => {
  it.each<[FieldError, string]>([
    [negative, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    [invalid('a', 'x"y', ''), 'a: Invalid value: "x\\"y"'],
    [
      invalid('a', { b: ['c'] }, 'field is immutable'),
      'a: Invalid value: {"b":["c"]}: field is immutable',
    ],
    [invalid('a', undefined, 'no'), 'a: Invalid value: null: no'],
    [required('spec.selector'), 'spec.selector: Required value'],
    [required('a', 'when b'), 'a: Required value: when b'],
    [forbidden('a', 'no'), 'a: Forbidden: no'],
    [duplicate('a[1]', 'x'), 'a[1]: Duplicate value: "x"'],
    [notSupported('a', 'x', ['b', 'c']), 'a: Unsupported value: "x": supported values: "b", "c"'],
    [tooLong('data', 10), 'data: Too long: must have at most 10 bytes'],
  ])('%j is formatted as Kubernetes does', (error, message) => {
    expect(fieldErrorMessage(error)).toBe(message);
  });
});

describe('an invalid object', () => {
  const object = { group: 'apps', kind: 'Deployment', name: 'x' };

  it('is reported with its group, and several errors are in brackets, each once', () => {
    expect(invalidMessage(object, [negative])).toBe(
      'Deployment.apps "x" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
    expect(
      invalidMessage({ ...object, group: '' }, [required('a'), required('b'), required('a')]),
    ).toBe('Deployment "x" is invalid: [a: Required value, b: Required value]');
  });

  it('is answered with a status that lists each cause', () => {
    expect(invalidStatus(object, [negative])).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: {
        name: 'x',
        group: 'apps',
        kind: 'Deployment',
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: -1: must be greater than or equal to 0',
            field: 'spec.replicas',
          },
        ],
      },
    });
  });
});
