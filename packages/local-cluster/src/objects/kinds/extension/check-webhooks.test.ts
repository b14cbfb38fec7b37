import { expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { checkWebhooks } from './check-webhooks.ts';

const NAME_FORM =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const faults = (...matchConditions: JsonObject[]): string[] => {
  const webhook = {
    name: 'a.b.c',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 10,
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    clientConfig: { url: 'https://x/y' },
    matchConditions,
  };
  return checkWebhooks({ webhooks: [webhook] }).map(fieldErrorMessage);
};

it('a match condition needs an expression and a name of its own', () => {
  const valid = { name: 'a.example.com/b', expression: 'true' };
  expect(faults()).toEqual([]);
  expect(faults(valid)).toEqual([]);
  expect(faults({}, { name: '-', expression: ' \n' }, valid, valid)).toEqual([
    'webhooks[0].matchConditions[0].expression: Required value',
    'webhooks[0].matchConditions[0].name: Required value',
    'webhooks[0].matchConditions[1].expression: Required value',
    `webhooks[0].matchConditions[1].name: Invalid value: "-": ${NAME_FORM}`,
    'webhooks[0].matchConditions[3].name: Duplicate value: "a.example.com/b"',
  ]);
});

it('a webhook can have 64 match conditions', () => {
  const conditions = (count: number): JsonObject[] =>
    Array.from({ length: count }, (_, index) => ({ name: `c${index}`, expression: 'true' }));
  expect(faults(...conditions(64))).toEqual([]);
  expect(faults(...conditions(65))).toEqual([
    'webhooks[0].matchConditions: Too many: 65: must have at most 64 items',
  ]);
});
