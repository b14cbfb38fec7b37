import { expect, test } from 'vitest';

import { helmDependencyArgv, helmTemplateArgv, imageTemplateData } from './helm-argv.ts';

const flags = { global: [], template: [], depBuild: [] };
const facts = {
  namespace: 'here',
  templated: {},
  overridesFile: null,
  flags,
  isInstalled: false,
};

const release = {
  name: 'shop',
  createNamespace: false,
  valuesFiles: ['v.yaml'],
  setValues: { a: 'b c' },
  setValueTemplates: {},
  setFiles: { f: 'data.txt' },
  overrides: undefined,
  skipTests: false,
  useHelmSecrets: false,
  skipBuildDependencies: false,
};

test('helmTemplateArgv resolves paths against the module, and passes each value as one argument', () => {
  const argv = helmTemplateArgv({ ...release, chartPath: 'chart' }, { folder: '/p' }, facts);
  expect(argv).toEqual([
    'helm',
    'template',
    'shop',
    '/p/chart',
    '--namespace',
    'here',
    '--values',
    '/p/v.yaml',
    '--set',
    'a=b c',
    '--set-file',
    'f=/p/data.txt',
  ]);
});

test('helmTemplateArgv names repository, version and namespace', () => {
  const remote = { ...release, remoteChart: 'shop', repo: 'https://charts.test', version: '1.2.3' };
  const argv = helmTemplateArgv(
    { ...remote, valuesFiles: [] },
    { folder: '/p' },
    { ...facts, namespace: 'own' },
  );
  expect(argv.slice(2, 10)).toEqual([
    'shop',
    'shop',
    '--repo',
    'https://charts.test',
    '--version',
    '1.2.3',
    '--namespace',
    'own',
  ]);
});

test('helmTemplateArgv puts overrides after values files, templated values after plain ones, and flags last', () => {
  const own = { global: ['--debug'], template: ['--validate'], depBuild: [] };
  const more = { templated: { t: 'v1' }, overridesFile: '/s/o.yaml', flags: own };
  const argv = helmTemplateArgv(release, { folder: '/p' }, { ...facts, ...more });
  expect(argv.slice(6)).toEqual(
    '--values,/p/v.yaml,--values,/s/o.yaml,--set,a=b c,--set,t=v1,--set-file,f=/p/data.txt,--validate,--debug'.split(
      ',',
    ),
  );
});

test('helmDependencyArgv builds the dependencies of the chart', () => {
  const own = { global: ['--debug'], template: [], depBuild: ['--skip-refresh'] };
  const argv = helmDependencyArgv({ ...release, chartPath: 'chart' }, { folder: '/p' }, own);
  expect(argv).toEqual(['helm', 'dep', 'build', '/p/chart', '--skip-refresh', '--debug']);
});

test('helmTemplateArgv decrypts values, skips tests, and leaves out the hooks of what would be installed', () => {
  const asked = { ...release, useHelmSecrets: true, skipTests: true };
  const argv = helmTemplateArgv(asked, { folder: '/p' }, { ...facts, isInstalled: true });
  expect(argv.slice(0, 4)).toEqual(['helm', 'secrets', 'template', 'shop']);
  expect(argv.slice(-2)).toEqual(['--skip-tests', '--no-hooks']);
});

test('imageTemplateData gives name, repo, tag, digest and domain of each built image', () => {
  const data = imageTemplateData([
    { image: 'web', reference: 'localhost:5000/web:v1@sha256:d1' },
    { image: 'acme/api', reference: 'acme/api:v2' },
  ]);
  expect(data).toMatchObject({
    IMAGE_NAME: 'web',
    IMAGE_REPO: 'localhost:5000/web',
    IMAGE_TAG: 'v1',
    IMAGE_DIGEST: 'sha256:d1',
    IMAGE_DOMAIN: 'localhost:5000',
    IMAGE_REPO_NO_DOMAIN: 'web',
    IMAGE_FULLY_QUALIFIED: 'localhost:5000/web:v1@sha256:d1',
    IMAGE_TAG_web: 'v1',
    IMAGE_NAME2: 'acme/api',
    IMAGE_DOMAIN2: '',
    IMAGE_TAG_acme_api: 'v2',
    IMAGE_REPO_NO_DOMAIN_acme_api: 'acme/api',
  });
});
