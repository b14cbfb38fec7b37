import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { readKustomization } from './kustomization.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-kustomization-'));
  await writeFile(join(folder, 'web.yaml'), 'kind: ConfigMap\n');
});
afterEach(() => rm(folder, { recursive: true }));

const read = (text: string): ReturnType<typeof readKustomization> =>
  readKustomization(join(folder, 'kustomization.yaml'), text);

it('reports fields that are not known and files that are not there', async () => {
  const { problems } = await read(`resource: []
resources:
  - web.yaml
  - wbe.yaml
  - https://example.com/all.yaml
  - github.com/example/deploy?ref=v1
  - github.com/example/deploy
patches:
  - path: patch.yaml
  - patch: |-
      kind: Deployment
replacements: [{ path: r.yaml }]
`);
  expect(problems.map(({ code, at, path, next }) => [code, at?.line, path, next])).toEqual([
    ['LHM001', 1, 'resource', 'Did you mean resources?'],
    ['LHM025', 4, 'resources[1]', expect.any(String)],
    ['LHM025', 9, 'patches[0].path', expect.any(String)],
    ['LHM025', 12, 'replacements[0].path', expect.any(String)],
  ]);
});

it.each([
  'git@github.com:example/deploy.git',
  'ci@git.example.internal:deploy/web.git',
  'git::ssh://ci@git.example.internal/deploy',
])('takes %s for a repository, which is no file', async (remote) => {
  expect((await read(`resources: ["${remote}"]\n`)).problems).toEqual([]);
});

it('reports a missing file whose directory has a colon in its name', async () => {
  const { problems } = await read('resources: ["./a:b/web.yaml", "a/b:c.yaml"]\n');
  expect(problems.map(({ code }) => code)).toEqual(['LHM025', 'LHM025']);
});

it('names its patches and what it generates', async () => {
  const { patches, generated, problems } = await read(`patches: [{ path: ./web.yaml }]
patchesStrategicMerge: [web.yaml, "kind: Pod\\nmetadata: {}\\n"]
configMapGenerator: [{ name: settings, literals: [A=1] }]
secretGenerator: [{ name: password, literals: [A=1] }]
`);
  const web = join(folder, 'web.yaml');
  expect({ patches, generated, problems }).toEqual({
    patches: [web, web],
    generated: [
      { kind: 'ConfigMap', name: 'settings' },
      { kind: 'Secret', name: 'password' },
    ],
    problems: [],
  });
});

it('names its patches by absolute paths, however the user names the kustomization', async () => {
  const file = relative('', join(folder, 'kustomization.yaml'));
  const { patches } = await readKustomization(file, 'patches: [{ path: web.yaml }]\n');
  expect(patches).toEqual([join(folder, 'web.yaml')]);
});

it('reports a text that cannot be read', async () => {
  expect((await read('resources: [')).problems.map(({ code }) => code)).toEqual(['LHG030']);
});
