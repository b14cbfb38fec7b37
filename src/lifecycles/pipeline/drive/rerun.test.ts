import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import { type BuildStand, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { fileSession, type FileWishes } from '../../../../test/fixtures/pipeline/file-session.ts';
import { runningPod, scriptedCluster } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import type { ExecPort } from '../../../handlers/exec.ts';
import { LifehookError } from '../../../model/problem.ts';
import { everyHook } from '../config/map-hooks.ts';
import type { PipelineHook } from '../hooks/model.ts';
import type { HookRunContext } from '../hooks/run-context.ts';
import type { PhaseResult } from '../session.ts';
import { findRun, rerunHook, type Rerun } from './rerun.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const PATH = '/usr/bin:/bin';

function stand(context: Partial<HookRunContext> = {}): BuildStand {
  const made = buildStand({ context });
  stands.push(made);
  return made;
}

const file = (command: string): string => `apiVersion: skaffold/v4beta13
kind: Config
build:
  artifacts:
    - image: web
      hooks:
        before:
          - command: [sh, -c, 'echo "FOO=bar" >> $LIFEHOOK_ENV; echo "MINE=qwertz99" >> $LIFEHOOK_ENV']
          - command: [sh, -c, '${command}']
deploy:
  kubectl:
    hooks: { after: [{ container: { podName: 'web-*', command: [migrate] } }] }
profiles: [{ name: slim, build: { artifacts: [{ image: web }] } }]
`;

const SECRETS = 'policies: { build/web/before/0: { secrets: [MINE] } }\n';

async function hooks(s: BuildStand): Promise<readonly PipelineHook[]> {
  return everyHook((await fileSession(s)).config);
}

/** Reruns a hook in another session, as if the program had been started again. */
async function again(
  s: BuildStand,
  wanted: string,
  { env = { PATH }, ...wishes }: FileWishes = {},
): Promise<PhaseResult<Rerun>> {
  const session = await fileSession(s, wishes);
  const run = await findRun(s.context.records, wanted);
  return rerunHook({ ...session, hooks: { ...s.context, callerEnv: env } }, run);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof LifehookError ? error.message : `no LifehookError: ${String(error)}`;
}

describe('rerun', () => {
  test('runs only the hook of the given run id again, with the present environment', async () => {
    const s = stand({ callerEnv: { PATH, STAGE: 'one' } });
    s.write('skaffold.yaml', file('echo $FOO $STAGE >> out; exit 3'));
    const first = await s.run((await hooks(s)).slice(0, 2));
    expect(first.failure?.message).toContain('again: lifehook pipeline rerun run-2');
    const env = { PATH, STAGE: 'two', FOO: 'baz', MINE: 'x' };
    const result = await again(s, 'run-2', { env });
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 3 });
    expect(readFileSync(`${s.folder}/out`, 'utf8')).toBe('bar one\nbaz two\n');
  });

  test('uses the current command and the last run of a hook address', async () => {
    const s = stand();
    s.write('skaffold.yaml', file('exit 3'));
    await s.run((await hooks(s)).slice(0, 2));
    s.write('skaffold.yaml', file('echo mended $FOO >> out'));
    const result = await again(s, 'build/web/before/1', { env: { PATH, FOO: 'bar', MINE: 'x' } });
    expect(result.outcome).toBe('Succeeded');
    expect(readFileSync(`${s.folder}/out`, 'utf8')).toBe('mended bar\n');
  });

  test('uses the recorded value of a variable that is declared harmless', async () => {
    const s = stand();
    s.write('skaffold.yaml', file('echo $FOO >> out'));
    s.write('lifehook.yaml', 'policies: { build/web/before/0: { recordedValues: [FOO] } }\n');
    await s.run((await hooks(s)).slice(0, 2));
    const result = await again(s, 'run-2', { env: { PATH, FOO: 'stale', MINE: 'x' } });
    expect(result.outcome).toBe('Succeeded');
    expect(readFileSync(`${s.folder}/out`, 'utf8')).toBe('bar\nbar\n');
  });

  test('names the variables that the environment lacks, and masks the secret ones', async () => {
    const s = stand({ callerEnv: { PATH, API_TOKEN: 'first-token' } });
    s.write('skaffold.yaml', file('echo $MINE $API_TOKEN $FOO'));
    s.write('lifehook.yaml', SECRETS);
    await s.run((await hooks(s)).slice(0, 2));
    const none = await codeOf(again(s, 'run-2'));
    expect(none).toMatch(/LHL653: .* FOO, MINE\. Next: Set them: FOO=… lifehook/u);
    s.events.length = 0;
    const env = { PATH, API_TOKEN: 'second-token', MINE: 'another99', FOO: 'shown' };
    expect((await again(s, 'run-2', { env })).outcome).toBe('Succeeded');
    expect(s.lines()).toEqual(['build/web/before/1: *** *** shown']);
  });

  test('suggests a recorded address when no run matches, or reports that nothing is recorded', async () => {
    const s = stand();
    s.write('skaffold.yaml', file('true'));
    expect(await codeOf(again(s, 'run-1'))).toMatch(/LHL651: .*nothing is recorded yet/u);
    await s.run((await hooks(s)).slice(0, 2));
    expect(await codeOf(again(s, 'build/wed/before/0'))).toMatch(
      /LHL651: .*Did you mean "build\/web\/before\/0"/u,
    );
  });

  test('names the active profiles when the hook of the run no longer exists', async () => {
    const s = stand();
    s.write('skaffold.yaml', file('true'));
    await s.run((await hooks(s)).slice(0, 2));
    const text = await codeOf(again(s, 'run-2', { profiles: ['slim'] }));
    expect(text).toMatch(
      /LHL652: The hook build\/web\/before\/1 of run run-2 .*\(slim activated\)/u,
    );
  });

  test('passes the recorded manifests to a withChange hook, and returns its output', async () => {
    const s = stand();
    s.write('skaffold.yaml', RENDER);
    const [hook] = await hooks(s);
    await s.run(hook === undefined ? [] : [hook], { manifests: 'kind: A\n' });
    const result = await again(s, 'render/after/0');
    expect(result).toEqual({ outcome: 'Succeeded', value: { manifests: 'kind: B\n' } });
  });

  test('refuses a withChange hook when its manifests held a secret and were not recorded', async () => {
    const s = stand({ callerEnv: { PATH, API_TOKEN: 'abcd1234' } });
    s.write('skaffold.yaml', RENDER);
    const [hook] = await hooks(s);
    await s.run(hook === undefined ? [] : [hook], { manifests: 'token: abcd1234\n' });
    const env = { PATH, API_TOKEN: 'abcd1234' };
    expect(await codeOf(again(s, 'render/after/0', { env }))).toContain('LHL654');
  });

  test('runs a container hook in the namespaces of the recorded run', async () => {
    const asked: string[] = [];
    const exec: ExecPort = ({ pod }) => {
      asked.push(pod);
      return Promise.resolve({ outcome: 'exited', exitCode: 0 });
    };
    const s = stand({ cluster: scriptedCluster(() => [runningPod('web-1', ['main'])], exec) });
    s.write('skaffold.yaml', file('true'));
    const list = (await hooks(s)).filter(({ phase }) => phase === 'deploy');
    await s.run(list, { containers: { namespaces: ['shop'], image: null, waitMs: 0 } });
    expect((await again(s, 'deploy/kubectl/after/0')).outcome).toBe('Succeeded');
    expect(asked).toEqual(['web-1', 'web-1']);
  });

  test('removes its scratch directory after the run', async () => {
    const s = stand();
    s.write('skaffold.yaml', file('true'));
    await s.run((await hooks(s)).slice(0, 2));
    await again(s, 'run-2', { env: { PATH, FOO: 'bar', MINE: 'x' } });
    expect(existsSync(`${s.folder}/scratch/run-2-1`)).toBe(false);
  });
});

const RENDER = `apiVersion: skaffold/v4beta13
kind: Config
manifests:
  rawYaml: [k8s/*]
  hooks: { after: [{ host: { command: [sed, s/A/B/], withChange: true } }] }
`;
