import { expect, it } from 'vitest';

import { restorePermissions, snapshotPermissions } from './permissions.ts';

const permissions = [...snapshotPermissions, ...restorePermissions];

it('the controllers may only update a status, since they never read or patch one alone (SNAP-G23)', () => {
  const statuses = permissions.filter(({ resource }) => resource.endsWith('/status'));
  expect(statuses).toHaveLength(5);
  for (const { verbs } of statuses) expect(verbs).toEqual(['update']);
});

it('the controllers may not replace whole objects, since they patch them (SNAP-G23)', () => {
  const updated = permissions.filter(({ verbs }) => verbs.includes('update'));
  const others = updated.filter(({ resource }) => !/\/(status|finalizers)$/.test(resource));
  expect(others).toEqual([]);
});
