import { existsSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import { type BuildStand, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { fileSession } from '../../../../test/fixtures/pipeline/file-session.ts';
import { runningPod, scriptedCluster } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import type { HookRunContext } from '../hooks/run-context.ts';
import type { ImagePort, PipelineSession } from '../session.ts';
import { type PipelinePlan, pipelinePlanText, planPipeline } from './plan.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const noImages: ImagePort = {
  importImage: () => Promise.reject(new Error('a plan builds nothing')),
  tag: () => Promise.reject(new Error('a plan names nothing')),
  idOf: () => Promise.resolve(null),
};

function stand(context: Partial<HookRunContext> = {}): BuildStand {
  const made = buildStand({ images: noImages, context });
  stands.push(made);
  made.write('web/Dockerfile', 'FROM scratch\n');
  made.write('k8s/web.yaml', DEPLOYMENT);
  return made;
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec: { template: { spec: { containers: [{ name: web, image: web }] } } }
---
apiVersion: v1
kind: Service
metadata: { name: web }
`;

const FILE = `apiVersion: skaffold/v4beta13
kind: Config
build:
  tagPolicy: { sha256: {} }
  artifacts:
    - image: web
      context: web
      hooks:
        before:
          - command: [touch, ran-before]
          - command: [nmake]
            os: [windows]
        after: [{ command: [touch, ran-after] }]
      sync:
        manual: [{ src: 'src/*', dest: /app }]
        hooks: { after: [{ container: { command: [reload] } }] }
manifests:
  rawYaml: [k8s/*]
  hooks: { before: [{ host: { command: [touch, ran-render] } }] }
deploy:
  kubectl:
    hooks:
      before: [{ host: { command: [touch, ran-deploy] } }]
      after: [{ container: { podName: 'web-*', command: [migrate] } }]
`;

async function plan(
  s: BuildStand,
  text: string,
  change: (session: PipelineSession) => PipelineSession = (same) => same,
): Promise<PipelinePlan> {
  s.write('skaffold.yaml', text);
  return planPipeline(change(await fileSession(s)));
}

/** Each hook as "+ address: reason". */
function hooksOf({ phases }: PipelinePlan): string[] {
  return phases.flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      entry.kind === 'hook'
        ? [`${entry.hook.runs ? '+' : '-'} ${entry.hook.address}: ${entry.hook.reason}`]
        : [],
    ),
  );
}

describe('a plan', () => {
  test('PIPE-CASE48: runs no hook, builds nothing and leaves nothing behind', async () => {
    const s = stand();
    const { problems } = await plan(s, FILE);
    expect(problems).toEqual([]);
    expect(readdirSync(s.folder).toSorted()).toEqual(['k8s', 'skaffold.yaml', 'web']);
    expect(s.events).toEqual([]);
    expect(existsSync(`${s.folder}/ran-before`)).toBe(false);
  });

  test.each([
    ['build', ['build'], 0],
    ['delete', [], 0],
    ['verify', [], 0],
    ['run', ['build', 'render', 'deploy'], 1],
  ])('of %s has the phases and the problems of this verb', async (verb, expected, wrong) => {
    const s = stand();
    const text = FILE.replace('k8s/*', 'none/*').replace(/hooks: .* ran-render.*/u, 'hooks: {}');
    s.write('skaffold.yaml', text);
    const { phases, problems } = await planPipeline(await fileSession(s), verb);
    expect(phases.map(({ phase }) => phase).filter((one) => one !== 'sync')).toEqual(expected);
    expect(problems.map(({ code }) => code)).toEqual(Array.from({ length: wrong }, () => 'LHL402'));
  });

  test('lists every phase in order, with its work', async () => {
    const s = stand();
    const { phases, cluster } = await plan(s, FILE);
    expect(phases.map(({ phase, subject }) => `${phase} ${subject ?? ''}`.trim())).toEqual([
      'build web',
      `render ${s.folder}/skaffold.yaml`,
      `deploy ${s.folder}/skaffold.yaml`,
      'sync web',
    ]);
    expect(cluster).toEqual({ context: 'local', namespace: 'default' });
    const entries = phases.flatMap((one) => one.entries);
    expect(entries.filter(({ kind }) => kind !== 'hook')).toEqual([
      {
        kind: 'image',
        text: 'web:latest will be built by docker',
        image: {
          name: 'web',
          reference: 'web:latest',
          builder: 'docker',
          push: false,
          cachedId: null,
          requires: [],
        },
      },
      { kind: 'work', text: '2 objects of 1 file' },
      {
        kind: 'objects',
        objects: ['Deployment/web', 'Service/web'],
        text: '2 objects: Deployment/web, Service/web, into default, shop',
      },
      { kind: 'work', text: 'status check, 600 s at most' },
      { kind: 'work', text: 'src/* into /app' },
    ]);
  });

  test('states for each hook whether it would run, and why', async () => {
    const cluster = scriptedCluster(
      () => [runningPod('web-7f-x', ['main'])],
      () => Promise.reject(new Error('a plan runs nothing in containers')),
    );
    const s = stand({ cluster });
    expect(hooksOf(await plan(s, FILE))).toEqual([
      '+ build/web/before/0: its phase runs',
      '- build/web/before/1: it is for windows, but this machine runs linux',
      '+ build/web/after/0: its phase runs',
      '+ render/before/0: its phase runs',
      '+ deploy/kubectl/before/0: its phase runs',
      '+ deploy/kubectl/after/0: its phase runs',
      '+ sync/web/after/0: its phase runs',
    ]);
  });

  test('states which hooks run when the image is cached, inputs are unchanged, or only some paths count', async () => {
    const s = stand();
    s.write('lifehook.yaml', LIFEHOOK);
    s.write('schema.sql', 'one');
    const first = await plan(s, FILE, (session) => ({
      ...session,
      target: {
        ...(session.target as NonNullable<PipelineSession['target']>),
        images: { ...noImages, idOf: () => Promise.resolve('sha256:1') },
      },
    }));
    expect(hooksOf(first)).toContain(
      '+ deploy/kubectl/before/0: its inputs have changed since its last success',
    );
    expect(hooksOf(first)).toContain('+ render/before/0: it always runs');
    const [build] = await keysOf(s);
    const image = { id: 'sha256:1', reference: 'web:latest', pushed: false };
    s.write('.lifehook/build-cache.json', JSON.stringify({ [build ?? '']: image }));
    await s.session.hooks.history.succeeded('deploy/kubectl/before/0', await digestOf(s));
    const second = await plan(s, FILE, (session) => ({
      ...session,
      target: {
        ...(session.target as NonNullable<PipelineSession['target']>),
        images: { ...noImages, idOf: () => Promise.resolve('sha256:1') },
      },
    }));
    expect(hooksOf(second).slice(0, 5)).toEqual([
      '- build/web/before/0: the image was found in the cache; with `run: always` the hook runs in that case too',
      '- build/web/before/1: it is for windows, but this machine runs linux',
      '- build/web/after/0: the image was found in the cache; with `run: always` the hook runs in that case too',
      '+ render/before/0: it always runs',
      '- deploy/kubectl/before/0: its inputs are the same as at its last success',
    ]);
    expect(pipelinePlanText(second)).toContain('= web:latest exists already: sha256:1');
    expect(hooksOf(second)).toContain('+ sync/web/after/0: it runs when one of src/*.js is synced');
  });

  test('shows the variables of a host hook with secrets masked', async () => {
    const s = stand();
    s.write('lifehook.yaml', LIFEHOOK);
    const { phases } = await plan(s, FILE);
    const [first] = phases.flatMap(({ entries }) => entries);
    expect(first).toMatchObject({
      hook: {
        what: 'touch ran-before',
        where: `on this machine, in ${s.folder}`,
        defined: `${s.folder}/skaffold.yaml:10:13`,
        variables: {
          IMAGE: 'web:latest',
          PUSH_IMAGE: 'false',
          BUILD_CONTEXT: `${s.folder}/web`,
          SKAFFOLD_WORK_DIR: s.folder,
          DB_PASSWORD: '***',
        },
      },
    });
  });

  test('PIPE-CASE32: skips a before container hook of deploy while no container matches', async () => {
    const pods = [runningPod('web-7f-x', ['main'])];
    const exec = (): never => {
      throw new Error('a plan runs nothing in containers');
    };
    const s = stand({ cluster: scriptedCluster(() => pods.splice(0), exec) });
    const text = FILE.replace('before: [{ host: { command: [touch, ran-deploy] } }]', BEFORE);
    const reasons = async (): Promise<string | undefined> =>
      hooksOf(await plan(s, text)).find((one) => one.includes('deploy/kubectl/before'));
    const inShop = runningPod('db-0', ['db']);
    expect(await reasons()).toBe('- deploy/kubectl/before/0: no container matches now');
    pods.push(inShop);
    expect(await reasons()).toBe('+ deploy/kubectl/before/0: its phase runs');
  });

  test('reports no problem for a tag template with a value that a hook with inputs sets before tags are made', async () => {
    const s = stand();
    const tag = "tagPolicy: { envTemplate: { template: '{{ .hooks.version.VERSION }}' } }";
    const text = FILE.replace('tagPolicy: { sha256: {} }', tag);
    expect((await plan(s, text)).problems).toHaveLength(1);
    s.write('lifehook.yaml', 'policies: { build/web/before/0: { name: version, inputs: [v] } }\n');
    const { problems, phases } = await plan(s, text);
    expect(problems).toEqual([]);
    expect(phases[0]).toMatchObject({ note: 'before tags are made' });
  });

  test('reports all problems that would make the run fail', async () => {
    const s = stand();
    const text = `apiVersion: skaffold/v4beta13
kind: Config
build:
  tagPolicy: { envTemplate: { template: '{{.NOT_THERE}}' } }
  artifacts: [{ image: web, context: web }]
manifests: { rawYaml: [none/*] }
`;
    const { problems, phases } = await plan(s, text);
    expect(problems.map(({ code }) => code)).toEqual(['LHL301', 'LHL402']);
    expect(phases[0]?.entries[0]).toMatchObject({ image: { reference: null } });
  });

  test('is printed as text by pipelinePlanText', async () => {
    const s = stand();
    const text = pipelinePlanText(await plan(s, FILE)).replaceAll(s.folder, '/p');
    expect(text).toMatchSnapshot();
  });
});

const BEFORE = "before: [{ container: { podName: 'db-*', command: [dump] } }]";

const LIFEHOOK = `policies:
  build/web/before/0: { env: { DB_PASSWORD: hunter22 } }
  render/before/0: { run: always }
  deploy/kubectl/before/0: { run: changed, inputs: [schema.sql] }
  sync/web/after/0: { paths: ['src/*.js'] }
`;

async function keysOf(s: BuildStand): Promise<string[]> {
  const { planBuild } = await import('../build/plan-build.ts');
  return (await planBuild(await fileSession(s))).map(({ key }) => key);
}

async function digestOf(s: BuildStand): Promise<string> {
  const { hookDigests } = await import('../hooks/run-stage.ts');
  const { everyHook } = await import('../config/map-hooks.ts');
  const session = await fileSession(s);
  const digests = await hookDigests(everyHook(session.config), session);
  return digests.get('deploy/kubectl/before/0') ?? '';
}
