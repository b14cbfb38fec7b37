/** Starts, exits, restarts and termination messages of containers. The cases are the same for every runner. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { Bench } from './pod-bench.ts';

const FOREVER = 'exec sleep 1000';

export function lifeCases(bench: () => Bench): void {
  test('init containers run in order, and sidecars run next to the main containers and stop after them', async () => {
    const { create, container, until, status, logs, at } = bench();
    const volumeMounts = [{ name: 'log', mountPath: at('log') }];
    const say = (word: string): string => `echo ${word} >>${at('log')}/said`;
    const part = (
      name: string,
      script: string,
      more: object = {},
    ): ReturnType<Bench['container']> => container(script, { name, volumeMounts, ...more });
    await create('ordered', {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      initContainers: [
        part('first', say('first')),
        part(
          'side',
          `trap "${say('side-ends')}; cat ${at('log')}/said; exit 0" TERM; ${say('side')}; while :; do sleep 0.1; done`,
          {
            restartPolicy: 'Always',
            startupProbe: {
              exec: { command: ['sh', '-c', `grep side ${at('log')}/said`] },
              periodSeconds: 1,
            },
          },
        ),
        part('second', say('second')),
      ],
      containers: [part('app', `${say('main')}; sleep 0.3; ${say('main-ends')}`)],
      volumes: [{ name: 'log', emptyDir: {} }],
    });
    const ended = await until('ordered', 'is over', (pod) => pod.status?.phase === 'Succeeded');
    expect((await logs('ordered', { container: 'side' })).split('\n')).toEqual([
      'first',
      'side',
      'second',
      'main',
      'main-ends',
      'side-ends',
      '',
    ]);
    expect(
      ended.status?.initContainerStatuses?.map(({ name, restartCount }) => [name, restartCount]),
    ).toEqual([
      ['first', 0],
      ['side', 0],
      ['second', 0],
    ]);
    expect(status(ended, 'first')?.state?.terminated?.exitCode).toBe(0);
  });

  test('a failing init container is retried, or fails a pod with restartPolicy Never', async () => {
    const { create, container, until, status } = bench();
    const containers = [container(FOREVER)];
    await create('init-fails', {
      restartPolicy: 'Never',
      containers,
      initContainers: [container('exit 3', { name: 'init' })],
    });
    const failed = await until('init-fails', 'has failed', (pod) => pod.status?.phase === 'Failed');
    expect(status(failed, 'init')?.state?.terminated?.exitCode).toBe(3);
    expect(status(failed)?.state?.running).toBeUndefined();
    await create('init-retries', {
      containers,
      initContainers: [container('exit 3', { name: 'init' })],
    });
    await until(
      'init-retries',
      'backs off',
      (pod) => status(pod, 'init')?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
  });

  test(
    'a failing container is restarted at once, then backs off, and its log and termination message are kept',
    { tags: 'kubectl' },
    async () => {
      const { create, container, until, status, cluster, logs } = bench();
      await create('crashes', {
        containers: [
          container('echo run; echo why it failed >&2; exit 3', {
            terminationMessagePolicy: 'FallbackToLogsOnError',
          }),
        ],
      });
      const waiting = await until(
        'crashes',
        'backs off',
        (pod) => status(pod)?.state?.waiting?.reason === 'CrashLoopBackOff',
      );
      expect(status(waiting)?.restartCount).toBe(1);
      expect(status(waiting)?.lastState?.terminated).toMatchObject({
        exitCode: 3,
        reason: 'Error',
      });
      expect(status(waiting)?.lastState?.terminated?.message).toContain('why it failed\n');
      await eventually('kubectl shows it', async () => {
        const { stdout } = await cluster.kubectl('get', 'pod', 'crashes');
        return stdout.includes('CrashLoopBackOff');
      });
      // The container may run again by now, and has the log of its new run before it has written anything.
      await eventually('its log is kept', async () => (await logs('crashes')).includes('run\n'));
      await eventually('and that of the run before', async () =>
        (await logs('crashes', { previous: true })).includes('run\n'),
      );
    },
  );

  test('a container in back-off reports the delay in its status, and an Event the back-off', async () => {
    const { create, container, until, status, events } = bench();
    await create('backs-off', { containers: [container('exit 3')] });
    const waiting = await until(
      'backs-off',
      'backs off',
      (pod) => status(pod)?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
    const pod = `backs-off_default(${waiting.metadata?.uid})`;
    expect(status(waiting)?.state?.waiting?.message).toBe(
      `back-off 10s restarting failed container=app pod=${pod}`,
    );
    const reported = `BackOff: Back-off restarting failed container app in pod ${pod}`;
    await eventually('it is told', async () => (await events('backs-off')).includes(reported));
  });

  test('a container writes its termination message to its file, cut to the last 4096 bytes', async () => {
    const { create, container, until, status, runner } = bench();
    const messageOf = (pod: Pod): string => status(pod)?.state?.terminated?.message ?? '';
    const file = runner === 'process' ? '"$LIFEHOOK_TERMINATION_MESSAGE"' : '/dev/termination-log';
    await create('says', {
      restartPolicy: 'Never',
      containers: [container(`echo to-the-log; printf done >${file}`)],
    });
    const said = await until('says', 'has ended', (pod) => pod.status?.phase === 'Succeeded');
    expect(status(said)?.state?.terminated).toMatchObject({
      exitCode: 0,
      reason: 'Completed',
      message: 'done',
    });
    await create('says-much', {
      restartPolicy: 'Never',
      containers: [container(`seq 5000 >${file}; exit 1`)],
    });
    const much = await until('says-much', 'has ended', (pod) => pod.status?.phase === 'Failed');
    expect(messageOf(much)).toHaveLength(4_096);
    expect(messageOf(much).endsWith('4999\n5000\n')).toBe(true);
  });

  test('a killed program counts as exit code 137, and a missing program is reported', async () => {
    const { create, container, until, status } = bench();
    // PID 1 of a PID namespace cannot kill itself with a signal, so a child does.
    await create('killed', {
      restartPolicy: 'Never',
      containers: [container('sh -c "kill -9 \\$\\$"; exit $?')],
    });
    const killed = await until('killed', 'has ended', (pod) => pod.status?.phase === 'Failed');
    expect(status(killed)?.state?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    await create('absent', {
      restartPolicy: 'Never',
      containers: [container('', { command: ['no-such-program'] })],
    });
    const absent = await until('absent', 'has ended', (pod) => pod.status?.phase === 'Failed');
    expect(status(absent)?.state?.terminated).toMatchObject({ reason: 'StartError' });
    expect(status(absent)?.state?.terminated?.message).toContain(
      'executable file not found in $PATH',
    );
  });

  test('the log of a container that never started is the reason', { tags: 'kubectl' }, async () => {
    const { create, container, until, status, cluster } = bench();
    const containers = [container('', { command: ['no-such-program'] })];
    await create('never-began', { restartPolicy: 'Never', containers });
    await create('never-begins', { containers });
    await until('never-began', 'has ended', (pod) => pod.status?.phase === 'Failed');
    await until(
      'never-begins',
      'backs off',
      (pod) => status(pod)?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
    for (const name of ['never-began', 'never-begins']) {
      for (const options of [[], ['--follow']]) {
        const { code, stderr } = await cluster.kubectl('logs', name, ...options);
        expect(code).toBe(1);
        expect(stderr).toMatch(
          new RegExp(`container "app" in pod "${name}" is terminated: .*executable file not found`),
        );
      }
    }
  });

  test('activeDeadlineSeconds fails the pod', async () => {
    const { create, container, until } = bench();
    await create('too-long', {
      activeDeadlineSeconds: 1,
      containers: [container('trap "exit 0" TERM; while :; do sleep 0.1; done')],
    });
    const { status } = await until(
      'too-long',
      'has failed',
      (pod) => pod.status?.phase === 'Failed',
    );
    expect(status?.reason).toBe('DeadlineExceeded');
  });
}
