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
  ])('counts user bind mounts: %s', (_, mount, counts) => {
    expect(gatherFacts({ mounts: [mount] }).hasBindMounts).toBe(counts);
  });

  it('uses the facts of the caller instead of those of config.json', () => {
    const facts = gatherFacts(
      { mounts: [bind('/x')] },
      { hasBindMounts: false, annotations: { k: 'v' } },
    );
    expect(facts).toMatchObject({ hasBindMounts: false, annotations: { k: 'v' } });
  });
});
