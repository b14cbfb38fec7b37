/**
 * The input, output and record of a session of `lifehook pipeline …`, and its end on Ctrl-C. These tests need no
 * cluster.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { exitsSoon, pidIn } from '../fixtures/processes/attempt.ts';
import { ALONE, emptyBuild, type Project, shellHook } from './pipeline-stand.ts';

const project = (hooks: string, more: Readonly<Record<string, string>> = {}): Project =>
  emptyBuild({ ofBuild: hooks }, more);

const PUSH = ['--push'];

describe('a session', () => {
  it('PIPE-CASE25: exits on Ctrl-C with 130 after its hooks are killed within their grace and finally hooks have run', async () => {
    using alone = project(
      `{ before: [${shellHook("trap '' INT TERM; sleep 600 & echo child $!; wait")}] }`,
      {
        'lifehook.yaml': `stages:\n  build:\n    finally: [{ host: { command: [touch, tidied] } }]\n`,
      },
    );
    const running = alone.start(['build', ...PUSH], ALONE);
    await running.seen('child ');
    const [, text = ''] = /child (\d+)/u.exec(running.out()) ?? [];
    running.child.kill('SIGINT');
    const child = pidIn(text);
    // The child must exit long before it would exit by itself.
    expect((await exitsSoon(child)) || (await exitsSoon(child))).toBe(true);
    expect((await running.ended).code).toBe(130);
    expect(existsSync(join(alone.folder, 'tidied'))).toBe(true);
    expect(alone.events().at(-1)).toMatchObject({ type: 'Ended', exitCode: 130 });
  });

  it('serves its events while it runs, on the port in SKAFFOLD_HTTP_PORT', async () => {
    using alone = project(
      `{ before: [${shellHook('echo port=$SKAFFOLD_HTTP_PORT; while [ ! -e go ]; do sleep 0.05; done')}] }`,
    );
    const running = alone.start(['build', '--http-port', '0', ...PUSH], ALONE);
    await running.seen('port=');
    const [, port = ''] = /port=(\d+)/u.exec(running.out()) ?? [];
    const base = `http://127.0.0.1:${port}`;
    const now = await (await fetch(`${base}/events?follow=false`)).text();
    const reported = now
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; status?: string });
    expect(reported[0]).toMatchObject({ type: 'HookCounts', counts: { 'pre-build': 1 } });
    expect(reported).toContainEqual(
      expect.objectContaining({
        type: 'HostCallbackEvent',
        callback: 'pre-build',
        status: 'InProgress',
      }),
    );
    const stream = await fetch(`${base}/events`, {
      headers: { accept: 'text/event-stream' },
    });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    alone.write('go', '');
    const rest = await stream.text();
    expect(rest).toMatch(/event: HostCallbackEvent\ndata: .*"Completed"/u);
    expect(rest).toMatch(/event: Ended\ndata: .*"exitCode":0/u);
    expect((await running.ended).code).toBe(0);
  });

  it('serves the event API over HTTP and gRPC, on the ports that hooks get', async () => {
    using alone = project(
      `{ before: [${shellHook('echo ports=$SKAFFOLD_HTTP_PORT,$SKAFFOLD_RPC_PORT.; while [ ! -e go ]; do sleep 0.05; done')}] }`,
    );
    const running = alone.start(
      ['build', '--rpc-http-port', '0', '--rpc-port', '0', ...PUSH],
      ALONE,
    );
    await running.seen('ports=');
    const [, http = '', rpc = ''] = /ports=(\d+),(\d+)\./u.exec(running.out()) ?? [];
    expect(Number(rpc)).toBeGreaterThan(0);
    const base = `http://127.0.0.1:${http}`;
    const state: unknown = await (await fetch(`${base}/v2/state`)).json();
    expect(state).toMatchObject({
      buildState: { artifacts: { web: 'NotStarted' } },
      metadata: {
        build: { artifacts: [{ type: 'CUSTOM', name: 'web', context: '.' }] },
        additional: { 'hooks.pre-build': '1' },
      },
    });
    const events = await fetch(`${base}/v1/events`);
    alone.write('go', '');
    const last = (await events.text()).trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({
      result: { event: { terminationEvent: { status: 'Complete' } } },
    });
    expect((await running.ended).code).toBe(0);
  });

  it('records its events and every run of a hook, which history and replay print', async () => {
    using alone = project(
      `{ before: [${shellHook('echo one')}], after: [${shellHook('exit 9')}] }`,
    );
    expect((await alone.start(['build', ...PUSH], ALONE).ended).code).toBe(3);
    expect(alone.events().at(-1)).toMatchObject({ type: 'Ended', exitCode: 3, ownExitCode: 9 });
    const types = alone.events().map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['HookCounts', 'HostCallbackEvent', 'Output', 'Ended']),
    );
    const [session = ''] = alone.sessions();
    const record: unknown = JSON.parse(alone.read(`${session}/session.json`));
    expect(record).toMatchObject({
      verb: 'build',
      exitCode: 3,
      file: `${alone.folder}/skaffold.yaml`,
    });
    const journal = alone.read(`${session}/journal/journal.jsonl`);
    expect(journal).toContain('pre-build build/before/0');
    expect(journal).toContain('"exitCode":9');
    // Git must not see the directory: a tag made from a commit would be marked dirty.
    expect(alone.read('.lifehook/.gitignore')).toBe('*\n');
    const id = session.split('-').at(-1) ?? '';
    expect((await alone.lifehook('pipeline', 'history')).stdout).toMatch(
      new RegExp(`^${id} +build +\\S+ +3$`, 'mu'),
    );
    const replayed = await alone.lifehook('pipeline', 'replay', id);
    expect(replayed.stdout).toMatch(/^ +\d\.\d{3} {2}\[build\/before\/0\] one$/mu);
    expect(replayed.stdout).toMatch(
      /ended with exit code 3; the failed hook or program exited with 9\n$/u,
    );
  });

  it('skips a hook in later sessions until its inputs change', async () => {
    using alone = project(`{ before: [${shellHook('echo made')}] }`, {
      'lifehook.yaml': 'policies:\n  build/before/0: { run: changed, inputs: [src/*] }\n',
    });
    const build = async (): Promise<string> =>
      (await alone.start(['build', ...PUSH], ALONE).ended).stdout;
    expect(await build()).toContain('[build/before/0] made');
    expect(await build()).toContain('build/before/0 (pre-build): skipped: its inputs are the same');
    alone.write('src/a', 'b\n');
    expect(await build()).toContain('[build/before/0] made');
  });

  it('activates profiles by verb, environment variable and command line', async () => {
    using alone = project('{}');
    alone.write(
      'skaffold.yaml',
      `${alone.read('skaffold.yaml')}profiles:
  - name: on-build
    activation: [{ command: build }]
  - name: on-env
    activation: [{ env: STAGE=ci }]
  - name: asked
    build: { hooks: { before: [${shellHook('echo "profiles $SKAFFOLD_PROFILES $SKAFFOLD_DEFAULT_REPO"')}] } }
`,
    );
    const env = { ...ALONE, STAGE: 'ci', SKAFFOLD_DEFAULT_REPO: 'gcr.io/p' };
    const asked = await alone.start(['build', '-p', 'asked', ...PUSH], env).ended;
    expect(asked.stdout).toContain('profiles on-build,on-env,asked gcr.io/p\n');
    const off = await alone.start(['build', '--push=true', '--cache-artifacts=false'], {
      ...env,
      SKAFFOLD_PROFILE: 'asked,-on-env',
    }).ended;
    expect(off.stdout).toContain('profiles on-build,asked gcr.io/p\n');
  });

  it('warns once on stderr of a setting without effect', async () => {
    using alone = project('{}');
    alone.write(
      'skaffold.yaml',
      alone.read('skaffold.yaml').replace('build:\n', 'build:\n  insecureRegistries: [a]\n'),
    );
    const { code, stderr } = await alone.start(['build', ...PUSH], ALONE).ended;
    expect(code).toBe(0);
    expect(stderr.match(/LHL109/gu)).toHaveLength(1);
    expect(stderr).toContain('skaffold.yaml:4:3');
  });

  it('exits with 2 for wrong arguments and with 1 for an invalid configuration, and records nothing', async () => {
    using alone = project('{}');
    expect((await alone.lifehook('build', '--push=maybe')).code).toBe(2);
    alone.write('skaffold.yaml', 'apiVersion: skaffold/v4beta13\nkind: Config\nbiuld: {}\n');
    const { code, stderr } = await alone.start(['build'], ALONE).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('skaffold.yaml:3:1: error LHL103');
    expect(existsSync(join(alone.folder, '.lifehook'))).toBe(false);
  });
});
