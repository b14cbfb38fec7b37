import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findInputs } from './find-inputs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-inputs-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function lay(...paths: readonly (readonly [path: string, text: string])[]): Promise<void> {
  for (const [path, text] of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const MANIFEST = 'kind: ConfigMap\n';
const PIPELINE = 'apiVersion: skaffold/v4beta1\nkind: Config\n';
const HOOK = '{ "hook": { "path": "/bin/true" }, "stages": ["poststop"] }';

async function found(...paths: string[]): Promise<Record<string, unknown>> {
  const inputs = await findInputs(paths.map((path) => join(folder, path)));
  const inFolder = (path: string): string => relative(folder, path);
  return {
    manifests: inputs.manifests.map(({ file, isNamed }) => [inFolder(file), isNamed]),
    kustomizations: inputs.kustomizations.map(({ file }) => inFolder(file)),
    hooks: [...inputs.hooks].map(inFolder),
    pipelines: [...inputs.pipelines].map(inFolder),
    skipped: inputs.skipped.map(({ path }) => inFolder(path)),
    problems: inputs.problems.map(({ code, at }) => [code, inFolder(at?.file ?? '')]),
  };
}

const NOTHING = {
  manifests: [],
  kustomizations: [],
  hooks: [],
  pipelines: [],
  skipped: [],
  problems: [],
};

describe('findInputs', () => {
  it('walks a directory in order, and knows each file by what it is', async () => {
    await lay(
      ['b/web.yml', MANIFEST],
      ['a.yaml', MANIFEST],
      ['list.JSON', '{ "kind": "List" }'],
      ['README.md', MANIFEST],
      ['.git/config.yaml', MANIFEST],
      ['node_modules/x/x.yaml', MANIFEST],
      ['hooks.d/10-a.json', HOOK],
      ['app/skaffold.yaml', PIPELINE],
      ['app/lifehook.yaml', 'policies: {}\n'],
      ['other/pipeline.yaml', PIPELINE],
      ['overlay/kustomization.yaml', 'resources: []\n'],
      ['overlay/Kustomization', 'resources: []\n'],
      ['kubeconfig.yaml', 'apiVersion: v1\nkind: Config\n'],
      ['chart/Chart.yaml', 'name: a\n'],
      ['chart/templates/web.yaml', MANIFEST],
      ['bundle/config.json', '{}'],
      ['bundle/rootfs/etc/a.yaml', MANIFEST],
    );
    expect(await found('')).toEqual({
      manifests: [
        ['a.yaml', false],
        ['b/web.yml', false],
        ['list.JSON', false],
      ],
      kustomizations: ['overlay/Kustomization', 'overlay/kustomization.yaml'],
      hooks: ['hooks.d'],
      pipelines: ['app/skaffold.yaml', 'other/pipeline.yaml'],
      skipped: ['bundle', 'chart', 'kubeconfig.yaml'],
      problems: [],
    });
  });

  it('reads a file once, and does not follow links to directories', async () => {
    await lay(['a.yaml', MANIFEST]);
    await symlink(folder, join(folder, 'loop'));
    expect(await found('a.yaml', '', 'a.yaml')).toEqual({
      ...NOTHING,
      manifests: [['a.yaml', true]],
    });
  });

  it('skips a pipe in a directory, which may never have a writer', async () => {
    await lay(['a.yaml', MANIFEST]);
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    expect(await found('.')).toEqual({
      ...NOTHING,
      manifests: [['a.yaml', false]],
      skipped: ['pipe.yaml'],
    });
  });

  it('reports what is not there, and reads the rest', async () => {
    await lay(['a.yaml', MANIFEST], ['empty/README.md', 'x'], ['lone/lifehook.yaml', 'a: 1\n']);
    expect(await found('nope.yaml', 'a.yaml/b', 'empty', 'lone', 'a.yaml')).toEqual({
      ...NOTHING,
      manifests: [['a.yaml', true]],
      problems: [
        ['LHM020', 'nope.yaml'],
        ['LHM020', 'a.yaml/b'],
        ['LHM022', 'empty'],
        ['LHM024', 'lone/lifehook.yaml'],
      ],
    });
  });
});
