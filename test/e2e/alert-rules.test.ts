/** @module-tag promtool */
import { expect, it } from 'vitest';

import { run } from './cluster-stand.ts';

it.each([
  ['check', 'deploy/chart/files/rules.yaml'],
  ['test', 'test/fixtures/alert-rules/rules.test.yaml'],
])('promtool %s rules %s succeeds', async (verb, file) => {
  const { code, stdout, stderr } = await run('promtool', [verb, 'rules', file]);
  expect(code, stdout + stderr).toBe(0);
});
