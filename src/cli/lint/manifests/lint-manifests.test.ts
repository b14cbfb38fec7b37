/** Tests the findings about mistakes between objects: code, place, next step. */
import { describe, expect, it } from 'vitest';

import { change, lines, lintFiles, object, WEB } from '../../../../test/fixtures/lint-stand.ts';
import { DOCUMENTS_CHARACTERS_MAX } from '../../../model/located-document.ts';

describe('a name that is no name of the files', () => {
  const from = (kind: string, name: string): string =>
    change('image: nginx', `image: nginx\n          envFrom: [{ ${kind}: { name: ${name} } }]`);
  const config = object('v1', 'ConfigMap', 'data: { port: "80" }\n').replace('one', 'web-config');

  it('is an error where a similar one is there, else a warning, and an error in strict mode', async () => {
    const text = from('configMapRef', 'web-confg');
    const at = 'm.yaml:13:45: ';
    expect((await lines(`${text}---\n${config}`)).join()).toMatch(
      new RegExp(`^${at}error LHM010: .* Next: Did you mean "web-config"\\?$`, 'u'),
    );
    expect((await lines(text)).join()).toContain(`${at}warning LHM011: `);
    expect((await lines(text, { strict: true })).join()).toContain(`${at}error LHM011: `);
    expect(await lines(`${from('configMapRef', 'web-config')}---\n${config}`)).toEqual([]);
    const generated = [{ kind: 'ConfigMap', name: 'web-confg' }];
    expect(await lines(text, { generated })).toEqual([]);
  });

  it.each([
    ['db-1', 'db-2'],
    ['app-a', 'app-b'],
    ['mail', 'cache'],
  ])('is no misspelling where %s and %s are meant to differ', async (written, there) => {
    const text = `${from('secretRef', written)}---\n${object('v1', 'Secret').replace('one', there)}`;
    expect((await lines(text)).join()).toContain('warning LHM011');
  });

  it('is found in another namespace only where one of both gives none', async () => {
    const shop = config.replace('{ name', '{ namespace: shop, name');
    const inOther = from('configMapRef', 'web-config').replace(
      'name: web\nspec',
      'name: web\n  namespace: other\nspec',
    );
    expect(await lines(`${from('configMapRef', 'web-config')}---\n${shop}`)).toEqual([]);
    expect((await lines(`${inOther}---\n${shop}`)).join()).toContain('LHM011');
  });

  it('is reported of a Secret or ConfigMap named default, which only a ServiceAccount always has', async () => {
    expect((await lines(from('secretRef', 'default'))).join()).toContain('warning LHM011');
    expect((await lines(from('configMapRef', 'default'))).join()).toContain('warning LHM011');
    const account = change('containers:', 'serviceAccountName: default\n      containers:');
    expect(await lines(account)).toEqual([]);
  });

  it('is not reported of the certificates that every namespace has', async () => {
    expect(await lines(from('configMapRef', 'kube-root-ca.crt'), { strict: true })).toEqual([]);
    expect((await lines(from('secretRef', 'kube-root-ca.crt'))).join()).toContain('LHM011');
  });

  it('is found where another object of that name has the key, such as that of another overlay', async () => {
    const env = '[{ name: A, valueFrom: { configMapKeyRef: { name: web-config, key: host } } }]';
    const text = change('image: nginx', `image: nginx\n          env: ${env}`);
    const other = config.replace('port:', 'host:');
    const { problems } = await lintFiles({ 'a.yaml': config, 'b.yaml': `${other}---\n${text}` });
    expect(problems).toEqual([]);
  });

  it('is reported of a key too', async () => {
    const env = '[{ name: A, valueFrom: { configMapKeyRef: { name: web-config, key: prot } } }]';
    const text = change('image: nginx', `image: nginx\n          env: ${env}`);
    expect((await lines(`${text}---\n${config}`)).join()).toMatch(
      /13:83: error LHM012: .* Next: Did you mean "port"\?$/u,
    );
  });

  it('may be one of the claims of a StatefulSet', async () => {
    const snapshot = object(
      'lifehook.dev/v1alpha1',
      'ApplicationSnapshot',
      'spec: { source: { persistentVolumeClaimNames: [data-db-0] } }\n',
    );
    const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: db }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    expect((await lines(snapshot)).join()).toContain('LHM011');
    expect(await lines(`${snapshot}---\n${set}`)).toEqual([]);
  });
});

