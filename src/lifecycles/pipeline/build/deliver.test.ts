import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import { plainDocker as builder } from '../../../../test/fixtures/pipeline/docker-builder.ts';
import {
  artifactIn,
  type BuildStand,
  buildStand,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { Artifact, DockerBuilder } from '../config/model.ts';
import type { PipelineSession } from '../session.ts';
import type { ContainerProgram } from './docker-argv.ts';
import { planBuild } from './plan-build.ts';
import { runBuild } from './run-build.ts';

const stands: BuildStand[] = [];

const PATH = process.env['PATH'] ?? '';

afterEach(() => {
  process.env['PATH'] = PATH;
  for (const one of stands.splice(0)) one.remove();
});

/** A program that logs its arguments, builds nothing, and reports the digest as the real one does. */
const PROGRAM = `#!/bin/sh
echo "$@" >> "LOG"
while [ $# -gt 0 ]; do
  case $1 in
    --iidfile) echo sha256:1d > "$2" ;;
    --digestfile) printf sha256:d1 > "$2" ;;
    --format) case $2 in *RepoDigests*) echo other/web@sha256:00; echo reg.example/web@sha256:d2 ;; *) echo sha256:1d ;; esac ;;
  esac
  shift
done
`;

function standWith(program: ContainerProgram, more: Partial<Artifact> = {}): BuildStand {
  const made = buildStand({
    artifactsIn: (folder) => [artifactIn(folder, 'reg.example/web', { builder, ...more })],
    options: { containerProgram: program, push: true, tag: 'v1' },
  });
  stands.push(made);
  made.write('Dockerfile', 'FROM scratch\n');
  made.write('.dockerignore', 'bin\nlog\n.lifehook\nscratch\n');
  made.write(`bin/${program}`, PROGRAM.replace('LOG', `${made.folder}/log`), 0o755);
  // Programs are looked up on the PATH of this process.
  process.env['PATH'] = `${made.folder}/bin:${PATH}`;
  return made;
}

const tagged = (session: PipelineSession, tag: string): PipelineSession => ({
  ...session,
  options: { ...session.options, tag },
});

const withEnv = (session: PipelineSession, env: Record<string, string>): PipelineSession => ({
  ...session,
  hooks: { ...session.hooks, callerEnv: { ...session.hooks.callerEnv, ...env } },
});

function calls({ folder }: BuildStand): readonly string[] {
  if (!existsSync(`${folder}/log`)) return [];
  const lines = readFileSync(`${folder}/log`, 'utf8').trim().split('\n');
  return lines.map((line) => line.replaceAll(folder, '.').replaceAll(/scratch\/\S+/g, 'scratch'));
}

describe('an image that is pushed', () => {
  test.each([
    ['podman', 'sha256:d1'],
    ['buildah', 'sha256:d1'],
    ['docker', 'sha256:d2'],
  ] as const)('by %s has a reference with its digest', async (program, digest) => {
    const s = standWith(program);
    const result = await runBuild(s.session);
    expect(result).toMatchObject({
      value: [{ reference: `reg.example/web:v1@${digest}`, id: 'sha256:1d', cached: false }],
    });
    const file = program === 'docker' ? '' : '--digestfile ./scratch ';
    expect(calls(s)[1]).toBe(`push ${file}reg.example/web:v1`);
  });

  test('keeps its digest when it is found in the cache, and is pushed again under a new tag', async () => {
    const s = standWith('podman');
    await runBuild(s.session);
    expect(await runBuild(s.session)).toMatchObject({
      value: [{ reference: 'reg.example/web:v1@sha256:d1', cached: true }],
    });
    expect(calls(s)).toHaveLength(2);
    expect(await runBuild(tagged(s.session, 'v2'))).toMatchObject({
      value: [{ reference: 'reg.example/web:v2@sha256:d1', cached: true }],
    });
    expect(calls(s).slice(2)).toEqual([
      'tag reg.example/web:v1 reg.example/web:v2',
      'inspect --type=image --format {{.Id}} reg.example/web:v2',
      'push --digestfile ./scratch reg.example/web:v2',
    ]);
  });
});

test.each(['.lifehook', ''])(
  'an image is built and pushed whose reference is longer than the name of a file (excluded: "%s")',
  async (excluded) => {
    const s = standWith('podman', { image: `reg.example/${'team/'.repeat(30)}web` });
    s.write('.dockerignore', `bin\nlog\nscratch\n${excluded}\n`);
    s.write('.lifehook/sessions/x', '');
    expect(await runBuild(tagged(s.session, 'v'.repeat(128)))).toMatchObject({
      outcome: 'Succeeded',
      value: [{ id: 'sha256:1d' }],
    });
  },
);

describe('a build argument', () => {
  test.each([
    ['reg.example/acme/web', false, 'reg.example/acme web v1'],
    ['web', false, ' web v1'],
    ['web', true, '  v1'],
  ])('of %s has the parts of the image, with compat %s', async (image, compat, expected) => {
    const buildArgs = { A: '{{.IMAGE_REPO}} {{.IMAGE_NAME}} {{.IMAGE_TAG}}' };
    const s = standWith('podman', { image, builder: { ...builder, buildArgs } });
    const hooks = { ...s.session.hooks, compat };
    await runBuild({ ...s.session, hooks });
    expect(calls(s)[0]).toContain(`--build-arg A=${expected} `);
  });

  test('keeps a tag of the inputs from being made of itself', async () => {
    const buildArgs = { A: '{{.IMAGE_TAG}}' };
    const s = standWith('podman', { builder: { ...builder, buildArgs } });
    const { config, options } = s.session;
    const modules = config.modules.map((module) => ({
      ...module,
      build: { ...module.build, tagPolicy: { kind: 'inputDigest' as const } },
    }));
    const session = {
      ...s.session,
      config: { ...config, modules },
      options: { ...options, tag: null },
    };
    const first = await runBuild(session);
    expect(first).toMatchObject({ value: [{ cached: false }] });
    expect(await runBuild(session)).toMatchObject({ value: [{ cached: true }] });
    const [call = ''] = calls(s);
    const [, tag = ''] = /--tag \S+:(\w+) /u.exec(call) ?? [];
    expect(call).toContain(`--build-arg A=${tag} `);
  });
});

describe('the cache key', () => {
  const keyOf = async (session: PipelineSession): Promise<string | undefined> =>
    (await planBuild(session))[0]?.key;

  test('depends on the environment variables that build arguments use, and on no others', async () => {
    const args = { A: '{{.VERSION}}', OWN: null };
    const s = standWith('podman', { builder: { ...builder, buildArgs: args } });
    const one = await keyOf(withEnv(s.session, { VERSION: '1' }));
    expect(await keyOf(withEnv(s.session, { VERSION: '2' }))).not.toBe(one);
    expect(await keyOf(withEnv(s.session, { VERSION: '1', OWN: 'x' }))).not.toBe(one);
    expect(await keyOf(withEnv(s.session, { VERSION: '1', OTHER: 'x' }))).toBe(one);
  });

  test('depends on the tag only where build arguments have it', async () => {
    const keys = async (buildArgs: DockerBuilder['buildArgs']): Promise<unknown[]> => {
      const s = standWith('podman', { builder: { ...builder, buildArgs } });
      return [await keyOf(tagged(s.session, 'v1')), await keyOf(tagged(s.session, 'v2'))];
    };
    const [one, two] = await keys({ A: '{{.IMAGE_REPO}}/{{.IMAGE_NAME}}' });
    expect(one).toBe(two);
    const [first, second] = await keys({ A: '{{.IMAGE_TAG}}' });
    expect(first).not.toBe(second);
  });

  test('depends on the hook values that build arguments use', async () => {
    const args = { A: '{{.hooks.version.FOO}}' };
    const s = standWith('podman', { builder: { ...builder, buildArgs: args } });
    const record = (FOO: string): boolean =>
      s.context.values.record({
        hook: 'version',
        iteration: 1,
        values: { FOO },
        outputs: {},
        secrets: [],
      });
    record('1');
    const one = await keyOf(s.session);
    record('2');
    expect(await keyOf(s.session)).not.toBe(one);
  });
});
