import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterEach, describe, expect, test } from 'vitest';

import {
  type HookStand,
  hookStand,
  runningPod,
  scriptedCluster,
} from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { containerHook } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import type { ExecPort } from '../../../handlers/exec.ts';
import type { PodsLook } from './run-context.ts';

const stands: HookStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const containers = { namespaces: ['shop'], image: null, waitMs: 10_000 };

interface Called {
  readonly asked: string[];
  readonly exec: ExecPort;
}

/** Answers each command with the exit code that `codes` has for its container, or else 0, and with an output. */
function answering(codes: Readonly<Record<string, number>> = {}): Called {
  const asked: string[] = [];
  const exec: ExecPort = async ({ pod, container = '', command, onOutput }) => {
    asked.push(`${pod}/${container} ${command.join(' ')}`);
    await onOutput?.('stdout', new TextEncoder().encode('::set-env name=FOO::BAR'));
    return { outcome: 'exited', exitCode: codes[container] ?? 0 };
  };
  return { asked, exec };
}

function stand(pods: Parameters<typeof scriptedCluster>[0], exec: ExecPort): HookStand {
  const made = hookStand({ cluster: scriptedCluster(pods, exec) });
  stands.push(made);
  return made;
}

describe('container hooks of a list', () => {
  test('show and record no value of the Secrets that their container is given', async () => {
    const exec: ExecPort = async ({ onOutput }) => {
      for (const piece of ['it is hunt', 'er22, aHVudGVy', 'MjI=']) {
        await onOutput?.('stdout', new TextEncoder().encode(piece));
      }
      return { outcome: 'exited', exitCode: 3 };
    };
    const cluster = scriptedCluster(() => [runningPod('web-1', ['app'])], exec, ['hunter22']);
    const s = hookStand({ cluster });
    stands.push(s);
    await s.run([containerHook({ command: ['x'] }, { address: 'h' })], { containers });
    expect(s.lines()).toEqual(['h shop/web-1/app: it is ***, ***=']);
    expect(JSON.stringify([s.events, s.ledger.records])).not.toMatch(/hunter22|aHVudGVy/u);
  });

  test('PIPE-CASE26: run in order, also in different containers of one pod (PIPE-B1)', async () => {
    const { asked, exec } = answering();
    const s = stand(() => [runningPod('web-1', ['a', 'b'])], exec);
    const hooks = ['a', 'b', 'a'].map((containerName, index) =>
      containerHook(
        { command: [`h${index}`], podName: 'web-*', containerName },
        { address: `h${index}` },
      ),
    );
    expect(await s.run(hooks, { containers })).toMatchObject({ exitCode: 0 });
    expect(asked).toEqual(['web-1/a h0', 'web-1/b h1', 'web-1/a h2']);
  });

  test('run in parallel in all matching containers, with output that names its container and sets no value (1.7)', async () => {
    const pods = [runningPod('web-1', ['app']), runningPod('web-2', ['app'])];
    let bothStarted = (): void => undefined;
    const together = new Promise<void>((resolve) => {
      bothStarted = resolve;
    });
    const started: string[] = [];
    const s = stand(
      () => pods,
      async ({ pod, onOutput }) => {
        started.push(pod);
        if (started.length === 2) bothStarted();
        await together;
        await onOutput?.('stdout', new TextEncoder().encode('::set-env name=FOO::BAR'));
        return { outcome: 'exited', exitCode: 0 };
      },
    );
    const policy = { stdoutCommands: true };
    await s.run([containerHook({ command: ['x'] }, { address: 'h', policy })], { containers });
    // Sorted, since the order of output from parallel containers is not defined.
    expect(s.lines().toSorted()).toEqual([
      'h shop/web-1/app: ::set-env name=FOO::BAR',
      'h shop/web-2/app: ::set-env name=FOO::BAR',
    ]);
    expect(s.callbacks().filter((reported) => reported.endsWith('Completed'))).toHaveLength(2);
    expect(s.context.values.environment()).toEqual({});
  });

  test('PIPE-V2: report their type with each status, for each container', async () => {
    const s = stand(() => [runningPod('web-1', ['a', 'b'])], answering({ b: 3 }).exec);
    await s.run([containerHook({ command: ['x'] }, { address: 'h' })], { containers });
    const type = 'ContainerCallbackEvent';
    const ofContainer = (name: string): unknown[] =>
      s.events.filter((event) => event.type === type && event.container === `shop/web-1/${name}`);
    const hook = { type, callback: 'post-deploy', address: 'h' };
    expect(ofContainer('a')).toMatchObject([
      { ...hook, status: 'InProgress' },
      { ...hook, status: 'Completed', exitCode: 0 },
    ]);
    expect(ofContainer('b')).toMatchObject([
      { ...hook, status: 'InProgress' },
      { ...hook, status: 'Failed', exitCode: 3 },
    ]);
  });

  test('wait for containers that do not run yet (PIPE-B2)', async () => {
    let looks = 0;
    const { asked, exec } = answering();
    const s = stand(() => {
      looks += 1;
      return [runningPod('web-1', ['app'], looks < 3 ? 'waiting' : 'running')];
    }, exec);
    await s.run([containerHook({ command: ['x'] })], { containers });
    expect(asked).toEqual(['web-1/app x']);
    expect(looks).toBe(3);
  });

  test('have the rest of their timeout after this wait', async () => {
    const looksMs: number[] = [];
    const given: (number | null | undefined)[] = [];
    const s = stand(
      () => {
        looksMs.push(s.context.platform.clock.monotonicMs());
        return [runningPod('web-1', ['app'], looksMs.length < 2 ? 'waiting' : 'running')];
      },
      ({ timeoutMs }) => {
        given.push(timeoutMs);
        return Promise.resolve({ outcome: 'exited', exitCode: 0 });
      },
    );
    const policy = { timeoutSeconds: 60 };
    await s.run([containerHook({ command: ['x'] }, { policy })], { containers });
    const [firstMs = 0, lastMs = 0] = looksMs;
    expect(lastMs).toBeGreaterThan(firstMs);
    expect(given).toHaveLength(1);
    expect(given[0]).toBeLessThanOrEqual(60_000 - (lastMs - firstMs));
  });

  test('wait for pods of the deployment that are still to be created, and warn where they are not in time', async () => {
    let looks = 0;
    const { asked, exec } = answering();
    const s = stand(() => [runningPod('web-old', ['app'])], exec);
    const look = async (): Promise<PodsLook> => {
      looks += 1;
      return { pods: looks < 3 ? [] : [runningPod('web-new', ['app'])], isMissing: looks < 3 };
    };
    await s.run([containerHook({ command: ['x'] })], { containers: { ...containers, look } });
    expect(asked).toEqual(['web-new/app x']);
    expect(s.events.filter(({ type }) => type === 'Warning')).toEqual([]);

    const late = {
      ...containers,
      waitMs: 0,
      look: () => Promise.resolve({ pods: [], isMissing: true }),
    };
    await s.run([containerHook({ command: ['x'] })], { containers: late });
    expect(s.events).toContainEqual(expect.objectContaining({ code: 'LHL206' }));
    expect(asked).toHaveLength(1);
  });

  test('fail with the exit code of the container that failed, and retry only there', async () => {
    const { asked, exec } = answering({ b: 5 });
    const s = stand(() => [runningPod('web-1', ['a', 'b', 'c'])], exec);
    const policy = { retries: 1, backoffSeconds: 0 };
    const result = await s.run([containerHook({ command: ['x'] }, { policy })], { containers });
    expect(result.exitCode).toBe(5);
    expect(result.failure?.message).toContain('in shop/web-1/b: The command exited with code 5.');
    // The retry skips the containers in which the command has succeeded.
    expect(asked).toEqual(['web-1/a x', 'web-1/b x', 'web-1/c x', 'web-1/b x']);
  });

  test('run on a retry also in a pod that was created again with the same name', async () => {
    const pod = (name: string, uid: string): Pod => {
      const running = runningPod(name, ['app']);
      return { ...running, metadata: { ...running.metadata, uid } };
    };
    const asked: string[] = [];
    const s = stand(
      () => [pod('db-0', asked.length < 2 ? 'old' : 'new'), pod('db-1', 'same')],
      async ({ pod: name }) => {
        asked.push(name);
        return { outcome: 'exited', exitCode: name === 'db-1' ? 5 : 0 };
      },
    );
    const policy = { retries: 1, backoffSeconds: 0 };
    await s.run([containerHook({ command: ['x'] }, { policy })], { containers });
    expect(asked).toEqual(['db-0', 'db-1', 'db-0', 'db-1']);
  });

  test('PIPE-CASE31: warn when no container matches, and fail when a match is required', async () => {
    const s = stand(() => [], answering().exec);
    expect(await s.run([containerHook({ command: ['x'] })], { containers })).toMatchObject({
      exitCode: 0,
    });
    expect(s.callbacks()).toEqual(['deploy/kubectl/after/0 Skipped']);
    expect(s.events.filter(({ type }) => type === 'Warning')).toMatchObject([{ code: 'LHL202' }]);
    const required = containerHook({ command: ['x'] }, { policy: { required: true } });
    expect(await s.run([required], { containers })).toMatchObject({
      outcome: 'Failed',
      exitCode: 1,
    });
  });

  test('are cancelled, not successful, when a cancellation ends the wait for their container', async () => {
    const interrupt = new AbortController();
    const pods = (): ReturnType<typeof runningPod>[] => {
      interrupt.abort();
      return [runningPod('web-1', ['app'], 'waiting')];
    };
    const { asked, exec } = answering();
    const s = hookStand({ cluster: scriptedCluster(pods, exec), signal: interrupt.signal });
    stands.push(s);
    expect(await s.run([containerHook({ command: ['x'] })], { containers })).toMatchObject({
      outcome: 'Cancelled',
      exitCode: 130,
    });
    expect(asked).toEqual([]);
  });

  test.each(['changed', 'once-per-session'] as const)(
    'with `run: %s` run once a container exists, although the hook was skipped before for lack of one',
    async (run) => {
      let pods: ReturnType<typeof runningPod>[] = [];
      const { asked, exec } = answering();
      const s = stand(() => pods, exec);
      const hook = containerHook({ command: ['x'] }, { policy: { run, inputs: ['in'] } });
      const { history } = s.context;
      const facts = { goos: 'linux', cached: false, syncFiles: null, history } as const;
      const list = { containers, facts: { ...facts, digests: new Map([[hook.address, 'one']]) } };
      await s.run([hook], list);
      expect(s.callbacks()).toEqual(['deploy/kubectl/after/0 Skipped']);
      pods = [runningPod('web-1', ['app'])];
      await s.run([hook], list);
      await s.run([hook], list);
      expect(asked).toEqual(['web-1/app x']);
    },
  );

  test('fail without a cluster', async () => {
    const s = hookStand();
    stands.push(s);
    const result = await s.run([containerHook({ command: ['x'] })], { containers });
    expect(result.failure?.message).toContain('There is no cluster');
  });
});
