/**
 * Deploys ten real files with `lifehook pipeline run` on the local cluster, in parallel, each in a namespace of its
 * own. Their images are built from directories. A script replaces `make`, which some of them call.
 * @module-tag kubectl
 */
import { chmodSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KubeObject } from '../../src/kube/object.ts';
import { readPipeline } from '../../src/lifecycles/pipeline/config/read-pipeline.ts';
import type { PipelineConfig } from '../../src/lifecycles/pipeline/config/model.ts';
import { CORPUS, worldOf } from '../fixtures/pipeline/corpus-world.ts';
import { type ClusterStand, type Ended, openCluster, run } from './cluster-stand.ts';
import { openProject, type Project } from './pipeline-stand.ts';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** Each file, with the addresses of its hooks that run. */
const FILES: readonly (readonly [name: string, hooks: readonly string[]])[] = [
  ['v2alpha3-two-services', []],
  ['v2beta10-anchors', []],
  ['v2beta13-patches', []],
  ['v2beta19-build-hooks', ['build/web/before/0', 'build/web/after/0']],
  ['v2beta21-deploy-hooks', ['deploy/kubectl/before/0', 'deploy/kubectl/after/0']],
  ['v2beta28-input-digest', []],
  ['v3alpha1-render-hooks', ['render/before/0']],
  ['v4beta5-kustomize', []],
  ['v4beta10-artifact-requires', []],
  ['v4beta13-two-configs', []],
];

const AT_ONCE = 2;
/** Time limit of a file; it includes the wait for its turn. */
const TIMEOUT_MS = 600_000;

describe('lifehook pipeline run and delete with a real skaffold.yaml', () => {
  it.concurrent.each(FILES)('%s', { timeout: TIMEOUT_MS }, async (name, hooks) => {
    const release = await turn();
    try {
      await deploys(name, hooks);
    } finally {
      release();
    }
  });
});

async function deploys(name: string, hooks: readonly string[]): Promise<void> {
  using project = openProject(cluster.kubeconfig, {
    'skaffold.yaml': readFileSync(`${CORPUS}/${name}.yaml`, 'utf8'),
  });
  const config = await configOf(project);
  const images = config.modules.flatMap(({ build }) => build.artifacts);
  await layOut(project, config);
  await ok(cluster.kubectl('create', 'namespace', name));
  const args = ['pipeline', 'run', '-n', name];
  const PATH = `${project.folder}/bin:${process.env['PATH'] ?? ''}`;
  const { code, stdout, stderr } = await project.start(args, { PATH }).ended;
  expect(code, `${stderr}\n${stdout}`).toBe(0);
  for (const address of hooks) expect(stdout).toMatch(new RegExp(`${address}.*: done in`, 'u'));

  const running = await deploymentsIn(name);
  const names = running.map(({ image }) => image.split(':')[0] ?? '');
  expect(names.toSorted()).toEqual(images.map(({ image }) => image).toSorted());
  for (const { image, ready } of running) {
    expect(image).toMatch(/:[\w][\w.-]*$/u);
    expect(ready).toBe(1);
  }
  await ok(project.start(['pipeline', 'delete', '-n', name], { PATH }).ended);
  expect(await deploymentsIn(name)).toEqual([]);
}

function configOf(project: Project): Promise<PipelineConfig> {
  const file = `${project.folder}/skaffold.yaml`;
  const read = readPipeline({
    file,
    profiles: [],
    env: {},
    command: 'run',
    facts: {
      readText: async (path) => (path === file ? project.read('skaffold.yaml') : null),
      isFolder: async () => false,
      kubeContext: async () => null,
    },
  });
  return read.then(({ config }) => config);
}

async function layOut(project: Project, config: PipelineConfig): Promise<void> {
  for (const [path, text] of Object.entries(worldOf(config))) {
    const name = path.slice(project.folder.length + 1);
    project.write(name, text);
    if (name.endsWith('/migrate') || name === 'root/migrate') chmodSync(path, 0o755);
  }
  const images = config.modules.flatMap(({ build }) => build.artifacts.map(({ image }) => image));
  const builders = Object.fromEntries(images.map((image) => [image, { path: 'root' }]));
  project.write('lifehook.yaml', JSON.stringify({ folderBuilders: builders }));
  project.write('bin/make', '#!/bin/sh\necho "made $1"\n', 0o755);
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'first'],
  ]) {
    await ok(run('git', ['-C', project.folder, ...identity, ...args]));
  }
}

async function deploymentsIn(namespace: string): Promise<{ image: string; ready: number }[]> {
  const text = await ok(cluster.kubectl('get', 'deployments', '-n', namespace, '-o', 'json'));
  const { items } = JSON.parse(text) as { items: readonly (KubeObject & Deployment)[] };
  return items.map(({ spec, status }) => ({
    image: spec.template.spec.containers[0]?.image ?? '',
    ready: status.readyReplicas ?? 0,
  }));
}

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { image: string }[] } };
  };
  readonly status: { readonly readyReplicas?: number };
}

async function ok(running: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await running;
  expect(code, stderr + stdout).toBe(0);
  return stdout;
}

const waiting: (() => void)[] = [];
let busy = 0;

/** Resolves once fewer than AT_ONCE files are being deployed, with a function that ends the turn of this file. */
async function turn(): Promise<() => void> {
  if (busy === AT_ONCE) await new Promise<void>((resume) => waiting.push(resume));
  else busy += 1;
  return () => {
    const next = waiting.shift();
    if (next === undefined) busy -= 1;
    else next();
  };
}