describe('objects together', () => {
  const service = (app: string): string =>
    object('v1', 'Service', `spec: { selector: { app: ${app} }, ports: [{ port: 80 }] }\n`);

  it('reports a Service that selects none of the pods', async () => {
    expect(await lines(`${service('web')}---\n${WEB}`)).toEqual([]);
    expect((await lines(`${service('wbe')}---\n${WEB}`)).join()).toMatch(
      /4:19: error LHM013: .* Next: Did you mean app: web\?$/u,
    );
    expect((await lines(`${service('database')}---\n${WEB}`)).join()).toContain('warning LHM013');
    expect(await lines(service('wbe'))).toEqual([]);
  });

  it('reports a container that the pods of a snapshot do not have', async () => {
    const snapshot = (container: string): string =>
      object(
        'lifehook.dev/v1alpha1',
        'ApplicationSnapshot',
        `spec:
  source: { selector: { matchLabels: { app: web } } }
  executionHookInfos:
    - podSelector: { matchLabels: { app: web } }
      containerSelector: { ContainerName: ${container} }
      recipe: { name: redis-rdb }
`,
      );
    expect(await lines(`${snapshot('web')}---\n${WEB}`)).toEqual([]);
    expect((await lines(`${snapshot('wbe')}---\n${WEB}`)).join()).toMatch(
      /8:43: error LHM014: .* Next: Did you mean "web"\?$/u,
    );
  });

  it('reports a hook that may take longer than its stage', async () => {
    const lifecycle = (seconds: number): string =>
      object(
        'lifehook.dev/v1alpha1',
        'DeploymentLifecycle',
        `spec:
  deploymentName: web
  rollingUpdate:
    pre:
      timeoutSeconds: ${seconds}
      execNewPod: { containerName: web, command: [./migrate] }
`,
      );
    expect(await lines(`${lifecycle(600)}---\n${WEB}`)).toEqual([]);
    expect((await lines(`${lifecycle(601)}---\n${WEB}`)).join()).toContain('8:23: warning LHM015');
    const longer = WEB.replace('spec:\n', 'spec:\n  progressDeadlineSeconds: 700\n');
    expect(await lines(`${lifecycle(601)}---\n${longer}`)).toEqual([]);
  });

  it('reports a template and a claim that a schedule names and that are not among the files', async () => {
    const schedule = object(
      'lifehook.dev/v1alpha1',
      'SnapshotSchedule',
      `spec:
  schedule: '0 3 * * *'
  snapshotTemplate:
    spec:
      source: { persistentVolumeClaimNames: [data] }
      executionHookInfos:
        - executionHookTemplateName: freeze
          podSelector: { matchLabels: { app: web } }
`,
    );
    const found = (await lines(`${schedule}---\n${WEB}`)).join('\n');
    expect(found).toContain('names the PersistentVolumeClaim "data"');
    expect(found).toContain('names the ExecutionHookTemplate "freeze"');
  });

  it('reports a template that thaws before the deadline of the cut', async () => {
    const template = (seconds: number): string =>
      object(
        'lifehook.dev/v1alpha1',
        'ExecutionHookTemplate',
        `preAction: { exec: { command: [freeze] } }
postAction: { exec: { command: [thaw] } }
expirationSeconds: ${seconds}
`,
      );
    const snapshot = object(
      'lifehook.dev/v1alpha1',
      'ApplicationSnapshot',
      `spec:
  source: { selector: { matchLabels: { app: web } } }
  executionHookInfos:
    - executionHookTemplateName: one
      podSelector: { matchLabels: { app: web } }
`,
    );
    expect(await lines(`${snapshot}---\n${template(60)}`)).toEqual([]);
    expect((await lines(`${snapshot}---\n${template(59)}`)).join()).toContain(
      '7:34: warning LHM016',
    );
  });

  it('checks the hooks of the snapshots of a schedule like those of a snapshot', async () => {
    const template = object(
      'lifehook.dev/v1alpha1',
      'ExecutionHookTemplate',
      `preAction: { exec: { command: [freeze] } }
postAction: { exec: { command: [thaw] } }
expirationSeconds: 59
`,
    );
    const schedule = object(
      'lifehook.dev/v1alpha1',
      'SnapshotSchedule',
      `spec:
  schedule: '0 3 * * *'
  retention: { keepLast: 3 }
  snapshotTemplate:
    spec:
      source: { selector: { matchLabels: { app: web } } }
      executionHookInfos:
        - executionHookTemplateName: one
          podSelector: { matchLabels: { app: wep } }
`,
    );
    const found = (await lines(`${schedule}---\n${template}---\n${WEB}`)).join('\n');
    expect(found).toMatch(/11:38: warning LHM016/u);
    expect(found).toMatch(/: error LHM013: .* Did you mean app: web\?/u);
  });

  it('reports a document that is no object, and no empty one', async () => {
    expect(await lines(`---\n# nothing\n---\n${WEB}---\n`)).toEqual([]);
    expect(await lines(`${WEB}---\nError: it failed\n---\nit failed\n---\n[1]\n`)).toEqual([
      expect.stringContaining('m.yaml:15:1: error LHM008: Object: it has no'),
      expect.stringContaining('m.yaml:15:1: error LHM008: Object: it has no'),
      expect.stringMatching(/^m.yaml:17:1: error LHM008: .* no map/u),
      expect.stringMatching(/^m.yaml:19:1: error LHM008: .* no map/u),
    ]);
  });

  it('reports an object that replaces another of the same file', async () => {
    expect((await lines(`${WEB}---\n${WEB}`)).join()).toContain('19:9: warning LHM017');
    const { problems } = await lintFiles({ 'a.yaml': WEB, 'b.yaml': WEB });
    expect(problems).toEqual([]);
  });
});

describe('a template of another program', () => {
  const data = (text: string): string => object('v1', 'ConfigMap', `data:\n${text}`);

  it.each([
    'image: {{ .Values.image }}',
    'image: {{.Values.image}}',
    '- {{ .x }}',
    'a: {{ .x }}-b',
  ])('is no manifest with %s', async (line) => {
    expect((await lines(data(`  a:\n    ${line}\n`))).join()).toContain('LHM026');
  });

  it('is the text of a manifest in a block scalar or in quotes', async () => {
    const text = data(
      `  a: |\n    {{ define "title" }}\n    name: {{ .x }}\n    {{ end }}\n  b: '{{ .x }}'\n`,
    );
    expect(await lines(text)).toEqual([]);
  });

  it('is not what a binary file is that has two braces by chance', async () => {
    expect((await lines('{{\0\u0007[a: ]')).join()).toMatch(/LHG030.*Name a text file in UTF-8/u);
  });

  it('is not what a manifest is that is too long to be read', async () => {
    const text = data(`  a: '{{ .x }}'\n`).padEnd(DOCUMENTS_CHARACTERS_MAX + 1, '#');
    expect((await lines(text)).join()).toContain('LHG031');
  });
});
