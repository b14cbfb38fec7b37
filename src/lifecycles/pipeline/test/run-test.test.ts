import { afterEach, expect, onTestFinished, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { TestConfig } from '../config/model.ts';
import type { BuiltArtifact, PipelineSession } from '../session.ts';
import { runTests } from './run-test.ts';

const stands: BuildStand[] = [];

function standOf(
  image: string,
  commands: readonly string[],
  { timeoutSeconds = 60, ...more }: Partial<TestConfig> & { timeoutSeconds?: number } = {},
): BuildStand {
  const custom = commands.map((command) => ({ command, timeoutSeconds, dependencies: null }));
  const made = buildStand({
    tests: [{ image, context: '/c', custom, structureTests: [], structureTestsArgs: [], ...more }],
  });
  stands.push(made);
  return made;
}

function built({ folder, session }: BuildStand): BuiltArtifact[] {
  const [module] = session.config.modules;
  if (module === undefined) return [];
  const artifact = artifactIn(folder, 'web');
  return [{ module, artifact, image: 'web', reference: 'web:v1', id: 'sha256:1', cached: false }];
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

test('runTests passes the image to tests in order, and stops at the first failure with its exit code (PIPE-W5)', async () => {
  const s = standOf('web', ['echo $IMAGE $TEST_CONTEXT', 'exit 5', 'echo never']);
  expect(await runTests(s.session, built(s))).toMatchObject({
    outcome: 'Failed',
    exitCode: 5,
    message: expect.stringContaining(
      'LHL308: A test of web failed: The command exited with code 5.',
    ),
  });
  expect(s.lines()).toEqual(['test/web/0: web:v1 /c']);
});

test('a test past its deadline fails with exit code 124', async () => {
  const s = standOf('web', ['exec sleep 60'], { timeoutSeconds: 0.1 });
  expect(await runTests(s.session, built(s))).toMatchObject({ outcome: 'Failed', exitCode: 124 });
});

test('runTests skips tests of images that were not built', async () => {
  const other = standOf('other', ['exit 5']);
  expect(await runTests(other.session, built(other))).toEqual({
    outcome: 'Succeeded',
    value: null,
  });
});

test('runTests runs structure tests with their files and arguments, and stops where they fail', async () => {
  const s = standOf('web', ['echo custom'], {
    structureTests: ['tests/*.yaml'],
    structureTestsArgs: ['--quiet'],
  });
  const [module] = s.session.config.modules;
  const [one] = module?.test ?? [];
  if (module === undefined || one === undefined) throw new Error('the stand has a test');
  const modules = [{ ...module, test: [{ ...one, context: s.folder }] }];
  const session = { ...s.session, config: { ...s.session.config, modules } };
  expect(await runTests(session, built(s))).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('is matched by tests/*.yaml'),
  });
  s.write('tests/a.yaml', 'a');
  const path = process.env['PATH'] ?? '';
  onTestFinished(() => {
    process.env['PATH'] = path;
  });
  process.env['PATH'] = `${s.folder}/bin:${path}`;
  s.write('bin/container-structure-test', '#!/bin/sh\necho "$@"; exit $CODE\n', 0o755);
  const withCode = (CODE: string): PipelineSession => ({
    ...session,
    hooks: { ...session.hooks, callerEnv: { ...session.hooks.callerEnv, CODE } },
  });
  const line = `test -v warn --image web:v1 --config ${s.folder}/tests/a.yaml --quiet`;
  expect(await runTests(withCode('0'), built(s))).toEqual({ outcome: 'Succeeded', value: null });
  expect(s.lines()).toEqual([`test/web/0: ${line}`, 'test/web/1: custom']);
  expect(await runTests(withCode('3'), built(s))).toMatchObject({ exitCode: 3 });
});

test('runTests runs no test with --skip-tests', async () => {
  const s = standOf('web', ['exit 5']);
  const session = { ...s.session, options: { ...s.session.options, skipTests: true } };
  expect(await runTests(session, built(s))).toEqual({ outcome: 'Succeeded', value: null });
});

test('runTests reports the end of tests that reject', async () => {
  const s = standOf('web', [], { context: '/c', structureTests: ['**'] });
  const list = (): Promise<string[]> => Promise.resolve(Array.from({ length: 50_001 }, String));
  const realPath = (path: string): Promise<string> => Promise.resolve(path);
  const platform = {
    ...s.session.platform,
    files: { ...s.session.platform.files, list, realPath },
  };
  await expect(runTests({ ...s.session, platform }, built(s))).rejects.toThrow('Below /c');
  expect(s.events.filter(({ type }) => type === 'PhaseEvent')).toMatchObject([
    { phase: 'test', status: 'InProgress' },
    { phase: 'test', status: 'Failed', message: expect.stringContaining('Below /c') },
  ]);
});
