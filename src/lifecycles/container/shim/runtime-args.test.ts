import { describe, expect, it } from 'vitest';

import { createsContainer, readRuntimeCall } from './runtime-args.ts';

const bundleOf = (...args: string[]): string | null | undefined => readRuntimeCall(args).bundle;

describe('readRuntimeCall', () => {
  it.each([
    [['create', '--bundle', '/b', 'id'], '/b'],
    [['create', '--bundle=/b', 'id'], '/b'],
    [['create', '-b', '/b', 'id'], '/b'],
    [['create', '-b=/b', 'id'], '/b'],
    [['create', '-bundle', '/b', 'id'], '/b'],
    [['create', '-bundle=/b', 'id'], '/b'],
    [['create', '-b/b', 'id'], '/b'],
    [['create', 'id', '--bundle', '/b'], '/b'],
    [['create', 'id'], undefined],
    [['create', '--bundle', 'create', 'id'], 'create'],
    [['run', '--pid-file', '/p', '--bundle', '/b', 'id'], '/b'],
    [['run', '--pid-file', '--bundle', '/b', 'id'], undefined],
    [['create', '--bundle', '/a', '--bundle', '/b', 'id'], '/b'],
    [['create', '--', '--bundle'], undefined],
    [['create', '--bundle='], undefined],
    [['create', 'id', '--bundle'], null],
  ])('reads the bundle of %j (OCI-CASE35)', (args, bundle) => {
    expect(bundleOf(...args)).toBe(bundle);
  });

  it.each([
    ['create', ['create', 'id']],
    ['create', ['--root', 'run', 'create', 'id']],
    ['create', ['-root=/r', '--log', 'create', '--debug', 'create', 'id']],
    ['state', ['--log-format', 'json', 'state', 'create']],
    ['run', ['--cgroup-manager', 'systemd', '--systemd-cgroup', 'run', 'id']],
    ['delete', ['--rootless=true', '--criu', 'create', 'delete', '--force', 'id']],
    ['', ['--version']],
    ['', []],
  ])('finds the command %s in %j', (command, args) => {
    const call = readRuntimeCall(args);
    expect(call.command).toBe(command);
    expect(createsContainer(call)).toBe(command === 'create' || command === 'run');
  });

  it('reads the log file of the caller, in both formats', () => {
    expect(readRuntimeCall(['--log', '/l', '--log-format=json', 'create', 'id']).log).toEqual({
      file: '/l',
      json: true,
    });
    expect(readRuntimeCall(['--log=/l', 'create', 'id']).log).toEqual({ file: '/l', json: false });
  });

  it('reads the container, the descriptors and the other config file', () => {
    const call = readRuntimeCall(['create', '--preserve-fds', '2', '-f', 'other.json', 'id']);
    expect(call).toMatchObject({ containerId: 'id', preserveFds: 2, configFile: 'other.json' });
  });

  it.each([
    [['delete', '-f', 'id']],
    [['delete', 'id', '-f']],
    [['delete', '--force', 'id']],
    [['start', 'id']],
  ])('reads the container of %j, in which -f has no value', (args) => {
    expect(readRuntimeCall(args)).toMatchObject({ containerId: 'id', configFile: undefined });
  });
});
