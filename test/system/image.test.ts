/**
 * Tests the controllers' image as `scripts/build-image.ts` makes it, without running a container.
 * It must contain a maintained Node with a known checksum and a bill of materials, and must not run as root. The test
 * unpacks its files and runs the program with these files only.
 * @module-tag root
 * @module-tag linux
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { version } from '../../src/cli/version.ts';

interface Config {
  readonly config: {
    readonly User: string;
    readonly Entrypoint: readonly string[];
  };
}

interface Sbom {
  readonly components: readonly {
    readonly type: string;
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
    readonly properties?: readonly { readonly value: string }[];
  }[];
}

let folder: string;
let config: Config['config'];
let sbom: Sbom;
const root = (): string => join(folder, 'root');
const build = (...args: readonly string[]): string =>
  execFileSync('npx', ['tsx', 'scripts/build-image.ts', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-image-test-'));
  const out = join(folder, 'image.tar');
  build('--out', out, '--tag', 'docker.io/local/lifehook:test');
  await extract({ file: out, cwd: folder });
  const [manifest] = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as [
    { readonly Config: string; readonly Layers: readonly string[] },
  ];
  ({ config } = JSON.parse(await readFile(join(folder, manifest.Config), 'utf8')) as Config);
  await mkdir(root());
  for (const layer of manifest.Layers) await extract({ file: join(folder, layer), cwd: root() });
  sbom = JSON.parse(await readFile(`${out}.cdx.json`, 'utf8')) as Sbom;
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const run = (...command: readonly string[]): string =>
  execFileSync('chroot', ['--userspec=65532:65532', root(), ...command], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin' },
  }).trim();

it('runs the program without root, on a Node 24', () => {
  expect([config.User, config.Entrypoint]).toEqual([
    '65532:65532',
    ['node', '/usr/lib/lifehook/lifehook.js'],
  ]);
  expect(run('/usr/bin/node', '--version')).toMatch(/^v24\./);
  expect(run('/usr/bin/node', '/usr/lib/lifehook/lifehook.js', '--version')).toBe(version);
});

it('has a bill of materials of its packages, its Node and its libraries, each with a checksum', async () => {
  const inside = await readFile(join(root(), 'usr/share/sbom/lifehook.cdx.json'), 'utf8');
  expect(JSON.parse(inside)).toEqual(sbom);
  const names = sbom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['commander', 'prom-client', 'ws', 'yaml', 'zod']));
  expect(names.filter((name) => /vitest|typescript|esbuild/.test(name))).toEqual([]);
  const wrong = sbom.components.filter(
    ({ hashes: [hash] }) => !/^[0-9a-f]{64,128}$/.test(hash?.content ?? ''),
  );
  expect(wrong).toEqual([]);
  const node = sbom.components.find(({ type }) => type === 'platform');
  expect(node?.version).toMatch(/^24\./);
  for (const { properties = [], hashes } of sbom.components) {
    const [file] = properties;
    if (file === undefined) continue;
    const bytes = await readFile(join(root(), file.value));
    expect(hashes[0]?.content).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

it('takes another base by its digest only', () => {
  const args = ['--out', join(folder, 'other.tar'), '--base', 'docker.io/library/node:24'];
  expect(() => build(...args)).toThrow('has no digest');
});
