import { expect, test } from 'vitest';

import { HEAD, read } from '../../../../../test/fixtures/pipeline/read-files.ts';

test.each([
  ['', null, 600],
  ['0', null, 600],
  ['7', 7, 7],
])('timeouts of "%s" s mean what they mean to skaffold', async (seconds, ofTest, ofCheck) => {
  const { config } = await read(
    `${HEAD}test:\n  - image: web\n    custom: [{ command: 'true', timeoutSeconds: ${seconds} }]\n` +
      `deploy:\n  statusCheckDeadlineSeconds: ${seconds}\n`,
  );
  const [module] = config.modules;
  expect(module?.test[0]?.custom[0]?.timeoutSeconds).toBe(ofTest);
  expect(module?.deploy.statusCheckDeadlineSeconds).toBe(ofCheck);
});
