/** `lifehook pipeline plan` and `rerun` as a user runs them. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { PipelinePlan } from '../../src/lifecycles/pipeline/drive/plan.ts';
import { formatProblem } from '../../src/model/problem.ts';
import { linesOf, openExample } from '../fixtures/pipeline/example.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { openProject, shellHook, shopFiles } from './pipeline-stand.ts';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

describe('lifehook pipeline plan', () => {
  it('PIPE-CASE48: prints what a run would do, and runs nothing', { tags: 'kubectl' }, async () => {
    using shop = openProject(
      cluster.kubeconfig,
      shopFiles({
        build: `{ before: [${shellHook('touch ran')}] }`,
        deploy: `{ after: [{ host: ${shellHook('touch ran')} }, { container: { podName: 'web*', command: [touch, ran] } }] }`,
      }),
    );
    const { code, stdout, stderr } = await shop.lifehook('pipeline', 'plan');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('context lifehook-local, namespace default');
    expect(stdout).toMatch(/= web:[0-9a-f]{64} will be built by folder/u);
    expect(stdout).toContain('= 1 object: Pod/web, into default');
    expect(stdout).toMatch(/\+ build\/web\/before\/0: its phase runs\n {6}sh -c 'touch ran'/u);
    expect(existsSync(`${shop.folder}/ran`)).toBe(false);
    expect((await cluster.kubectl('get', 'pods', '-o', 'name')).stdout).toBe('');
    const images = await cluster.lifehook('image', 'list');
    expect(images.stdout).not.toContain('web:');
  });

  it('prints JSON, and fails with every problem that would stop the run', async () => {
    using shop = openProject(cluster.kubeconfig, {
      ...shopFiles({}),
      'k8s/web.yaml': 'kind: Pod\n',
      'k8s/more.yaml': '- one\n',
    });
    const { code, stdout, stderr } = await shop.lifehook('pipeline', 'plan', '-o', 'json');
    expect(code).toBe(1);
    const plan = JSON.parse(stdout) as PipelinePlan;
    expect(plan.cluster).toEqual({ context: 'lifehook-local', namespace: 'default' });
    expect(plan.phases.map(({ phase }) => phase)).toEqual(['build', 'render', 'deploy']);
    expect(plan.problems).toHaveLength(2);
    const problems = plan.problems.map(formatProblem);
    expect(problems.join('\n')).toMatch(/k8s\/web\.yaml:1:1: error LHL401: .*"apiVersion"/u);
    for (const problem of problems) expect(stderr).toContain(problem);
  });

  it('plans a verb with the profiles that the verb activates', async () => {
    const files = shopFiles({});
    const profiles = 'profiles: [{ name: live, activation: [{ command: dev }] }]\n';
    using shop = openProject(cluster.kubeconfig, {
      ...files,
      'skaffold.yaml': `${files['skaffold.yaml'] ?? ''}${profiles}`,
    });
    expect((await shop.lifehook('pipeline', 'plan')).stdout).not.toContain('profiles live');
    expect((await shop.lifehook('pipeline', 'plan', 'dev')).stdout).toContain('profiles live');
  });
});

describe('lifehook pipeline rerun', () => {
  it('runs a hook again with the variables that other hooks have set, and names missing secrets', async () => {
    using project = openExample('environment', cluster.kubeconfig);
    const failing = project
      .read('skaffold.yaml')
      .replace('echo "FOO is $FOO', 'exit 6; echo "FOO is $FOO');
    const whole = project.read('skaffold.yaml');
    project.write('skaffold.yaml', failing);
    const { code, stderr } = await project.lifehook('pipeline', 'build');
    expect(code).toBe(3);
    expect(stderr).toContain('exited with code 6');
    const [, id = ''] = /again: lifehook pipeline rerun (\S+)/u.exec(stderr) ?? [];

    const noSecret = await project.lifehook('pipeline', 'rerun', id);
    expect(noSecret.code).toBe(1);
    expect(noSecret.stderr).toMatch(/LHL653: .*RELEASE_TOKEN/u);

    project.write('skaffold.yaml', whole);
    const args = ['pipeline', 'rerun', 'build/greeter/before/2'];
    const again = await project.start(args, { RELEASE_TOKEN: 'given-now' }).ended;
    expect(again.code, again.stderr).toBe(0);
    expect(linesOf(again.stdout, /before\/2/u)).toEqual([
      'FOO is BAR, VERSION is 1.4.2, the image is greeter:1.4.2',
    ]);
  });

  it('fails on an unknown address with the recorded runs', async () => {
    using shop = openProject(null, shopFiles({ build: `{ before: [${shellHook('exit 2')}] }` }));
    const nothing = await shop.lifehook('pipeline', 'rerun', '12345678-1');
    expect(nothing).toMatchObject({ code: 1 });
    expect(nothing.stderr).toMatch(/LHL651: "12345678-1" is neither .*nothing is recorded yet/u);
  });
});
