/** Skaffold reads the same files in the same directory: Lifehook must accept them too, with the same values. */
import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { peer } from './peer.ts';

const SKAFFOLD = peer('skaffold');
const PODMAN = peer('podman');
const LIFEHOOK = resolve('dist/lifehook.js');

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-peer-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    if (name.startsWith('bin/')) chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

function run(
  folder: string,
  [program = '', ...args]: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const env = {
    ...process.env,
    PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    KUBECONFIG: join(folder, 'none'),
    SKAFFOLD_UPDATE_CHECK: 'false',
    SKAFFOLD_INTERACTIVE: 'false',
    ...more,
  };
  return new Promise((done) => {
    const child = execFile(program, args, { cwd: folder, env }, (_, stdout, stderr) => {
      done({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

/** Skaffold asks a Docker daemon before it builds, even if the docker program builds; podman acts as the daemon. */
async function dockerService(folder: string): Promise<string> {
  const socket = join(folder, 'docker.sock');
  const service = spawn(PODMAN.path, ['system', 'service', '--time=0', `unix://${socket}`], {
    stdio: 'ignore',
  });
  onTestFinished(() => {
    service.kill();
  });
  await expect.poll(() => existsSync(socket)).toBe(true);
  return `unix://${socket}`;
}

const skaffold = (folder: string, ...args: string[]): Promise<Ran> =>
  run(folder, [SKAFFOLD.path, ...args]);
const lifehook = (folder: string, ...args: string[]): Promise<Ran> =>
  run(folder, [process.execPath, LIFEHOOK, ...args]);

const HEAD = 'apiVersion: skaffold/v4beta13\nkind: Config\n';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { own: x } }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }
`;

describe('files that Skaffold reads', { skip: !SKAFFOLD.isHere || !PODMAN.isHere }, () => {
  const FOLDER = 'test/fixtures/pipeline/configs';

  /** Files that Lifehook must refuse, with the reason. real-files.test.ts has the positions of the errors. */
  const REFUSED = [
    'v2alpha1-kaniko.yaml',
    'v2beta24-ko.yaml',
    'v2beta27-ko-platforms.yaml',
    'v2beta4-buildpack.yaml',
    'v2beta5-jib.yaml',
    'v2beta8-kpt.yaml',
    'v3-remote-manifests.yaml',
    'v4beta2-cloud-run.yaml',
  ];

  it.each(readdirSync(FOLDER))(
    '%s is refused by none that the other takes, but for what is listed',
    async (name) => {
      const folder = folderWith({ 'skaffold.yaml': readFileSync(join(FOLDER, name), 'utf8') });
      const expected = await skaffold(folder, 'diagnose', '--yaml-only');
      const ours = await lifehook(folder, 'lint', 'skaffold.yaml');
      const codes = [...`${ours.stdout}${ours.stderr}`.matchAll(/error (LHL1\d\d)/gu)].map(
        ([, code]) => code,
      );
      if (expected.code === 0) expect(codes.filter((code) => code !== 'LHL135')).toEqual([]);
      expect(codes.includes('LHL135')).toBe(REFUSED.includes(name));
    },
  );

  it('anchors at the top, and an empty containerName', async () => {
    const folder = folderWith({
      'skaffold.yaml': `${HEAD}.images: &image web
build: { tagPolicy: { sha256: {} }, artifacts: [{ image: *image, custom: { buildCommand: 'true', dependencies: { paths: [a] } } }] }
deploy: { kubectl: { hooks: { after: [{ container: { podName: web, containerName: "", command: [ls] } }] } } }
`,
      a: '',
    });
    expect((await skaffold(folder, 'diagnose', '--yaml-only')).code).toBe(0);
    expect(await lifehook(folder, 'pipeline', 'lint', 'build')).toMatchObject({ code: 0 });
  });

  it.each([
    ['acme/team/web', []],
    ['web', ['--compat']],
  ])('build arguments of %s have the same parts of the image', async (image, more) => {
    const folder = folderWith({
      'skaffold.yaml': `${HEAD}build:
  tagPolicy: { envTemplate: { template: v7 } }
  local: { push: false, useDockerCLI: true, useBuildkit: true }
  artifacts:
    - image: ${image}
      docker: { buildArgs: { PARTS: "{{.IMAGE_REPO}}|{{.IMAGE_NAME}}|{{.IMAGE_TAG}}" } }
`,
      Dockerfile: 'FROM scratch\n',
      'bin/docker':
        '#!/bin/sh\ncase " $* " in *" build "*) echo "$@" >> "$HOME/calls"; exit 9;; esac\n',
    });
    const argsOf = (): string[] => {
      const text = readFileSync(join(folder, 'calls'), 'utf8');
      rmSync(join(folder, 'calls'));
      return [...text.matchAll(/PARTS=(\S+)/gu)].map(([, value = '']) => value);
    };
    await lifehook(folder, 'build', '--container-program', 'docker', ...more);
    const ours = argsOf();
    await run(folder, [SKAFFOLD.path, 'build', '--cache-artifacts=false'], {
      DOCKER_HOST: await dockerService(folder),
    });
    expect(ours).toEqual(argsOf());
  });

  it('a directory without git has the tag latest, with a warning', async () => {
    const folder = folderWith({
      'skaffold.yaml': `${HEAD}build: { artifacts: [{ image: web, custom: { buildCommand: 'true', dependencies: { paths: [a] } } }] }\n`,
      a: '',
    });
    const expected = await skaffold(folder, 'build', '--dry-run', '--output', '{{json .}}');
    expect(expected.stdout).toContain('web:latest');
    const ours = await lifehook(folder, 'pipeline', 'plan', 'build', '--compat');
    expect(ours).toMatchObject({ code: 0, stderr: expect.stringContaining('warning LHL301') });
    expect(ours.stdout).toContain('web:latest will be built');
  });

  it('labels of the command line are put where Skaffold puts them', async () => {
    const folder = folderWith({
      'skaffold.yaml': `${HEAD}manifests: { rawYaml: [web.yaml] }\n`,
      'web.yaml': DEPLOYMENT,
    });
    const labels = ['-l', 'a=b', '-l', 'own=y', '-l', 'bare'];
    const expected = await skaffold(folder, 'render', ...labels, '--digest-source=none');
    const ours = await lifehook(folder, 'render', ...labels);
    expect([expected.code, ours.code]).toEqual([0, 0]);
    const found = (text: string): string[] =>
      [...text.matchAll(/^( *)(a|own|bare|app): (.*)$/gmu)]
        .map(
          ([, indent = '', name, value = '']) =>
            `${indent.length > 6 ? 'template' : 'object'} ${name}=${value.replaceAll('"', '')}`,
        )
        .toSorted();
    // Equal lists: Lifehook adds each label in the same places as Skaffold.
    expect(found(ours.stdout)).toEqual(found(expected.stdout));
  });
});
