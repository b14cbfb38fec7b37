import { beforeEach, expect, it } from 'vitest';

import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { bareResult } from '../../../engine/act.ts';
import { maskSecretsOf } from './masked-result.ts';

let bench: SimBench;
let timers: SimBench['host']['timers'];

beforeEach(() => {
  bench = new SimBench();
  ({ timers } = bench.host);
});

const timeoutMs = 1_000;
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
  expect(
    await maskSecretsOf({ access: { secretsOf }, key, timeoutMs, timers })(result),
  ).toMatchObject({
    stdout: { text: 'it is ***, or ***=', totalBytes: 9 },
    stderr: { text: 'plain' },
    reason: 'The command said ***.',
  });
  expect(asked).toEqual([key]);
});

it('the result of a hook stays as it is where no Secrets can be read', async () => {
  expect(await maskSecretsOf({ access: {}, key, timeoutMs, timers })(result)).toBe(result);
});

it('the result of a hook is without its output where Secrets are not read within the time of its attempt', async () => {
  const secretsOf = (): Promise<readonly string[]> => new Promise(() => {});
  const mask = maskSecretsOf({ access: { secretsOf }, key, timeoutMs, timers });
  const masked = await bench.until(mask(result));
  expect(bench.world.elapsedMs).toBe(timeoutMs);
  expect(masked).toMatchObject({ outcome: 'Failed', stdout: { totalBytes: 9 } });
  expect(masked.stdout.text).toContain('left out');
  expect(masked.stderr.text).toContain('left out');
});
