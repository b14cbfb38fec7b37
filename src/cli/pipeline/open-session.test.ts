import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { type OpenSession, openSession } from './open-session.ts';
import { OPTION_DEFAULTS, type PipelineOptions } from './options.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-open-'));
  // Hides the user's local clusters from these tests.
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
  write('skaffold.yaml', config('one'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function config(image: string): string {
  return `apiVersion: skaffold/v4beta13
kind: Config
build:
  insecureRegistries: [r]
  artifacts:
    - image: ${image}
      custom: { buildCommand: 'true', dependencies: { paths: [src] } }
`;
}

function open(options: Partial<PipelineOptions> = {}): Promise<OpenSession> {
  const filename = join(folder, 'skaffold.yaml');
  const given = { ...OPTION_DEFAULTS, filename, ...options };
  return openSession(given, { verb: 'build', activates: 'build', need: 'optional' });
}

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: here
contexts:
  - { name: here, context: { cluster: c, user: u, namespace: shop } }
  - { name: there, context: { cluster: c, user: u } }
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: u, user: {} }]
`;

describe('openSession', () => {
  it('PIPE-CASE46: keeps values set by hooks when the configuration is reloaded', async () => {
    await using opened = await open();
    const { session } = opened;
    session.hooks.values.record({
      hook: 'h',
      iteration: 1,
      values: { FOO: 'bar' },
      outputs: {},
      secrets: [],
    });
    write('skaffold.yaml', config('two'));
    write('skaffold.env', 'STAGE=ci\n');
    const again = await opened.reload();
    expect(again.config.modules[0]?.build.artifacts[0]?.image).toBe('two');
    expect(again.hooks.values.environment()).toEqual({ FOO: 'bar' });
    expect(again.hooks.callerEnv['STAGE']).toBe('ci');
    expect(again.hooks.ledger).toBe(session.hooks.ledger);
    const first = session.hooks.nextRunId();
    expect(again.hooks.nextRunId()).not.toBe(first);
  });

  it('emits a warning of the configuration once, also after a reload', async () => {
    const opened = await open();
    await opened.reload();
    opened.ended({ exitCode: 0 });
    await opened[Symbol.asyncDispose]();
    const events = readFileSync(join(opened.folder, 'events.ndjson'), 'utf8');
    expect(events.match(/LHL109/gu)).toHaveLength(1);
    expect(events).toMatch(/"type":"Ended","exitCode":0\}\n$/u);
  });

  it('PIPE-CASE13: passes known facts about the cluster to hooks, and omits unknown ones', async () => {
    write('config', KUBECONFIG);
    await using here = await open({ kubeconfig: join(folder, 'config') });
    expect(here.session.facts).toEqual({ workDir: folder, profiles: [], kubeContext: 'here' });
    expect(here.session.target).toMatchObject({ context: 'here', namespace: 'shop', images: null });
    expect(here.session.hooks.callerEnv['KUBECONFIG']).toBe(join(folder, 'config'));
    await using there = await open({
      kubeconfig: join(folder, 'config'),
      kubeContext: 'there',
      namespace: 'mine',
      defaultRepo: 'gcr.io/p',
      multiLevelRepo: false,
      httpPort: 0,
    });
    expect(there.session.facts).toEqual({
      workDir: folder,
      profiles: [],
      kubeContext: 'there',
      defaultRepo: 'gcr.io/p',
      multiLevelRepo: false,
      httpPort: Number(new URL(there.eventsUrl ?? '').port),
    });
    expect(there.session.target?.namespace).toBe('mine');
  });

  it('finds a cluster that is not local when the user has no home directory', async () => {
    write('config', KUBECONFIG);
    vi.stubEnv('XDG_STATE_HOME', undefined);
    vi.stubEnv('HOME', '');
    await using opened = await open({ kubeconfig: join(folder, 'config') });
    expect(opened.session.target).toMatchObject({ context: 'here', images: null });
  });

  it('prefers the context of the configuration to the current one of the kubeconfig', async () => {
    write('config', KUBECONFIG);
    write('skaffold.yaml', `${config('one')}deploy: { kubeContext: there }\n`);
    const kubeconfig = join(folder, 'config');
    await using own = await open({ kubeconfig });
    expect(own.session.target?.context).toBe('there');
    await using chosen = await open({ kubeconfig, kubeContext: 'here' });
    expect(chosen.session.target?.context).toBe('here');
  });

  it('refuses a given kubeconfig that does not exist', async () => {
    await expect(open({ kubeconfig: join(folder, 'none') })).rejects.toThrow('LHK001');
  });
});
