import { expect, it } from 'vitest';

import { LABELS } from './install-options.ts';
import { userRoles } from './roles.ts';

const INTO = 'rbac.authorization.k8s.io/aggregate-to-';

it('viewers may read all kinds, and editors may write all kinds except HookRuns', () => {
  const written = [
    'executionhooks',
    'executionhooktemplates',
    'applicationsnapshots',
    'snapshotschedules',
    'snapshotrestores',
    'snapshotguards',
    'deploymentlifecycles',
  ];
  const change = ['create', 'update', 'patch', 'delete', 'deletecollection'];
  const facts = userRoles().map(({ metadata, rules }) => [metadata?.name, metadata?.labels, rules]);
  expect(facts).toEqual([
    [
      'lifehook-view',
      { ...LABELS, [`${INTO}view`]: 'true' },
      [
        {
          apiGroups: ['lifehook.dev'],
          resources: expect.arrayContaining([...written, 'hookruns']) as string[],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    ],
    [
      'lifehook-edit',
      { ...LABELS, [`${INTO}edit`]: 'true', [`${INTO}admin`]: 'true' },
      [{ apiGroups: ['lifehook.dev'], resources: written, verbs: change }],
    ],
  ]);
});
