import { describe, expect, it } from 'vitest';

import { ownProcessOf } from './local.ts';

describe('a process of ours', () => {
  it.each([
    [['/p/shim/lifehook-keep', '/s/process/containers/c1'], 'keeper', '/s'],
    [['/usr/bin/node', '/p/keep.js', '/s/runc/containers/c1', ''], 'keeper', '/s'],
    [['node', '--no-warnings', '/p/serve.cjs', '/s', '{}'], 'cluster', '/s'],
    [
      ['node', '/p/supervise.js', '/run/lifehook/containers/web', '3'],
      'supervisor',
      '/run/lifehook/containers/web',
    ],
  ] as const)('is known by %j', (argv, role, folder) => {
    expect(ownProcessOf(argv)).toEqual({ role, folder });
  });

  it.each([
    [[]],
    [['vi', 'keep.js']],
    [['node', '/p/lifehook.js', 'doctor']],
    [['/p/shim/lifehook-keep', '/tmp/keep-x1/c1']],
    [['/p/shim/lifehook-keep', '/process/containers/c1']],
  ])('is not %j', (argv) => {
    expect(ownProcessOf(argv)).toBeNull();
  });
});
