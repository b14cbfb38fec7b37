/** Tests the findings about mistakes within one object: code, place, next step. */
import { describe, expect, it, test } from 'vitest';

import { change, lines, lintText, object, WEB } from '../../../../test/fixtures/lint-stand.ts';
import { lintManifests } from './lint-manifests.ts';

it('finds no problem in a valid manifest', async () => {
  expect(await lines(WEB)).toEqual([]);
});

it('accepts a namespace of a kind that has none, as a server does, which ignores it', async () => {
  const role = object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'rules: []\n');
  expect(await lines(role.replace('name: one', 'name: one, namespace: shop'))).toEqual([]);
});

it('accepts what a server accepts and the local cluster does not', async () => {
  const rule = 'action: RestartAllContainers, exitCodes: { operator: In, values: [1] }';
  const rules = `restartPolicy: Never\n          restartPolicyRules: [{ ${rule} }]`;
  expect(await lines(change('image: nginx', `image: nginx\n          ${rules}`))).toEqual([]);
});

it('reports at most fifty faults of the shape of one object', async () => {
  const fields = Array.from({ length: 60 }, (_, index) => `x${index}: 1`).join(', ');
  const many = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one }\n${fields.replaceAll(', ', '\n')}\n`;
  expect(await lines(many)).toHaveLength(50);
});

it('gives advice for a fault of an object as a whole', async () => {
  const text = 'x'.repeat(1_048_577);
  const large = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one }\ndata: { a: ${text} }\n`;
  const [found] = (await lintText(large)).problems;
  expect(found?.message).toMatch(
    /The API server would refuse this object: Too long: must have at most 1048576 bytes\.$/,
  );
  expect(found?.next).toBe('Correct it.');
});

test.each([
  ['preStop:', 'preStpo:', '14:13', 'LHM001', 'lifecycle.preStpo', 'Did you mean preStop?'],
  ['image: nginx', 'imgae: nginx', '12:11', 'LHM001', 'containers[0].imgae', 'Did you mean image?'],
  [
    'image: nginx',
    'image: nginx\n          terminationGracePeriodSeconds: 60',
    '13:11',
    'LHM001',
    'containers[0].terminationGracePeriodSeconds',
    'It belongs to spec.template.spec: move it there.',
  ],
  [
    'spec:\n  selector',
    'spec:\n  containers: []\n  selector',
    '6:3',
    'LHM001',
    'spec.containers',
    'It belongs to spec.template.spec: move it there.',
  ],
  [
    'selector:',
    'replicas: "3"\n  selector:',
    '6:13',
    'LHM002',
    'received the text "3"',
    'Remove the quotes: 3.',
  ],
  [
    'image: nginx',
    'image: nginx\n          env: [{ name: PORT, value: 8080 }]',
    '13:38',
    'LHM002',
    'must be a string; received 8080',
    'Put it in quotes: "8080".',
  ],
  [
    'containers:\n        - name',
    'containers:\n          name',
    '11:11',
    'LHM002',
    'must be a list; received a map',
    'Begin each item with "- ".',
  ],
  [
    '{ app: web } }\n    spec',
    '{ app: wbe } }\n    spec',
    '8:25',
    'LHM003',
    '`selector` does not match',
    '',
  ],
  [
    'name: web\nspec',
    'name: Web_1\nspec',
    '4:9',
    'LHM003',
    'metadata.name: Invalid value: "Web_1"',
    '',
  ],
  [
    'apps/v1',
    'apps/v2',
    '1:13',
    'LHM005',
    'of Kubernetes 1.37, is apps/v1',
    'Write apiVersion: apps/v1.',
  ],
  [
    'apps/v1',
    'apps/v1beta1',
    '1:13',
    'LHM006',
    'removed from Kubernetes in 1.16',
    'Write apiVersion: apps/v1,',
  ],
  ['apps/v1', 'v1', '1:13', 'LHM004', 'v1 has no kind "Deployment"', 'Write apiVersion: apps/v1.'],
  [
    'apps/v1',
    'app/v1',
    '1:13',
    'LHM004',
    'no API group "app"',
    'Did you mean apiVersion: apps/v1?',
  ],
  [
    'Deployment',
    'Deploymnet',
    '2:7',
    'LHM004',
    'has no kind "Deploymnet"',
    'Did you mean Deployment?',
  ],
  [
    'apiVersion',
    'apiVerison',
    '1:1',
    'LHM008',
    'it has no apiVersion',
    'Write apiVersion instead of apiVerison.',
  ],
])('finds what replacing %j by %j breaks', async (...row) => {
  const [from, to, place, code, message, next] = row;
  const [first = '', ...rest] = await lines(change(from, to));
  expect([first.startsWith(`m.yaml:${place}: error ${code}: `), rest]).toEqual([true, []]);
  expect(first).toContain(message);
  expect(first).toContain(` Next: ${next}`);
});

