/**
 * The directories of examples/pipeline, unchanged, on the local cluster.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runDeployStory } from '../fixtures/pipeline/deploy-story.ts';
import { linesOf, openExample } from '../fixtures/pipeline/example.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

let cluster: ClusterStand;
/** Namespace of the deploy example. */
const NAMESPACE = 'tested';
/** Milliseconds. A pod runs a moment before its first line is in the log. */
const PATIENT = { timeout: 60_000 };

beforeAll(async () => {
  cluster = await openCluster();
  await ok('create', 'namespace', NAMESPACE);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function ok(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster.kubectl(...args);
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

const imageOf = (name: string): Promise<string> =>
  ok('get', 'deployment', name, '-o', 'jsonpath={.spec.template.spec.containers[0].image}');

describe('examples/pipeline', () => {
  it('build: files of other directories are in the image, and a change of them invalidates the cache', async () => {
    using project = openExample('build', cluster.kubeconfig);
    const first = await project.lifehook('pipeline', 'run');
    expect(first.code, first.stderr + first.stdout).toBe(0);
    const [webImage, appImage] = [await imageOf('leeroy-web'), await imageOf('leeroy-app')];
    expect(webImage).toMatch(/^leeroy-web:[0-9a-f]{64}$/u);
    expect(linesOf(first.stdout, /build\/leeroy-web\/after/u)).toEqual([
      `${webImage} is built of ${project.folder}/leeroy-web`,
    ]);
    await expect
      .poll(() => ok('logs', 'deployment/leeroy-web'), PATIENT)
      .toBe('hello from the shared package\nset up for leeroy-web');

    const second = await project.lifehook('pipeline', 'run');
    expect(second.stdout).toContain('build leeroy-web: found in the cache');
    expect(await imageOf('leeroy-web')).toBe(webImage);

    // PIPE-B7, PIPE-B8: a file that a hook adds is part of the cache key and of the tag.
    project.write('shared/package1.sh', "greet() {\n  echo 'hello again'\n}\n");
    const third = await project.lifehook('pipeline', 'run');
    expect(third.code, third.stderr).toBe(0);
    expect(third.stdout).toContain('build leeroy-app: found in the cache');
    expect(await imageOf('leeroy-web')).not.toBe(webImage);
    expect(await imageOf('leeroy-app')).toBe(appImage);
    await expect
      .poll(() => ok('logs', 'deployment/leeroy-web'), PATIENT)
      .toBe('hello again\nset up for leeroy-web');
  });

  it('environment: a variable that a hook has set is in the tag and in later hooks, and a secret is masked', async () => {
    using project = openExample('environment', cluster.kubeconfig);
    const { code, stdout, stderr } = await project.lifehook('pipeline', 'run');
    expect(code, stderr + stdout).toBe(0);
    expect(linesOf(stdout, /before\/2/u)).toEqual([
      'FOO is BAR, VERSION is 1.4.2, the image is greeter:1.4.2',
    ]);
    expect(linesOf(stdout, /deploy\/kubectl\/after\/0/u)).toEqual(['deployed 1.4.2 with ***']);
    expect(await imageOf('greeter')).toBe('greeter:1.4.2');
    const records = project.sessions().map((folder) => project.read(`${folder}/events.ndjson`));
    expect(records.join('\n')).not.toContain('not-for-the-log');
  });

  it('sync: a changed file is copied into the running container, and a command there processes it', async () => {
    using project = openExample('sync', cluster.kubeconfig);
    const dev = project.start(['pipeline', 'dev']);
    try {
      await dev.seen('deploy node-example: done');
      const pods = await ok('get', 'pods', '-l', 'app=node-example', '-o', 'name');
      const source = project.read('node/src/greet.js');
      project.write('node/src/greet.js', source.replaceAll('hello', 'good morning'));
      await dev.seen('sync node-example: done');
      const minified = 'export function greet(name) {\n  return `good morning, ${name}`;\n}';
      expect(await ok('exec', 'deployment/node-example', '--', 'cat', 'min/greet.js')).toBe(
        minified,
      );
      expect(linesOf(dev.out(), /^sync\/node-example\/before\/0$/u)).toEqual([
        `to be synced: ${project.folder}/node/src/greet.js`,
      ]);
      expect(linesOf(dev.out(), /^sync\/node-example\/after\/0 /u)).toEqual(['minified into min']);
      expect(await ok('get', 'pods', '-l', 'app=node-example', '-o', 'name')).toBe(pods);
      expect(dev.out().match(/build node-example: building/gu)).toHaveLength(1);
    } finally {
      dev.child.kill('SIGINT');
      await dev.ended;
    }
    expect(await ok('get', 'deployment', 'node-example', '--ignore-not-found')).toBe('');
  });
});

describe('on the local cluster', () => {
  runDeployStory(() => ({ ...cluster, namespace: NAMESPACE }));
});
