import { describe, expect, it } from 'vitest';

import { lifecycleOf } from './status-of.ts';

describe('lifecycleOf', () => {
  it.each([
    ['deployment/web', 'rollout'],
    ['deploy/web', 'rollout'],
    ['deployments.apps/web', 'rollout'],
    ['Deployment/web', 'rollout'],
    ['appsnap/web', 'snapshot'],
    ['applicationsnapshots.lifehook.dev/web', 'snapshot'],
  ])('%s is an object of the lifecycle %s', (object, lifecycle) => {
    expect(lifecycleOf(object)).toEqual({ lifecycle, name: 'web' });
  });

  it.each(['web', 'pod/web', 'deployment/', 'deployment/a/b', ''])('refuses "%s"', (object) => {
    expect(() => lifecycleOf(object)).toThrow('LHG069');
  });
});
