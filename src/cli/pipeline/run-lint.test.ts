import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { OPTION_DEFAULTS } from './options.ts';
import { pipelineProblems } from './run-lint.ts';
import { readSessionRecord, sessionFolders } from './session-folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-lint-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['0 for a pipeline without mistakes', '{ rawYaml: [web.yaml] }', 0],
  ['1 for a pipeline with a mistake', '{ rawYaml: [absent.yaml] }', 1],
])('records the exit code %s', async (_, manifests, exitCode) => {
  const filename = join(folder, 'skaffold.yaml');
  writeFileSync(filename, `apiVersion: skaffold/v4beta13\nkind: Config\nmanifests: ${manifests}\n`);
  const web = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n';
  writeFileSync(join(folder, 'web.yaml'), web);
  const problems = await pipelineProblems('run', { ...OPTION_DEFAULTS, filename });
  expect(problems.some(({ severity }) => severity === 'error')).toBe(exitCode === 1);
  const [session = ''] = await sessionFolders(join(folder, '.lifehook'));
  expect(await readSessionRecord(session)).toMatchObject({ verb: 'lint', exitCode });
});

it.each(['skaffold.yaml', 'lifehook.yaml', 'skaffold.env'])(
  'reports a directory or a pipe in the place of %s, with its path',
  async (name) => {
    const filename = join(folder, 'skaffold.yaml');
    const place = join(folder, name);
    writeFileSync(filename, 'apiVersion: skaffold/v4beta13\nkind: Config\n');
    const problemsOf = (): ReturnType<typeof pipelineProblems> =>
      pipelineProblems('run', { ...OPTION_DEFAULTS, filename });
    rmSync(place, { force: true });
    mkdirSync(place);
    const at = { file: place, line: 1, column: 1 };
    expect(await problemsOf()).toMatchObject([{ code: 'LHM021', at }]);
    rmSync(place, { recursive: true });
    execFileSync('mkfifo', [place]);
    expect(await problemsOf()).toMatchObject([{ code: 'LHM021', at }]);
  },
);
