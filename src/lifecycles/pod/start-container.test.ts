/** Tests the events of the start of a container, and the reasons to stop it early, in simulated time. */
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';
import { StartError } from '../../platform/container-runtime.ts';

const NEVER = { restartPolicy: 'Never' };
const withHook = (postStart: object): object => ({ name: 'web', lifecycle: { postStart } });
const warm = { exec: { command: ['warm'] } };

describe('the events of a start', () => {
  test('are that the container was created and started', async () => {
    const bench = new PodBench({ containers: [{ name: 'web' }] });
    await bench.pass(1);
    expect(bench.events).toEqual([
      'Created web: Container created',
      'Started web: Container started',
    ]);
    expect([...bench.warnings]).toEqual([]);
  });

  test('are two warnings for an image that is missing, as those of the kubelet', async () => {
    const error = new StartError('ErrImageNeverPull', 'Container image "x" is not present');
    const bench = new PodBench({ containers: [{ name: 'web' }], missing: () => error });
    await bench.pass(1);
    expect(bench.events).toEqual([
      'ErrImageNeverPull web: Container image "x" is not present',
      'Failed web: Error: ErrImageNeverPull',
    ]);
    expect([...bench.warnings]).toEqual(['ErrImageNeverPull', 'Failed']);
  });

  test('are a warning of the pod for a volume, and one of the container for all else', async () => {
    const of = async (error: Error): Promise<PodBench> => {
      const bench = new PodBench({ containers: [{ name: 'web' }], missing: () => error });
      await bench.pass(1);
      return bench;
    };
    const mount = await of(new StartError('FailedMount', 'no volume'));
    expect([mount.events, [...mount.warnings]]).toEqual([
      ['FailedMount : no volume'],
      ['FailedMount'],
    ]);
    const other = await of(new Error('the disk is full'));
    expect([other.events, [...other.warnings]]).toEqual([
      ['Failed web: Error: the disk is full'],
      ['Failed'],
    ]);
    expect(other.status.containerStatuses?.[0]?.state).toEqual({
      waiting: { reason: 'CreateContainerError', message: 'the disk is full' },
    });
  });

  test('are none once the pod was deleted before there was a process', async () => {
    const bench = new PodBench({ containers: [{ name: 'web' }], preparesFor: 3 });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(10);
    expect([bench.seen, bench.events]).toEqual([[], []]);
    expect(bench.status.containerStatuses?.[0]?.restartCount).toBe(0);
  });
});

describe('a postStart hook', () => {
  test('POD-K2: that fails is a warning, without the output of its command', async () => {
    const bench = new PodBench({
      spec: NEVER,
      containers: [withHook(warm)],
      programs: { web: { commands: { warm: { takes: 1, exitCode: 1 } } } },
    });
    await bench.pass(5);
    expect(bench.events.slice(2)).toEqual([
      'FailedPostStartHook web: PostStartHook failed: warm in the container exited with code 1.',
      'Killing web: FailedPostStartHook',
    ]);
    expect([...bench.warnings]).toEqual(['FailedPostStartHook']);
  });

  test('POD-K24: that cannot run is a warning with its reason', async () => {
    const bench = new PodBench({ spec: NEVER, containers: [withHook({ tcpSocket: { port: 1 } })] });
    await bench.pass(5);
    expect(bench.events[2]).toBe(
      'FailedPostStartHook web: PostStartHook failed: invalid handler: it is none of exec, httpGet and sleep',
    );
    expect([...bench.warnings]).toEqual(['FailedPostStartHook']);
  });

  test('fails if its container ends before it', async () => {
    const bench = new PodBench({
      spec: NEVER,
      containers: [withHook(warm)],
      programs: { web: { exitsAfter: 2, commands: { warm: { takes: 60 } } } },
    });
    await bench.pass(5);
    expect(bench.events).toContain(
      'FailedPostStartHook web: PostStartHook failed: the container exited before its hook ended',
    );
    expect(bench.status.phase).toBe('Succeeded');
  });

  test.each([
    ['its process was being started', false],
    ['the node was down', true],
  ])('POD-T3: does not begin in a pod that was deleted while %s', async (_, isDown) => {
    const bench = new PodBench({ containers: [withHook(warm)] });
    const start = bench.runtime.start.bind(bench.runtime);
    let answer = (): void => undefined;
    bench.runtime.start = async (spec) => {
      const container = await start(spec);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return container;
    };
    await bench.pass(1);
    bench.delete(30);
    if (isDown) bench.restartNode();
    else answer();
    await bench.pass(5);
    expect(bench.seen).toEqual(['0.0 web started', '1.0 web TERM', '1.0 web ended']);
  });

  test('that only sleeps has nothing to fail at when its container ends', async () => {
    const bench = new PodBench({
      spec: NEVER,
      containers: [withHook({ sleep: { seconds: 60 } })],
      programs: { web: { exitsAfter: 2 } },
    });
    await bench.pass(5);
    expect(bench.seen).toEqual(['0.0 web started', '2.0 web ended']);
    expect(bench.events).toHaveLength(2);
    expect(bench.status.phase).toBe('Succeeded');
  });

  test('is called off by the deletion of its pod, without an event', async () => {
    const bench = new PodBench({
      containers: [withHook(warm)],
      programs: { web: { onTerm: 1, commands: { warm: { takes: 60 } } } },
    });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(10);
    expect(bench.seen.slice(1)).toEqual(['0.0 web exec warm', '1.0 web TERM', '2.0 web ended']);
    expect(bench.events.join()).not.toContain('FailedPostStartHook');
  });
});
