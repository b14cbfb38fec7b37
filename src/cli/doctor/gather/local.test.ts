import { describe, expect, it } from 'vitest';

import { ownProcessOf } from './local.ts';

describe('a process of ours', () => {
  it.each([
    [['/p/shim/lifehook-supervise', '/s/process/containers/c1'], 'pod', '/s'],
    [
      ['node', '/p/supervise.js', '/s/runc/containers/c1', '/s/runc/lives/c1', '3', ''],
      'pod',
      '/s',
    ],
    [['node', '--no-warnings', '/p/serve.cjs', '/s', '{}'], 'cluster', '/s'],
    [
      ['node', '/p/supervise.js', '/run/lifehook/containers/web', '3'],
      'container',
      '/run/lifehook/containers/web',
    ],
  ] as const)('is known by %j', (argv, role, folder) => {
    expect(ownProcessOf(argv)).toEqual({ role, folder });
  });

  it.each([
    [[]],
    [['vi', 'supervise.js']],
    [['node', '/p/lifehook.js', 'doctor']],
    [['/p/shim/lifehook-supervise', '/tmp/keep-x1/c1']],
    [['/p/shim/lifehook-supervise', '/process/containers/c1']],
  ])('is not %j', (argv) => {
    expect(ownProcessOf(argv)).toBeNull();
  });
});
