import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { NO_HOOKS } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { only, POD, render, stand } from '../../../../test/fixtures/pipeline/render-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import type { PipelineHook, StageHooks } from '../hooks/model.ts';

const flags = { global: [], template: [], depBuild: [] };

function hooksOf(more: Partial<StageHooks>): StageHooks {
  return { ...NO_HOOKS, ...more };
}

const after = (script: string, withChange = false): PipelineHook =>
  shell(script, {
    address: 'render/after/0',
    phase: 'render',
    when: 'after',
    ...(withChange ? { action: { withChange } } : {}),
  });

describe('rendering', () => {
  test('reads the files that the patterns match, and sets images and labels', async () => {
    const s = stand();
    s.write('k8s/b.yaml', POD.replaceAll('name: web', 'name: b'));
    s.write('k8s/deep/a.yml', POD.replaceAll('name: web', 'name: a'));
    s.write('k8s/notes.txt', 'none');
    const { objects } = only(await render(s, { rawYaml: ['k8s/**'] }));
    expect(objects.map(({ metadata }) => metadata?.name)).toEqual(['b', 'a']);
    expect(objects[0]).toMatchObject({
      metadata: {
        labels: {
          'app.kubernetes.io/managed-by': 'lifehook',
          'skaffold.dev/run-id': '00000000-0000-4000-8000-000000000000',
        },
      },
      spec: { containers: [{ name: 'b', image: 'web:v1' }] },
    });
    const warned = s.events.filter(({ type }) => type === 'Warning');
    expect(warned).toMatchObject([
      { code: 'LHL403', message: expect.stringContaining('notes.txt') },
    ]);
  });

  test('fails with the position of an invalid field, or with the patterns that match no file', async () => {
    const s = stand();
    const file = s.write('a.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {}\n');
    const wrong = await render(s, { rawYaml: ['a.yaml'] });
    expect(wrong).toMatchObject({ outcome: 'Failed', exitCode: 1 });
    expect(wrong).toMatchObject({ message: expect.stringContaining(`${file}:3:11: error LHL401`) });
    const missing = await render(s, { rawYaml: ['b.yaml', 'c/*.yaml'] });
    expect(missing).toMatchObject({ message: expect.stringContaining('b.yaml, c/*.yaml') });
  });

  test('reports the end of a module whose file cannot be read', async () => {
    const s = stand();
    s.write('a.yaml', POD);
    const read = (): Promise<never> => Promise.reject(new Error('EIO'));
    const platform = { ...s.session.platform, files: { ...s.session.platform.files, read } };
    const broken = { ...s, session: { ...s.session, platform } };
    await expect(render(broken, { rawYaml: ['a.yaml'] })).rejects.toThrow('EIO');
    expect(s.events.filter(({ type }) => type === 'PhaseEvent')).toMatchObject([
      { phase: 'render', status: 'InProgress' },
      { phase: 'render', status: 'Failed', message: 'EIO' },
    ]);
  });

  test('warns about a built image that no container uses', async () => {
    const s = stand();
    s.write('a.yaml', POD.replace('image: web', 'image: other'));
    await render(s, { rawYaml: ['a.yaml'] });
    expect(s.events).toContainEqual(expect.objectContaining({ code: 'LHL405' }));
  });

  test('quotes the command that a user may run by hand', async () => {
    const s = stand({ PATH: '/nowhere' });
    const result = await render(s, { kustomize: { paths: ['my base'], buildArgs: [] } });
    expect(result).toMatchObject({
      message: expect.stringContaining(`by hand: kubectl kustomize '${s.folder}/my base'`),
    });
  });

  test('PIPE-CASE41: keeps the output of a before hook out of the manifests (PIPE-B4)', async () => {
    const s = stand();
    // The script writes the file that is then rendered.
    const script = `echo hello; printf '%s' "$POD" > made.yaml`;
    const before = [
      shell(script, { address: 'render/before/0', phase: 'render', policy: { env: { POD } } }),
    ];
    const { text } = only(await render(s, { rawYaml: ['made.yaml'], hooks: hooksOf({ before }) }));
    expect(text).not.toContain('hello');
    expect(s.lines()).toEqual(['render/before/0: hello']);
  });

  test.each([
    ['the namespace of the command line', 'asked', 'of-context', 'in asked.'],
    ['the namespace of the context', null, 'of-context', 'in of-context.'],
    ['nothing where no context is known', null, null, 'in .'],
  ])('passes %s to hooks as SKAFFOLD_NAMESPACES', async (...given) => {
    const [, asked, ofContext, expected] = given;
    const s = stand();
    s.write('a.yaml', POD);
    const options = { ...s.session.options, namespace: asked };
    const target =
      ofContext === null
        ? null
        : ({ namespace: ofContext, context: 'c' } as unknown as typeof s.session.target);
    const hooks = hooksOf({ after: [after('echo "in $SKAFFOLD_NAMESPACES."')] });
    await render(
      { ...s, session: { ...s.session, options, target } },
      { rawYaml: ['a.yaml'], hooks },
    );
    expect(s.lines()).toContain(`render/after/0: ${expected}`);
  });

  test('PIPE-CASE37: takes the output of withChange hooks as manifests, and not that of other hooks', async () => {
    const s = stand();
    s.write('a.yaml', POD);
    const hooks = hooksOf({
      after: [
        after(`sed 's/name: web/name: one/'`, true),
        after('echo no: manifest'),
        after(`sed 's/name: one/name: two/'; echo '---'; printf '%s' '${POD}'`, true),
      ],
    });
    const { objects, text } = only(await render(s, { rawYaml: ['a.yaml'], hooks }));
    expect(objects.map(({ metadata }) => metadata?.name)).toEqual(['two', 'web']);
    // An object that a hook adds gets the reference of its image and the labels too.
    expect(objects[1]).toMatchObject({
      metadata: { labels: { 'app.kubernetes.io/managed-by': 'lifehook' } },
      spec: { containers: [{ image: 'web:v1' }] },
    });
    expect(text).not.toContain('no: manifest');
  });

  test('PIPE-CASE38: fails when a withChange hook prints nothing (PIPE-B3)', async () => {
    const s = stand();
    s.write('a.yaml', POD);
    const hooks = hooksOf({ after: [after('true', true)] });
    const result = await render(s, { rawYaml: ['a.yaml'], hooks });
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
    expect(result).toMatchObject({ message: expect.stringContaining('printed nothing') });
  });

  test('PIPE-CASE39: keeps the stderr of a withChange hook out of the manifests (PIPE-B5)', async () => {
    const s = stand();
    s.write('a.yaml', POD);
    const hooks = hooksOf({ after: [after('echo "warn: x" >&2; cat', true)] });
    const { objects, text } = only(await render(s, { rawYaml: ['a.yaml'], hooks }));
    expect(objects).toHaveLength(1);
    expect(text).not.toContain('warn');
  });

  test('fails when a withChange hook prints an invalid manifest, and runs onError hooks', async () => {
    const s = stand();
    s.write('a.yaml', POD);
    const hooks = hooksOf({
      after: [after('echo "warn: x"', true)],
      onError: [shell('echo cleaned', { address: 'c', phase: 'render', when: 'onError' })],
    });
    const result = await render(s, { rawYaml: ['a.yaml'], hooks });
    expect(result).toMatchObject({ message: expect.stringContaining('render hooks') });
    expect(s.lines()).toContain('c: cleaned');
  });

  test('renders charts with helm, and fails with the exit code and stderr of helm', async () => {
    const s = stand();
    const script =
      '#!/bin/sh\necho "$@" > argv; case "$*" in *bad*) echo no such chart >&2; exit 4;; esac; cat pod.yaml\n';
    s.write('bin/helm', script, 0o755);
    s.write('pod.yaml', POD);
    const release = {
      name: 'shop',
      chartPath: 'chart',
      createNamespace: false,
      valuesFiles: ['v.yaml'],
      setValues: { a: 'b c' },
      setValueTemplates: {},
      setFiles: {},
      overrides: undefined,
      skipTests: false,
      useHelmSecrets: false,
      skipBuildDependencies: false,
    };
    process.env['PATH'] = `${s.folder}/bin:${process.env['PATH'] ?? ''}`;
    const { objects } = only(await render(s, { helm: { flags, releases: [release] } }));
    expect(objects).toHaveLength(1);
    const failed = await render(s, {
      helm: { flags, releases: [{ ...release, chartPath: 'bad' }] },
    });
    expect(failed).toMatchObject({ outcome: 'Failed', exitCode: 4 });
    expect(failed).toMatchObject({ message: expect.stringContaining('no such chart') });
  });

  test('passes expanded value templates and overrides to helm, and builds chart dependencies first', async () => {
    const s = stand();
    const script =
      '#!/bin/sh\necho "$@" >> argv; for one; do case $one in *overrides.yaml) cat "$one" >> argv;; esac; done; [ $1 = dep ] || cat pod.yaml\n';
    s.write('bin/helm', script, 0o755);
    s.write('pod.yaml', POD);
    s.write('chart/Chart.yaml', 'name: chart\ndependencies: [{name: db}]\n');
    s.context.values.record({
      hook: 'version',
      iteration: 1,
      values: { FOO: 'bar' },
      outputs: {},
      secrets: [],
    });
    const templates = { image: '{{.IMAGE_FULLY_QUALIFIED_web}}', foo: '{{.hooks.version.FOO}}' };
    const release = {
      name: 'shop',
      chartPath: 'chart',
      createNamespace: false,
      valuesFiles: [],
      setValues: {},
      setValueTemplates: templates,
      setFiles: {},
      overrides: { a: { b: 'é' } },
      skipTests: false,
      useHelmSecrets: false,
      skipBuildDependencies: false,
    };
    process.env['PATH'] = `${s.folder}/bin:${process.env['PATH'] ?? ''}`;
    only(await render(s, { helm: { flags, releases: [release] } }));
    const [fetched, called, overrides] = readFileSync(`${s.folder}/argv`, 'utf8').split('\n');
    expect(fetched).toBe(`dep build ${s.folder}/chart`);
    expect(called).toMatch(/ --set image=web:v1 --set foo=bar$/);
    expect(overrides).toBe('{"a":{"b":"é"}}');
    const wrong = { ...release, setValueTemplates: { x: '{{.NOPE}}' } };
    expect(await render(s, { helm: { flags, releases: [wrong] } })).toMatchObject({
      message: expect.stringContaining('The value x of the release shop'),
    });
  });

  test('puts the objects of a release that is meant to be installed into its namespace', async () => {
    const s = stand({ STAGE: 'test' });
    s.write('bin/helm', '#!/bin/sh\necho "$@" > argv; cat pod.yaml\n', 0o755);
    s.write('pod.yaml', `${POD}---\n${POD.replace('name: web', 'name: own, namespace: own')}`);
    const release = {
      name: 'shop-{{.STAGE}}',
      namespace: 'shop-{{.STAGE}}',
      remoteChart: 'shop',
      createNamespace: false,
      valuesFiles: [],
      setValues: {},
      setValueTemplates: {},
      setFiles: {},
      overrides: undefined,
      skipTests: false,
      useHelmSecrets: false,
      skipBuildDependencies: false,
    };
    process.env['PATH'] = `${s.folder}/bin:${process.env['PATH'] ?? ''}`;
    const deploy = { helm: { releases: [release], flags, hooks: NO_HOOKS } };
    const namespaces = async (session = s.session): Promise<unknown[]> =>
      only(await render({ ...s, session }, { rawYaml: [] }, deploy)).objects.map(
        ({ metadata }) => metadata?.namespace,
      );
    expect(await namespaces()).toEqual(['shop-test', 'own']);
    expect(readFileSync(`${s.folder}/argv`, 'utf8')).toBe(
      'template shop-test shop --namespace shop-test --no-hooks\n',
    );
    const options = { ...s.session.options, namespace: 'given' };
    expect(await namespaces({ ...s.session, options })).toEqual(['given', 'own']);
  });
});
