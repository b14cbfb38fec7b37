import { expect, it } from 'vitest';

import { checkAgainstDeployment } from './check-against-deployment.ts';

it('warns that hooks of Recreate do not run in a Deployment with the default strategy', () => {
  const pre = { execNewPod: { containerName: 'app' } };
  const template = { spec: { containers: [{ name: 'app' }] } };
  const { warnings } = checkAgainstDeployment(
    { spec: { deploymentName: 'web', recreate: { pre } } },
    { metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } }, template } },
  );
  expect(warnings).toEqual([
    'spec.recreate: the Deployment "web" has the strategy RollingUpdate, so none of these hooks runs: write them under rollingUpdate, or change the strategy',
  ]);
});
