import { expect, it } from 'vitest';

import { posixError } from '../platform/posix-error.ts';
import type { SupervisorHost } from '../platform/supervisor-host.ts';
import { endAll, endVisitor, signalContainer } from './process-tree.ts';

/** The supervisor 1, whose children cannot be read this many times. A killed process disappears. */
function openHost(children: Map<number, number[]>, { failures }: { failures: number }) {
  const steps: string[] = [];
  let left = failures;
  let nowMs = 0;
  const host = {
    pid: 1,
    clock: { monotonicMs: () => nowMs },
    print: (stream: string, text: string) => steps.push(`${stream}: ${text}`),
    timers: {
      after: (ms: number, callback: () => void) => {
        nowMs += ms;
        queueMicrotask(callback);
        return () => undefined;
      },
    },
    io: {
      childrenOf: (pid: number) => {
        left -= 1;
        if (left >= 0) throw posixError('EMFILE', 'too many open files');
        return children.get(pid) ?? [];
      },
      signal: (pid: number, signal: string) => {
        steps.push(`${signal} to ${pid}`);
        for (const [parent, pids] of children) {
          children.set(
            parent,
            pids.filter((one) => one !== pid),
          );
        }
      },
    },
  } as unknown as SupervisorHost;
  return { host, steps };
}

it('kills the remaining processes as soon as they can be listed, even if that is late', async () => {
  const { host, steps } = openHost(new Map([[1, [8]]]), { failures: 5000 });
  await endAll(host, { first: 7 });
  expect(steps).toEqual([
    'SIGKILL to -7',
    'stderr: The processes of the container cannot be listed yet: too many open files. The supervisor retries until they can, and then kills them.\n',
    'SIGKILL to 8',
  ]);
});

it('gives up a process that no kill ends', async () => {
  const { host, steps } = openHost(new Map(), { failures: 0 });
  host.io.childrenOf = (pid) => (pid === 1 ? [8] : []);
  await endAll(host, { first: null });
  expect(steps).toHaveLength(2000);
});

it('kills the first process of a container whose processes cannot be listed', () => {
  const { host, steps } = openHost(new Map([[7, [8]]]), { failures: 5 });
  signalContainer(host, { first: 7 }, 'SIGKILL');
  expect(steps).toEqual(['SIGKILL to 7']);
});

it('kills a command with its descendants once they can be listed', async () => {
  const { host, steps } = openHost(new Map([[7, [8]]]), { failures: 3 });
  await endVisitor(host, 7, () => true);
  expect(steps).toEqual(['SIGKILL to -7', 'SIGKILL to 8']);
});

it('signals a command no more that has exited meanwhile', async () => {
  const { host, steps } = openHost(new Map([[7, [8]]]), { failures: 3 });
  let checks = 0;
  await endVisitor(host, 7, () => {
    checks += 1;
    return checks < 3;
  });
  expect(steps).toEqual([]);
});

it('reports a command that it cannot kill, and fails nothing else', async () => {
  const { host, steps } = openHost(new Map(), { failures: 0 });
  host.io.childrenOf = () => {
    throw new TypeError('the list is broken');
  };
  await endVisitor(host, 7, () => true);
  expect(steps).toEqual([
    'stderr: The command of process 7 was not killed: the list is broken. It is killed when the container ends.\n',
  ]);
});
