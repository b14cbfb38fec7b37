import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { DeploymentLifecycleSpec, ExecNewPodHook } from '../kinds.ts';
import { checkAgainstDeployment } from './check-against-deployment.ts';

const deployment = (
  type: string,
  selector: object = { matchLabels: { app: 'web' } },
): Deployment => ({
  metadata: { name: 'web' },
  spec: {
    strategy: { type },
    selector,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [{ name: 'app' }, { name: 'proxy' }],
        initContainers: [{ name: 'fetch' }],
        volumes: [{ name: 'data' }],
      },
    },
  },
});

const pre = (execNewPod: Partial<ExecNewPodHook>): DeploymentLifecycleSpec => ({
  deploymentName: 'web',
  rollingUpdate: { pre: { execNewPod: { containerName: 'app', ...execNewPod } } },
});

const reported = (spec: DeploymentLifecycleSpec, of: Deployment): string[] => {
  const { errors, warnings } = checkAgainstDeployment({ spec }, of);
  return [...errors.map(fieldProblemMessage), ...warnings.map((warning) => `warning: ${warning}`)];
};

const AT = 'spec.rollingUpdate.pre.execNewPod';
const rolling = deployment('RollingUpdate');

describe('checkAgainstDeployment', () => {
  it.each(['app', 'proxy', 'fetch'])(
    'allows a hook of the container %s (ROLL-DH22)',
    (containerName) => {
      expect(
        reported(pre({ containerName, volumes: ['data'], labels: { app: 'job' } }), rolling),
      ).toEqual([]);
    },
  );

  it('refuses a hook of a missing container under each strategy (ROLL-C25)', () => {
    const says = `${AT}.containerName: Invalid value: "ap": the Deployment "web" has no such container: name one of "app", "proxy", "fetch"; did you mean "app"?`;
    expect(reported(pre({ containerName: 'ap' }), rolling)).toEqual([says]);
    expect(reported(pre({ containerName: 'ap' }), deployment('Recreate'))).toContain(says);
  });

  it('refuses hook pod labels that the selector matches (ROLL-E24)', () => {
    expect(reported(pre({ labels: { app: 'web', more: '' } }), rolling)).toEqual([
      `${AT}.labels: Invalid value: {"app":"web","more":""}: the selector of the Deployment "web" matches these labels, so the hook pod would count as a pod of the Deployment: change one of the labels`,
    ]);
    const notIn = { matchExpressions: [{ key: 'kind', operator: 'NotIn', values: ['job'] }] };
    const wide = deployment('RollingUpdate', notIn);
    expect(reported(pre({}), wide)).toHaveLength(1);
    expect(reported(pre({ labels: { kind: 'job' } }), wide)).toEqual([]);
  });

  it('warns of a missing volume (ROLL-DH7)', () => {
    expect(reported(pre({ volumes: ['dat'] }), rolling)).toEqual([
      `warning: ${AT}.volumes[0]: the Deployment "web" has no volume "dat", so the hook has none either; did you mean "data"?`,
    ]);
  });

  it('says nothing of a likely name where none is near', () => {
    const [missing = ''] = reported(pre({ containerName: 'something-else' }), rolling);
    expect(missing).toMatch(/name one of "app", "proxy", "fetch"$/u);
  });

  it('takes a Deployment that says no strategy for one of RollingUpdate', () => {
    const { spec, ...rest } = rolling;
    const { strategy: _, ...plain } = spec ?? { selector: {}, template: {} };
    const bare = { ...rest, spec: plain };
    expect(reported(pre({}), bare)).toEqual([]);
    const { template, ...unfilled } = plain;
    const empty = {
      ...rest,
      spec: { ...unfilled, template: { ...template, spec: { containers: [] } } },
    };
    expect(reported(pre({ volumes: ['data'] }), empty)).toEqual([
      `${AT}.containerName: Invalid value: "app": the Deployment "web" has no such container: name one of `,
      `warning: ${AT}.volumes[0]: the Deployment "web" has no volume "data", so the hook has none either`,
    ]);
  });

  it('warns if all hooks are for the other strategy', () => {
    expect(reported(pre({}), deployment('Recreate'))).toEqual([
      'warning: spec.rollingUpdate: the Deployment "web" has the strategy Recreate, so none of these hooks runs: write them under recreate, or change the strategy',
    ]);
    const hook = { execNewPod: { containerName: 'app' } };
    expect(reported({ ...pre({}), recreate: { mid: hook } }, deployment('Recreate'))).toEqual([]);
    expect(reported({ deploymentName: 'web' }, deployment('Recreate'))).toEqual([]);
  });
});
