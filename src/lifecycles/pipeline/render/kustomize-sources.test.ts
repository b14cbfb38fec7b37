import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import { kustomizeSources, namedIn } from './kustomize-sources.ts';

const folders: string[] = [];

afterEach(() => {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lifehook-kustomize-')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test('namedIn lists paths outside the directory from any field of the kustomization', () => {
  const text = `resources: [../../base, web.yaml, https://example.com/a/../b, ./../more]
configMapGenerator: [{ name: page, files: [page=../page.html, ../../pictures/a.png] }]
patches:
  - target: { kind: Deployment }
    patch: |-
      - { op: replace, path: /spec/replicas, value: ../x }
  - path: ../shared/patch.yaml
`;
  expect(namedIn(text, '/p/overlays/dev')).toEqual([
    '/p/base',
    '/p/overlays/more',
    '/p/overlays/page.html',
    '/p/pictures/a.png',
    '/p/overlays/shared/patch.yaml',
  ]);
  expect(namedIn('resources: [', '/p')).toEqual([]);
  expect(namedIn('resources: [..]', '/p/dev')).toEqual([]);
});

test('kustomizeSources follows bases of bases, also in cycles, and keeps a missing base as a root', async () => {
  const folder = folderWith({
    'dev/kustomization.yaml': 'resources: [../base]\n',
    'dev/patch.yaml': '',
    'base/kustomization.yml': 'resources: [web.yaml, ../common, ../gone]\n',
    'base/web.yaml': '',
    'common/Kustomization': 'bases: [../base]\nconfigMapGenerator: [{ files: [../page.html] }]\n',
    'other/web.yaml': '',
    'page.html': '',
  });
  const { files, roots } = await kustomizeSources([`${folder}/dev`], nodeFiles);
  const names = (paths: readonly string[]): string[] =>
    paths.map((path) => path.slice(folder.length + 1)).toSorted();
  expect(names(roots)).toEqual(['base', 'common', 'dev', 'gone', 'page.html']);
  expect(names(files)).toEqual([
    'base/kustomization.yml',
    'base/web.yaml',
    'common/Kustomization',
    'dev/kustomization.yaml',
    'dev/patch.yaml',
    'page.html',
  ]);
});
