import { describe, expect, it } from 'vitest';

import { HEAD, only, problemsOf, read } from '../../../../test/fixtures/pipeline/read-files.ts';
import type { ReadPipeline } from './read-pipeline.ts';

describe('readPipeline', () => {
  it('reports every unknown field in one error, with its position and the field it belongs under (PIPE-CASE11)', async () => {
    const text = `${HEAD}deploy:\n  hooks:\n    before: []\nbuild:\n  artifact: []\n  push: true\n`;
    expect(await problemsOf(text)).toMatchObject([
      {
        code: 'LHL103',
        at: { line: 4, column: 3 },
        next: 'It belongs under deploy.kubectl.hooks or deploy.helm.hooks.',
      },
      { code: 'LHL103', at: { line: 7, column: 3 }, next: 'Did you mean "artifacts"?' },
      { code: 'LHL103', at: { line: 8, column: 3 }, next: 'It belongs under build.local.push.' },
    ]);
  });

  it('PIPE-C2, PIPE-C3: refuses curly quotes, and a sync rule that is split into two items', async () => {
    const text = `${HEAD}build:\n  artifacts:\n  - image: a\n    sync:\n      manual:\n      - src: \u2018src/**/*.js\u2019\n      - dest: raw\n`;
    const problems = await problemsOf(text);
    expect(problems.map(({ code }) => code)).toEqual(['LHL102', 'LHL118']);
    expect(problems[1]?.next).toContain('one item');
  });

  it('leaves out what begins with a dot at the top, where anchors are, and nothing else', async () => {
    const text = `${HEAD}.anchors: {image: &image web, other: [1]}\nbuild: {artifacts: [{image: *image}]}\n`;
    const { config, warnings } = await read(text);
    expect(only(config).build.artifacts.map(({ image }) => image)).toEqual(['web']);
    expect(warnings).toEqual([]);
    expect(await problemsOf(`${HEAD}build: {.anchors: {}}\n`)).toMatchObject([{ code: 'LHL103' }]);
  });

  it('points to skaffold fix when apiVersion is too old, and to the newest version when it is not one of Skaffold', async () => {
    const [old] = await problemsOf('apiVersion: skaffold/v1beta13\nkind: Config\n');
    expect(old?.next).toContain('skaffold fix');
    const [none] = await problemsOf('apiVersion: v1\nkind: Pod\n');
    expect(none?.message).toContain('skaffold/v4beta14');
  });

  it('uses build.platforms for an artifact without platforms', async () => {
    const text = `${HEAD}build: {platforms: [linux/amd64], artifacts: [{image: a}, {image: b, platforms: [linux/arm64]}]}
`;
    const { build } = only((await read(text)).config);
    expect(build.artifacts.map(({ platforms }) => platforms)).toEqual([
      ['linux/amd64'],
      ['linux/arm64'],
    ]);
  });

  it('upgrades deploy.kubectl.manifests, kustomize and helm overrides of v2, in patches too', async () => {
    const text = `apiVersion: skaffold/v2beta29
kind: Config
deploy:
  kubectl: {manifests: [k8s/*], hooks: {before: [{host: {command: [a]}}]}}
  kustomize: {paths: [base], hooks: {before: [{host: {command: [b]}}]}}
  helm: {releases: [{name: r, chartPath: c, artifactOverrides: {image: ghcr.io/a/web}}]}
profiles:
- name: p
  patches: [{op: add, path: /deploy/kubectl/manifests/-, value: more.yaml}]
`;
    const { config } = await read(text, { profiles: ['p'] });
    const module = only(config);
    expect(module.manifests.rawYaml).toEqual(['k8s/*', 'more.yaml']);
    expect(module.manifests.kustomize?.paths).toEqual(['base']);
    expect(module.deploy.kubectl?.hooks.before.map(({ address }) => address)).toEqual([
      'deploy/kubectl/before/0',
      'deploy/kubectl/before/1',
    ]);
    expect(module.deploy.helm?.releases[0]?.setValueTemplates).toEqual({
      image: '{{.IMAGE_FULLY_QUALIFIED_ghcr_io_a_web}}',
    });
  });

  it('merges active profiles: replaces lists and one-of fields, and keeps other sections', async () => {
    const text = `${HEAD}build: {artifacts: [{image: a}], tagPolicy: {sha256: {}}, local: {push: true}}
profiles:
- name: ci
  activation: [{env: CI=true}]
  build: {tagPolicy: {dateTime: {}}, cluster: {}}
- name: two
  activation: [{kubeContext: "!prod", command: dev}]
  build: {artifacts: [{image: b}]}
`;
    const image = (result: ReadPipeline): string[] =>
      result.config.modules[0]?.build.artifacts.map((one) => one.image) ?? [];
    const ci = await read(text, { env: { CI: 'true' }, context: 'prod', ignoreUnsupported: true });
    expect(ci.config.profiles).toEqual(['ci']);
    expect(ci.config.modules[0]?.build).toMatchObject({
      tagPolicy: { kind: 'dateTime' },
      push: null,
    });
    expect(image(ci)).toEqual(['a']);
    const two = await read(text, { context: 'kind' });
    expect([two.config.profiles, image(two)]).toEqual([['two'], ['b']]);
    const off = await read(text, {
      context: 'kind',
      profiles: ['-two', 'ci'],
      ignoreUnsupported: true,
    });
    expect(off.config.profiles).toEqual(['ci']);
    expect(await problemsOf(text, { profiles: ['c1'] })).toMatchObject([
      { code: 'LHL123', next: 'Did you mean "ci"? The profiles are ci, two.' },
    ]);
    expect(await problemsOf(text, { profiles: ['production'] })).toMatchObject([
      { code: 'LHL123', next: 'The profiles are ci, two.' },
    ]);
    expect(await problemsOf(HEAD, { profiles: ['production'] })).toMatchObject([
      { code: 'LHL123', next: 'The file has no profiles: leave the option out.' },
    ]);
  });

  it('activates profiles by an empty variable, by a regex, and only by all activations when they are required', async () => {
    const text = `${HEAD}profiles:
- {name: unset, activation: [{env: "STAGE="}]}
- {name: regex, activation: [{env: "STAGE=^pr-[0-9]+$"}]}
- {name: all, requiresAllActivations: true, activation: [{env: "STAGE=pr"}, {command: "run|dev"}]}
`;
    const on = async (env: Record<string, string>, command = 'dev'): Promise<readonly string[]> =>
      (await read(text, { env, command })).config.profiles;
    expect(await on({})).toEqual(['unset']);
    expect(await on({ STAGE: 'pr-12' })).toEqual(['regex', 'all']);
    expect(await on({ STAGE: 'pr-12' }, 'build')).toEqual(['regex']);
  });

  it('lists a required module once, before its dependents, with paths and hooks of its own directory', async () => {
    const files = {
      '/p/skaffold.yaml': `${HEAD}metadata: {name: main}\nrequires: [{path: ./lib, configs: [lib], activeProfiles: [{name: fast, activatedBy: [quick]}]}, {path: lib/skaffold.yaml}]\nprofiles: [{name: quick}]\n`,
      '/p/lib/skaffold.yaml': `${HEAD}metadata: {name: lib}\nbuild: {artifacts: [{image: l, context: src, hooks: {before: [{command: [a], dir: sub}]}}]}\nprofiles: [{name: fast, build: {tagPolicy: {sha256: {}}}}]\n`,
    };
    const { config } = await read(files);
    expect(config.modules.map(({ name }) => name)).toEqual(['lib', 'main']);
    const artifact = config.modules[0]?.build.artifacts[0];
    expect(artifact?.context).toBe('/p/lib/src');
    expect(artifact?.hooks.before[0]).toMatchObject({
      address: 'lib:build/l/before/0',
      action: { dir: '/p/lib/sub' },
    });
    expect(await problemsOf(files, { profiles: ['quick'] })).toMatchObject([{ code: 'LHL133' }]);
  });

  it('refuses cyclic requirements, remote requirements and missing files', async () => {
    const circle = {
      '/p/skaffold.yaml': `${HEAD}requires: [{path: b}]\n`,
      '/p/b/skaffold.yaml': `${HEAD}requires: [{path: ../skaffold.yaml}]\n`,
    };
    expect(await problemsOf(circle)).toMatchObject([
      { code: 'LHL132', at: { file: '/p/b/skaffold.yaml', line: 3 } },
    ]);
    const [git] = await problemsOf(`${HEAD}requires: [{git: {repo: x}}]\n`);
    expect(git?.next).toContain('a copy of that source');
    expect(await problemsOf(`${HEAD}requires: [{path: none}]\n`)).toMatchObject([
      { code: 'LHL130' },
    ]);
  });

  it('reads skaffold.env without overriding set variables, and refuses an invalid line', async () => {
    const files = {
      '/p/skaffold.yaml': HEAD,
      '/p/skaffold.env': '# x\nA=1\nexport B="two words"\n',
    };
    expect((await read(files, { env: { A: 'mine' } })).env).toEqual({ A: 'mine', B: 'two words' });
    const bad = { ...files, '/p/skaffold.env': 'nonsense\n' };
    expect(await problemsOf(bad)).toMatchObject([{ code: 'LHL122', at: { line: 1 } }]);
  });

  it('applies lifehook.yaml to hook addresses, and reports unknown addresses and fields', async () => {
    const files = {
      '/p/skaffold.yaml': `${HEAD}build: {artifacts: [{image: web, hooks: {after: [{command: [a]}]}}]}\n`,
      '/p/lifehook.yaml': `policies:
  build/web/after/0: {name: scan, timeoutSeconds: 5, onFailure: warn, onLeftover: wait}
stages:
  build/web: {finally: [{host: {command: [rm, x]}, retries: 2, onLeftover: terminate}]}
cleanup: {after: [{host: {command: [echo, bye]}, name: bye}]}
folderBuilders: {web: {path: dist}}
`,
    };
    const { config } = await read(files);
    const artifact = config.modules[0]?.build.artifacts[0];
    expect(artifact?.hooks.after[0]).toMatchObject({
      name: 'scan',
      policy: { timeoutSeconds: 5, onFailure: 'warn', onLeftover: 'wait', retries: 0 },
    });
    expect(artifact?.hooks.finally[0]).toMatchObject({
      address: 'build/web/finally/0',
      policy: { retries: 2, onLeftover: 'terminate' },
    });
    expect(artifact?.builder).toMatchObject({ kind: 'folder', path: 'dist' });
    expect(config.ownHooks.cleanup.after[0]).toMatchObject({
      name: 'bye',
      address: 'cleanup/after/0',
    });
    const wrong = {
      ...files,
      '/p/lifehook.yaml': 'policies:\n  build/web/after/1: {retries: 1}\n',
    };
    expect(await problemsOf(wrong)).toMatchObject([
      { code: 'LHL141', at: { line: 2 }, next: 'Did you mean "build/web/after/0"?' },
    ]);
    const unknown = {
      ...files,
      '/p/lifehook.yaml': 'policies:\n  build/web/after/0: {retrys: 1}\n',
    };
    expect(await problemsOf(unknown)).toMatchObject([
      { code: 'LHL140', at: { line: 2, column: 23 }, next: 'Did you mean "retries"?' },
    ]);
  });
});
