import { describe, expect, it } from 'vitest';
import { gatherFacts } from './facts.ts';

const bind = (destination: string): unknown => ({ type: 'bind', source: '/x', destination });

describe('gatherFacts', () => {
  it('returns string annotations and process.args unchanged', () => {
    const config = { annotations: { a: 'é', n: 1 }, process: { args: ['sh', '-c'] } };
    expect(gatherFacts(config)).toEqual({
      annotations: { a: 'é' },
      args: ['sh', '-c'],
      hasBindMounts: false,
    });
  });

  it('distinguishes a missing process from one without arguments', () => {
    expect(gatherFacts({}).args).toBeUndefined();
    expect(gatherFacts({ process: {} }).args).toEqual([]);
  });

  it.each([
    ['a volume', bind('/data'), true],
    [
      'a mount of another type with the option rbind',
      { type: 'none', options: ['rbind'], destination: '/data' },
      true,
    ],
    ["the engine's own /etc/hosts", bind('/etc/hosts'), false],
    ["the engine's /dev/shm", bind('/dev/shm'), false],
    ['a directory whose name only starts like /dev', bind('/devices'), true],
    ['/proc', { type: 'proc', destination: '/proc' }, false],
    ['a tmpfs', { type: 'tmpfs', destination: '/tmp', options: ['nosuid'] }, false],
    ['nonsense', 'x', false],
    ['a mount with the option bind', { options: ['ro', 'bind'], destination: '/data' }, true],
    ['a bind mount without a destination', { type: 'bind' }, false],
    ['the hostname of the engine', bind('/etc/hostname'), false],
    ['the resolver of the engine', bind('/etc/resolv.conf'), false],
    ["podman's own mark", bind('/run/.containerenv'), false],
    ["podman's secrets", bind('/run/secrets'), false],
    ["docker's own mark", bind('/.dockerenv'), false],
    ['/proc itself', bind('/proc'), false],
    ['what is below /sys', bind('/sys/fs/cgroup'), false],
    ['a directory with such a name further down', bind('/srv/proc/x'), true],
    ['another file of /etc', bind('/etc/hosts.allow'), true],
  ])('counts user bind mounts: %s', (_, mount, counts) => {
    expect(gatherFacts({ mounts: [mount] }).hasBindMounts).toBe(counts);
  });

  it('ignores annotations, arguments and mounts that are no such things', () => {
    expect(gatherFacts({ annotations: ['x'], process: { args: 'sh' }, mounts: {} })).toEqual({
      annotations: {},
      args: [],
      hasBindMounts: false,
    });
    const process = { args: ['sh', 1, null, '-c'] };
    expect(gatherFacts({ process, annotations: null })).toEqual({
      annotations: {},
      args: ['sh', '-c'],
      hasBindMounts: false,
    });
    expect(gatherFacts({ process: 'sh' }).args).toBeUndefined();
  });

  it('counts one bind mount among others', () => {
    expect(gatherFacts({ mounts: [bind('/etc/hosts'), bind('/data')] }).hasBindMounts).toBe(true);
  });

  it('uses the facts of the caller instead of those of config.json', () => {
    const facts = gatherFacts(
      { mounts: [bind('/x')] },
      { hasBindMounts: false, annotations: { k: 'v' } },
    );
    expect(facts).toMatchObject({ hasBindMounts: false, annotations: { k: 'v' } });
  });
});
