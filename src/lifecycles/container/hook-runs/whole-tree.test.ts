import { describe, expect, it } from 'vitest';

import { nodeSupervision } from '../../../platform/node-supervision.ts';
import { posixError } from '../../../platform/posix-error.ts';
import type { RunningProcess } from '../../../platform/platform.ts';
import type { ShimProcesses } from '../../../platform/supervision.ts';
import { wholeTree } from './whole-tree.ts';

const leader = 100;

/** A leader with these descendants. Each SIGKILL removes one, and adds the next of `forks`. */
function standOf(living: Map<number, number>, forks: number[] = []) {
  const sent: string[] = [];
  const table = { isReadable: true };
  const running: RunningProcess = {
    pid: leader,
    exited: new Promise(() => undefined),
    signalGroup: (signal) => {
      sent.push(`group ${signal}`);
    },
    groupAlive: () => false,
  };
  const supervision: ShimProcesses = {
    ...nodeSupervision,
    descendants: ({ except }) => {
      if (!table.isReadable) throw posixError('EMFILE', 'too many open files');
      return [...living].flatMap(([pid, group]) =>
        except.has(pid) ? [] : [{ pid, group, number: pid, started: '1', name: 'sh\n' }],
      );
    },
    signalProcess: (pid, signal) => {
      sent.push(`${pid} ${signal}`);
      if (signal === 'SIGKILL') living.delete(pid);
      const fork = signal === 'SIGKILL' ? forks.shift() : undefined;
      if (fork !== undefined) living.set(fork, fork);
      return true;
    },
  };
  const processes = wholeTree({ spawn: () => running }, supervision);
  return { sent, table, spawn: () => processes.spawn({ file: '/hook', argv: ['hook'], env: {} }) };
}

describe('wholeTree', () => {
  it('signals the group once and every descendant outside it', () => {
    const living = new Map<number, number>();
    const { sent, spawn } = standOf(living);
    const tree = spawn();
    living.set(leader, leader).set(101, leader).set(102, 102);
    tree.signalGroup('SIGTERM');
    expect(sent).toEqual(['group SIGTERM', '102 SIGTERM']);
    expect(tree.reached?.()).toEqual(['102 (sh?)']);
    expect(tree.groupAlive()).toBe(true);
  });

  it('kills until nothing is left, also what was forked meanwhile', () => {
    const living = new Map<number, number>();
    const { sent, spawn } = standOf(living, [103, 104]);
    const tree = spawn();
    living.set(102, 102);
    tree.signalGroup('SIGKILL');
    expect(sent).toEqual(['group SIGKILL', '102 SIGKILL', '103 SIGKILL', '104 SIGKILL']);
    expect(tree.reached?.()).toEqual(['102 (sh?)', '103 (sh?)', '104 (sh?)']);
    expect(tree.groupAlive()).toBe(false);
  });

  it('leaves alone what an earlier hook has left in the background', () => {
    const { sent, spawn } = standOf(new Map([[50, 50]]));
    const tree = spawn();
    tree.signalGroup('SIGKILL');
    expect(sent).toEqual(['group SIGKILL']);
    expect(tree.groupAlive()).toBe(false);
  });

  it('counts as alive, and kills later, while its descendants cannot be listed', () => {
    const living = new Map<number, number>();
    const { sent, table, spawn } = standOf(living);
    const tree = spawn();
    living.set(102, 102);
    table.isReadable = false;
    expect(tree.groupAlive()).toBe(true);
    tree.signalGroup('SIGTERM');
    tree.signalGroup('SIGKILL');
    expect(tree.finishKill?.()).toBe(false);
    expect(sent).toEqual(['group SIGTERM', 'group SIGKILL']);
    table.isReadable = true;
    expect(tree.finishKill?.()).toBe(true);
    expect(sent.slice(2)).toEqual(['102 SIGKILL']);
    living.set(103, 103);
    expect([tree.finishKill?.(), sent.length]).toEqual([true, 3]);
  });

  it('starts nothing while it cannot see what runs in the background already', async () => {
    const { sent, table, spawn } = standOf(new Map([[50, 50]]));
    table.isReadable = false;
    const tree = spawn();
    await expect(tree.exited).rejects.toThrow('too many open files');
    tree.signalGroup('SIGKILL');
    expect([tree.pid, tree.groupAlive(), sent]).toEqual([0, false, []]);
  });
});
