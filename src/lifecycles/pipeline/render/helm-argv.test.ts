import { expect, test } from 'vitest';

import { helmDependencyArgv, helmTemplateArgv } from './helm-argv.ts';

const facts = { namespace: 'here', templated: {}, overridesFile: null, flags: [] };

const release = {
  name: 'shop',
  createNamespace: false,
  valuesFiles: ['v.yaml'],
  setValues: { a: 'b c' },
  setValueTemplates: {},
  setFiles: { f: 'data.txt' },
  overrides: undefined,
  wait: false,
  upgradeOnChange: true,
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

test('helmTemplateArgv uses the namespace of the release instead of that of the session', () => {
  const remote = { ...release, remoteChart: 'shop', repo: 'https://charts.test', version: '1.2.3' };
  const argv = helmTemplateArgv(
    { ...remote, namespace: 'own', valuesFiles: [] },
    { folder: '/p' },
    facts,
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
  const more = { templated: { t: 'v1' }, overridesFile: '/s/o.yaml', flags: ['--debug'] };
  const argv = helmTemplateArgv(release, { folder: '/p' }, { ...facts, ...more });
  expect(argv.slice(6)).toEqual(
    '--values,/p/v.yaml,--values,/s/o.yaml,--set,a=b c,--set,t=v1,--set-file,f=/p/data.txt,--debug'.split(
      ',',
    ),
  );
});

test('helmDependencyArgv builds the dependencies of the chart', () => {
  const argv = helmDependencyArgv({ ...release, chartPath: 'chart' }, { folder: '/p' });
  expect(argv).toEqual(['helm', 'dep', 'build', '/p/chart']);
});
