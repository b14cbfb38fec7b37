import { expect, test } from 'vitest';

import { helmTemplateArgv } from './helm-argv.ts';

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

test('helm template is called with paths of the module, and everything as one argument', () => {
  const argv = helmTemplateArgv({ ...release, chartPath: 'chart' }, { folder: '/p' }, 'here');
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

test('the namespace of a release comes before that of the session', () => {
  const remote = { ...release, remoteChart: 'shop', repo: 'https://charts.test', version: '1.2.3' };
  const argv = helmTemplateArgv(
    { ...remote, namespace: 'own', valuesFiles: [] },
    { folder: '/p' },
    'x',
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
