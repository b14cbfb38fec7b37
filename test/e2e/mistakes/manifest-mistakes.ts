/** Mistakes in one object: names of fields, types, kinds and versions. */
import { deployment, type Change } from './shop-manifests.ts';
import type { Mistake } from './mistake.ts';

type Said = Pick<Mistake, 'title' | 'code' | 'says' | 'next'> & { readonly at: string };

function mistaken(change: Change, said: Said): Mistake {
  return {
    ...said,
    at: `web.yaml:${said.at}`,
    files: { 'web.yaml': deployment(change) },
    command: ['lint', 'web.yaml'],
    exitCode: 1,
  };
}

export const manifestMistakes: readonly Mistake[] = [
  mistaken(['preStop:', 'preStpo:'], {
    title: 'a misspelt preStop hook',
    code: 'LHM001',
    at: '15:13',
    says: ['Deployment web', 'lifecycle.preStpo'],
    next: 'Did you mean preStop?',
  }),
  {
    ...mistaken(['preStop:', 'preStpo:'], {
      title: 'a misspelt preStop hook to the lint of pods',
      code: 'LHM001',
      at: '15:13',
      says: ['lifecycle.preStpo'],
      next: 'Did you mean preStop?',
    }),
    command: ['pod', 'lint', 'web.yaml'],
  },
  {
    ...mistaken(['image:', 'imgae:'], {
      title: 'a misspelt field on standard input',
      code: 'LHM001',
      at: '12:11',
      says: ['containers[0].imgae'],
      next: 'Did you mean image?',
    }),
    stdin: deployment(['image:', 'imgae:']),
    at: 'stdin:12:11',
    command: ['lint', '-'],
  },
  mistaken(['image: nginx', 'image: nginx\n          terminationGracePeriodSeconds: 60'], {
    title: 'a field of the pod in a container',
    code: 'LHM001',
    at: '13:11',
    says: ['containers[0].terminationGracePeriodSeconds'],
    next: 'It belongs to spec.template.spec',
  }),
  mistaken(['replicas: 2', 'replicas: "2"'], {
    title: 'a number in quotes',
    code: 'LHM002',
    at: '5:13',
    says: ['spec.replicas must be a whole number'],
    next: 'Remove the quotes: 2.',
  }),
  mistaken(['image: nginx', 'image: nginx\n          env: [{ name: PORT, value: 80 }]'], {
    title: 'a variable whose value is a number',
    code: 'LHM002',
    at: '13:38',
    says: ['env[0].value must be a string'],
    next: 'Put it in quotes: "80".',
  }),
  mistaken(['containers:\n        - name', 'containers:\n          name'], {
    title: 'containers that are no list',
    code: 'LHM002',
    at: '11:11',
    says: ['containers must be a list'],
    next: 'Begin each item with "- ".',
  }),
  mistaken(['{ app: web } }\n    spec', '{ app: shop } }\n    spec'], {
    title: 'a selector that does not match the labels of the template',
    code: 'LHM003',
    at: '8:25',
    says: ['`selector` does not match template `labels`'],
    next: 'Correct spec.template.metadata.labels.',
  }),
  mistaken(['seconds: 10', 'seconds: 45'], {
    title: 'a sleep that is longer than the grace period',
    code: 'LHP004',
    at: '15:42',
    says: ['terminationGracePeriodSeconds (30)'],
    next: 'Raise terminationGracePeriodSeconds to 45 or more',
  }),
  mistaken(['kind: Deployment', 'kind: Deploymnet'], {
    title: 'a misspelt kind',
    code: 'LHM004',
    at: '2:7',
    says: ['no kind "Deploymnet"'],
    next: 'Did you mean Deployment?',
  }),
  mistaken(['apiVersion: apps/v1', 'apiVersion: v1'], {
    title: 'a kind in the wrong group',
    code: 'LHM004',
    at: '1:13',
    says: ['v1 has no kind "Deployment"'],
    next: 'Write apiVersion: apps/v1.',
  }),
  mistaken(['apiVersion: apps/v1', 'apiVersion: apps/v2'], {
    title: 'an apiVersion from the future',
    code: 'LHM005',
    at: '1:13',
    says: ['apps/v2', 'newest that is known', 'apps/v1'],
    next: 'Write apiVersion: apps/v1.',
  }),
  mistaken(['apiVersion: apps/v1', 'apiVersion: extensions/v1beta1'], {
    title: 'an apiVersion that was removed',
    code: 'LHM006',
    at: '1:13',
    says: ['was removed from Kubernetes in 1.16'],
    next: 'Write apiVersion: apps/v1,',
  }),
  mistaken(['apiVersion: apps', 'apiVerison: apps'], {
    title: 'a misspelt apiVersion',
    code: 'LHM008',
    at: '1:1',
    says: ['it has no apiVersion'],
    next: 'Write apiVersion instead of apiVerison.',
  }),
  {
    ...mistaken(['image: nginx', 'image: nginx\n          restartPolicyRules: []'], {
      title: 'a field that the oldest server does not have',
      code: 'LHM007',
      at: '13:11',
      says: ['Kubernetes 1.33 has no field', '1.34 is the first'],
      next: 'raise --server-version',
    }),
    command: ['lint', '--server-version', '1.33', 'web.yaml'],
  },
  {
    ...mistaken(['apiVersion: apps/v1', 'apiVersion: example.com/v1'], {
      title: 'a custom kind without its definition where the files are all there is',
      code: 'LHM009',
      at: '2:7',
      says: ['the definition of example.com/v1 Deployment is not among the files'],
      next: 'CustomResourceDefinition',
    }),
    command: ['lint', '--strict', 'web.yaml'],
  },
];
