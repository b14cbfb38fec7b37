import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { runProgram } from '../program.ts';
import { lifecycleOf } from './run-status.ts';

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

  it.each([
    'deployments.example.com/web',
    'deployment.apps.example.com/web',
    'applicationsnapshots.apps/web',
    'deploy.lifehook.dev/web',
  ])('refuses "%s", which is of another API group', (object) => {
    expect(() => lifecycleOf(object)).toThrow('LHG069');
  });

  it.each(['deployments.v1.apps/web', 'deployment.v1.apps/web'])(
    '%s has a version, as for kubectl',
    (object) => {
      expect(lifecycleOf(object)).toEqual({ lifecycle: 'rollout', name: 'web' });
    },
  );

  it.each(['web', 'pod/web', 'deployment/', 'deployment/a/b', ''])('refuses "%s"', (object) => {
    expect(() => lifecycleOf(object)).toThrow('LHG069');
  });
});

describe('lifehook status', () => {
  let said = '';

  beforeEach(() => {
    said = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const status = (...args: string[]): Promise<number> => runProgram(['status', ...args]);

  it('reads an object from the cluster of --kubeconfig', async () => {
    expect(await status('deployment/web', '--kubeconfig', '/no/such/kubeconfig')).toBe(1);
    expect(said).toContain('/no/such/kubeconfig');
  });

  it.each([
    [['deployment/web', '--kubeconfig'], '--kubeconfig needs a file'],
    [['deployment/web', '--cluster', 'dev'], '--cluster selects a local cluster'],
    [['deployment/web', '--state-dir', '/srv/a'], '--state-dir selects a local cluster'],
    [['--kubeconfig', '/no/such/kubeconfig'], '--kubeconfig has a file'],
    [['-n', 'shop'], '--namespace needs an object'],
  ])('refuses %j, and says why', async (args, why) => {
    expect(await status(...args)).toBe(2);
    expect(said).toContain(why);
  });
});