test.each([
  ['batch/v1beta1', 'CronJob', 'LHM006', 'in 1.25', 'Write apiVersion: batch/v1,'],
  ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'LHM006', 'in 1.26', 'autoscaling/v2,'],
  ['policy/v1beta1', 'PodSecurityPolicy', 'LHM006', 'in 1.25', 'Pod Security labels'],
  [
    'flowcontrol.apiserver.k8s.io/v1beta3',
    'FlowSchema',
    'LHM006',
    'in 1.32',
    'flowcontrol.apiserver.k8s.io/v1,',
  ],
  ['networking.k8s.o/v1', 'Ingress', 'LHM004', 'no API group', 'networking.k8s.io/v1?'],
  [
    'lifehook.dev/v2',
    'DeploymentLifecycle',
    'LHM005',
    'newest that is known is lifehook.dev/v1alpha1',
    'lifehook.dev/v1alpha1.',
  ],
  [
    'lifehook.dev/v1alpha1',
    'DeploymentLifecyle',
    'LHM004',
    'has no kind',
    'Did you mean DeploymentLifecycle?',
  ],
])('refuses %s %s', async (...row) => {
  const [apiVersion, kind, code, message, next] = row;
  const [first = '', ...rest] = await lines(object(apiVersion, kind));
  expect(rest).toEqual([]);
  expect(first).toContain(`error ${code}: `);
  expect(first).toContain(message);
  expect(first).toContain(next);
});

describe('a lint for an older server', () => {
  it('refuses fields and kinds that it does not have', async () => {
    const young = change('image: nginx', 'image: nginx\n          restartPolicyRules: []');
    expect(await lines(young, { serverMinor: 34 })).toEqual([]);
    expect((await lines(young, { serverMinor: 33 })).join()).toContain(
      '13:11: error LHM007: Deployment web: Kubernetes 1.33 has no field',
    );
    const kind = object('networking.k8s.io/v1', 'ServiceCIDR', 'spec: { cidrs: [10.0.0.0/24] }\n');
    expect((await lines(kind, { serverMinor: 31 })).join()).toContain(
      'has no networking.k8s.io/v1 ServiceCIDR: 1.33 is the first that has it. Next: Write apiVersion: networking.k8s.io/v1beta1.',
    );
  });

  it('accepts what was removed later', async () => {
    const old = object('storage.k8s.io/v1beta1', 'VolumeAttributesClass');
    expect(await lines(old, { serverMinor: 36 })).toEqual([]);
    expect((await lines(old)).join()).toContain('LHM006');
  });

  it('accepts a kind that was removed after its version, also if that version is not known', async () => {
    const old = object('autoscaling/v2beta2', 'HorizontalPodAutoscaler');
    expect(await lines(old, { serverMinor: 25 })).toEqual([]);
    expect((await lines(old, { serverMinor: 26 })).join()).toContain(
      'removed from Kubernetes in 1.26',
    );
  });

  it.each([
    [28, '1.28 and 1.30', 'oldest', '1.30'],
    [50, '1.37 and 1.50', 'newest', '1.37'],
  ])('says what was not checked for 1.%i, and what was', async (...row) => {
    const [minor, both, which, used] = row;
    expect(await lines(WEB, { serverMinor: minor })).toEqual([]);
    const { skipped } = await lintText(WEB, { serverMinor: minor });
    expect(skipped).toEqual([
      {
        path: `differences in kinds and fields between Kubernetes ${both}`,
        reason: `${used} is the ${which} known release, so kinds and fields were checked against ${used}, and the rules of pod hooks against 1.${minor}`,
      },
    ]);
  });

  it('says nothing about a known version, or where there is no object', async () => {
    for (const serverMinor of [30, 37, null]) {
      expect((await lintText(WEB, { serverMinor })).skipped).toEqual([]);
    }
    const { skipped } = await lintText('{}', { serverMinor: 28 });
    expect(skipped.map(({ path }) => path).join()).not.toContain('kinds and fields');
  });
});

describe('a patch of a kustomization', () => {
  const patch = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec: { template: { spec: { containers: [{ name: web, $patch: delete }], volumez: [] } } }
`;

  it('may be a list of operations in a file that the user named', async () => {
    const operations = '- { op: remove, path: /spec }\n';
    const files = [{ file: 'p.yaml', text: operations, isNamed: true, isPatch: true }];
    const settings = { serverMinor: null, drainSeconds: null, strict: false, generated: [] };
    const { problems, skipped } = await lintManifests(files, settings);
    expect([problems, skipped]).toEqual([
      [],
      [{ path: 'p.yaml', reason: 'not a Kubernetes object' }],
    ]);
  });

  it('needs no more than what it changes', async () => {
    const files = [{ file: 'p.yaml', text: patch, isNamed: false, isPatch: true }];
    const settings = { serverMinor: null, drainSeconds: null, strict: false, generated: [] };
    const { problems } = await lintManifests(files, settings);
    expect(problems.map(({ path }) => path)).toEqual(['spec.template.spec.volumez']);
  });
});
