import { expect, it } from 'vitest';

import { bareResult } from '../../../engine/bare-result.ts';
import { maskSecretsOf } from './masked-result.ts';

const key = { namespace: 'shop', pod: 'db-0', container: 'mysql' };

const result = {
  ...bareResult('Failed', 'The command said hunter22.', 1),
  stdout: {
    text: `it is hunter22, or ${Buffer.from('hunter22').toString('base64')}`,
    totalBytes: 9,
  },
  stderr: { text: 'plain', totalBytes: 5 },
};

it('the result of a hook holds no value of the Secrets of its container', async () => {
  const asked: unknown[] = [];
  const secretsOf = (of: unknown): Promise<readonly string[]> => {
    asked.push(of);
    return Promise.resolve(['hunter22']);
  };
  expect(await maskSecretsOf({ secretsOf }, key)(result)).toMatchObject({
    stdout: { text: 'it is ***, or ***=', totalBytes: 9 },
    stderr: { text: 'plain' },
    reason: 'The command said ***.',
  });
  expect(asked).toEqual([key]);
});

it('the result of a hook stays as it is where no Secrets can be read', async () => {
  expect(await maskSecretsOf({}, key)(result)).toBe(result);
});
