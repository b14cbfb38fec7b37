import { describe, expect, it } from 'vitest';

import { HEAD, only, problemsOf, read } from '../../../../test/fixtures/pipeline/read-files.ts';

describe('reading a pipeline', () => {
  it('names all fields without effect, with their reasons, in one warning', async () => {
    const text = `${HEAD}build:\n  insecureRegistries: [a]\n  local: {useBuildkit: true, useDockerCLI: false}\n`;
    const { warnings, config } = await read(text);
    expect(warnings.map(({ code }) => code)).toEqual(['LHL109']);
    expect(warnings[0]?.message).toContain(
      'build.local.useBuildkit (line 5): the program that builds',
    );
    expect(config.unusedFields.map(({ path }) => path)).toEqual([
      'build.insecureRegistries',
      'build.local.useBuildkit',
    ]);
  });

  it('refuses what would be deployed elsewhere, all of it with its place, and with --ignore-unsupported warns', async () => {
    const text = `${HEAD}deploy:
  docker: {images: [web]}
  kubectl: {flags: {apply: [--server-side, --dry-run=server], global: [--x]}}
manifests: {transform: [{name: x}]}
`;
    const problems = await problemsOf(text);
    expect(problems.map(({ code, at }) => `${code} ${at?.line}:${at?.column}`)).toEqual([
      'LHL135 4:3',
      'LHL135 5:21',
      'LHL135 5:63',
      'LHL135 6:13',
    ]);
    const { warnings, config } = await read(text, { ignoreUnsupported: true });
    expect(warnings.map(({ severity }) => severity)).toEqual(problems.map(() => 'warning'));
    expect(only(config).deploy.kubectl).not.toBeNull();
  });

  it('accepts flags that say what is done anyway', async () => {
    const text = `${HEAD}deploy: {kubectl: {flags: {apply: [--server-side=true, --force-conflicts]}}}\n`;
    expect((await read(text)).warnings).toEqual([]);
  });

  it('deploys nothing by kpt of an old version, and by no other deployer instead', async () => {
    const text = 'apiVersion: skaffold/v2beta8\nkind: Config\ndeploy: {kpt: {dir: k8s}}\n';
    expect(await problemsOf(text)).toMatchObject([{ code: 'LHL135', at: { line: 3, column: 10 } }]);
    const { config } = await read(text, { ignoreUnsupported: true });
    expect(only(config).deploy).toMatchObject({ kubectl: null, helm: null });
  });

  it('refuses the builder of an image unless lifehook.yaml has a directory for it', async () => {
    const text = `${HEAD}build: {artifacts: [{image: a, jib: {}}, {image: b, ko: null}]}\n`;
    expect(await problemsOf(text)).toMatchObject([{ code: 'LHL135', at: { line: 3, column: 32 } }]);
    const files = {
      '/p/skaffold.yaml': text,
      '/p/lifehook.yaml': 'folderBuilders: {a: {path: .}}\n',
    };
    const built = only((await read(files)).config).build.artifacts;
    expect(built.map(({ builder }) => builder.kind)).toEqual(['folder', 'docker']);
    const { config, warnings } = await read(text, { ignoreUnsupported: true });
    expect(only(config).build.artifacts.map(({ image }) => image)).toEqual(['b']);
    expect(warnings[0]?.message).toBe(
      'jib of a is ignored: Lifehook does not run this builder itself, and the image is not built.',
    );
  });

  it('refuses configurations that name several clusters, but for builds and with --kube-context', async () => {
    const manifests = 'manifests: {rawYaml: [a.yaml]}\n';
    const files = {
      '/p/skaffold.yaml': `${HEAD}${manifests}requires: [{path: lib}]\n`,
      '/p/lib/skaffold.yaml': `${HEAD}metadata: {name: lib}\n${manifests}deploy: {kubeContext: prod}\n`,
    };
    const [problem] = await problemsOf(files);
    expect(problem).toMatchObject({
      code: 'LHL136',
      at: { file: '/p/lib/skaffold.yaml', line: 5 },
    });
    expect(problem?.message).toContain('lib to prod, /p/skaffold.yaml to that of the current');
    expect(await problemsOf(files, { command: 'build' })).toEqual([]);
    expect(await problemsOf(files, { kubeContext: 'here' })).toEqual([]);
  });
});
