import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
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
    hookFiles: [...inputs.hookFiles].map(inFolder),
    pipelines: [...inputs.pipelines].map(inFolder),
    skipped: inputs.skipped.map(({ path }) => inFolder(path)),
    problems: inputs.problems.map(({ code, at }) => [code, inFolder(at?.file ?? '')]),
  };
}

/** Creates nested directories of this name, whose paths become longer than a path may be. */
async function nest(outer: string, name: string): Promise<void> {
  let at = await open(outer);
  try {
    for (let level = 0; level < 25; level += 1) {
      const inner = `/proc/self/fd/${at.fd}/${name}`;
      await mkdir(inner);
      const next = await open(inner);
      await at.close();
      at = next;
    }
  } finally {
    await at.close();
  }
}

const NOTHING = {
  manifests: [],
  kustomizations: [],
  hooks: [],
  hookFiles: [],
  pipelines: [],
  skipped: [],
  problems: [],
};

describe('findInputs', () => {
  it('reports the directories that are too deep to be walked', async () => {
    const deep = 'd/'.repeat(41);
    await lay(['a.yaml', MANIFEST], [`${deep}b.yaml`, MANIFEST]);
    expect(await found('.')).toEqual({
      ...NOTHING,
      manifests: [['a.yaml', false]],
      skipped: [deep.slice(0, -1)],
    });
  });

  it('reads the rest if a subdirectory cannot be read', async () => {
    await lay(['a/b/c.yaml', MANIFEST], ['z.yaml', MANIFEST]);
    // The path of a nested directory becomes too long for the system, so that even root cannot read it.
    await nest(join(folder, 'a'), 'x'.repeat(200));
    try {
      const { manifests, problems } = await found('');
      expect(manifests).toEqual([
        ['a/b/c.yaml', false],
        ['z.yaml', false],
      ]);
      expect(problems).toEqual([['LHM021', expect.any(String)]]);
    } finally {
      execFileSync('rm', ['-rf', join(folder, 'a')]);
    }
  });

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
      ...NOTHING,
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

  it('skips a kubeconfig, and no object of another group whose kind is Config too', async () => {
    await lay(
      ['config.yaml', 'apiVersion: config.gatekeeper.sh/v1alpha1\nkind: Config\n'],
      ['short.yaml', 'kind: Config\nclusters: []\n'],
      ['kube.yaml', 'clusters: []\nkind: Config # of admins\napiVersion: "v1"\n'],
      ['indented.json', JSON.stringify({ kind: 'Config', apiVersion: 'v1' }, null, 2)],
      ['line.json', '{"apiVersion":"v1","kind":"Config"}'],
      ['other.json', '{"apiVersion":"config.gatekeeper.sh/v1alpha1","kind":"Config"}'],
    );
    const { manifests, skipped } = await found('');
    expect(manifests).toEqual([
      ['config.yaml', false],
      ['other.json', false],
    ]);
    expect(skipped).toEqual(['indented.json', 'kube.yaml', 'line.json', 'short.yaml']);
  });

  it('knows a file with a byte order mark, or in JSON, by what it is', async () => {
    await lay(
      ['a.yaml', `\uFEFF${PIPELINE.replaceAll('\n', '\r\n')}`],
      ['b.json', '{\n  "apiVersion": "skaffold/v4beta1"\n}'],
      ['c.json', '{\n  "apiVersion": "kustomize.config.k8s.io/v1beta1"\n}'],
      ['hooks.d/d.json', `\uFEFF${HOOK}`],
    );
    expect(await found('')).toEqual({
      ...NOTHING,
      pipelines: ['a.yaml', 'b.json'],
      kustomizations: ['c.json'],
      hooks: ['hooks.d'],
    });
  });

  it('takes a hook file that is named without the other files of its directory', async () => {
    await lay(['hooks.d/a.json', HOOK], ['hooks.d/b.json', HOOK]);
    expect(await found('hooks.d/b.json')).toEqual({ ...NOTHING, hookFiles: ['hooks.d/b.json'] });
  });

  it('reads a file once, and does not follow links to directories', async () => {
    await lay(['a.yaml', MANIFEST]);
    await symlink(folder, join(folder, 'loop'));
    expect(await found('a.yaml', '', 'a.yaml')).toEqual({
      ...NOTHING,
      manifests: [['a.yaml', true]],
    });
  });

  it('reads a file once that is named by several paths', async () => {
    await lay(['a.yaml', MANIFEST]);
    const { manifests } = await findInputs([folder, `${folder}/./a.yaml`, `${folder}//a.yaml`]);
    expect(manifests).toHaveLength(1);
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

  it('reads a manifest from a pipe that the user names, as kubectl does', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [{ manifests }] = await Promise.all([findInputs([pipe]), writeFile(pipe, MANIFEST)]);
    expect(manifests).toEqual([{ file: pipe, text: MANIFEST, isNamed: true }]);
  });

  it('refuses a hook file in a pipe, because the file is read again', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const [result] = await Promise.all([found('pipe'), writeFile(join(folder, 'pipe'), HOOK)]);
    expect(result).toEqual({ ...NOTHING, problems: [['LHM021', 'pipe']] });
  });

  it.each(['skaffold.yaml', 'lifehook.yaml', 'kustomization.yaml'])(
    'does not wait for a process that writes to a pipe with the name %s',
    async (name) => {
      execFileSync('mkfifo', [join(folder, name)]);
      expect(await found(name)).toEqual({ ...NOTHING, problems: [['LHM021', name]] });
    },
  );

  it.each([
    ['a hook file', HOOK],
    ['a skaffold.yaml', PIPELINE],
    ['a kustomization', 'apiVersion: kustomize.config.k8s.io/v1beta1\nresources: [a.yaml]\n'],
  ])('reads no other file when standard input is %s', async (what, text) => {
    const inputs = await findInputs(['-'], () => Promise.resolve(text));
    expect(inputs.hooks.size + inputs.pipelines.size + inputs.kustomizations.length).toBe(0);
    expect(inputs.problems).toMatchObject([
      { code: 'LHM027', message: expect.stringContaining(what) as string },
    ]);
  });

  it('reads standard input once', async () => {
    const texts = [MANIFEST, ''];
    const readInput = (): Promise<string> => Promise.resolve(texts.shift() ?? '');
    const { manifests } = await findInputs(['-', '-'], readInput);
    expect(manifests).toEqual([{ file: 'stdin', text: MANIFEST, isNamed: true }]);
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
