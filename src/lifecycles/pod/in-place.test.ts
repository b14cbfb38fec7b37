/** Tests changes of a running pod, in simulated time. */
import type { Container, ResourceRequirements } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { type BenchOptions, PodBench } from '../../../test/sim/pod/pod-bench.ts';

const memory = (amount: string): ResourceRequirements => ({ limits: { memory: amount } });
const RESTARTS = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
const web = { name: 'web', image: 'one', resources: memory('64Mi') };
const log = { ...web, name: 'log', restartPolicy: 'Always' };

/** Changes a container of the pod, as a user would. */
function change(bench: PodBench, name: string, more: Partial<Container>): void {
  const { containers = [], initContainers = [] } = bench.pod.spec ?? {};
  const changed = (list: Container[]): Container[] =>
    list.map((one) => (one.name === name ? { ...one, ...more } : one));
  bench.pod = {
    ...bench.pod,
    metadata: { ...bench.pod.metadata, generation: 2 },
    spec: {
      ...bench.pod.spec,
      containers: changed(containers),
      initContainers: changed(initContainers),
    },
  };
  bench.worker.update(bench.pod);
}

async function running(options: BenchOptions): Promise<PodBench> {
  const bench = new PodBench(options);
  await bench.pass(1);
  return bench;
}

const resizing = ({ status }: PodBench): boolean =>
  (status.conditions ?? []).some(({ type }) => type.startsWith('PodResize'));

describe('a container that runs', () => {
  test('has the resources of a resize at once, without a restart', async () => {
    const requests = { cpu: '1' };
    const bench = await running({ containers: [web] });
    change(bench, 'web', { resources: { requests } });
    await bench.pass(1);
    expect(bench.seen).toEqual(['0.0 web started']);
    expect(bench.status.containerStatuses).toMatchObject([
      { allocatedResources: requests, resources: { requests } },
    ]);
    expect(resizing(bench)).toBe(false);
    const reported =
      '{"containers":[{"name":"web","resources":{"requests":{"cpu":"1"}}}],"generation":2}';
    expect(bench.events.slice(-2)).toEqual([
      `ResizeStarted : Pod resize started: ${reported}`,
      `ResizeCompleted : Pod resize completed: ${reported}`,
    ]);
  });

  test('is restarted for a resource whose policy asks for it, with its hook and its grace', async () => {
    const preStop = { exec: { command: ['flush'] } };
    const container = { ...web, resizePolicy: RESTARTS, lifecycle: { preStop } };
    const bench = await running({
      spec: { restartPolicy: 'Never' },
      containers: [container],
      programs: { web: { onTerm: 2, commands: { flush: { takes: 3 } } } },
    });
    change(bench, 'web', { resources: memory('80Mi') });
    await bench.pass(1);
    expect(resizing(bench)).toBe(true);
    expect(bench.status.containerStatuses).toMatchObject([{ resources: memory('64Mi') }]);
    await bench.pass(10);
    expect(bench.seen.slice(1)).toEqual([
      '1.0 web exec flush',
      '4.0 web TERM',
      '6.0 web ended',
      '6.0 web started',
    ]);
    expect(bench.status.containerStatuses).toMatchObject([
      { restartCount: 1, resources: memory('80Mi') },
    ]);
    expect(resizing(bench)).toBe(false);
    expect(bench.events.join()).toContain('Container web resize requires restart');
  });

  test('is not restarted for another resource than the one of its policy', async () => {
    const bench = await running({ containers: [{ ...web, resizePolicy: RESTARTS }] });
    change(bench, 'web', { resources: { limits: { memory: '64Mi', cpu: '1' } } });
    await bench.pass(5);
    expect(bench.seen).toEqual(['0.0 web started']);
  });

  test('is restarted for a resource that it has only requested so far', async () => {
    const requested = (amount: string): ResourceRequirements => ({ requests: { memory: amount } });
    const container = { ...web, resources: requested('1Mi'), resizePolicy: RESTARTS };
    const bench = await running({ containers: [container], programs: { web: { onTerm: 0 } } });
    change(bench, 'web', { resources: { requests: { memory: '1Mi', cpu: '1' } } });
    await bench.pass(5);
    expect(bench.seen).toEqual(['0.0 web started']);
    change(bench, 'web', { resources: { ...requested('1Mi'), limits: { memory: '2Mi' } } });
    await bench.pass(5);
    expect(bench.seen.slice(1).filter((line) => line.endsWith('started'))).toHaveLength(1);
  });

  test('has new requests at once, and new limits from its next start on, where limits mean something', async () => {
    const bench = new PodBench({ containers: [web], programs: { web: { exitsAfter: 10 } } });
    bench.runtime.setsLimits = true;
    await bench.pass(1);
    change(bench, 'web', { resources: { ...memory('64Mi'), requests: { cpu: '1' } } });
    await bench.pass(1);
    expect(resizing(bench)).toBe(false);
    change(bench, 'web', { resources: memory('80Mi') });
    await bench.pass(1);
    const deferred = {
      type: 'PodResizePending',
      status: 'True',
      reason: 'Deferred',
      message:
        'the limits of container web are set when it starts: the resize waits for its next start',
    };
    expect(bench.status.conditions).toContainEqual(expect.objectContaining(deferred));
    expect(bench.status.containerStatuses).toMatchObject([{ resources: memory('64Mi') }]);
    expect(bench.events.at(-1)).toBe(`ResizeDeferred : ${deferred.message}`);
    await bench.pass(8);
    expect(bench.status.containerStatuses).toMatchObject([
      { restartCount: 1, resources: memory('80Mi') },
    ]);
    expect(JSON.stringify(bench.status)).not.toContain('PodResize');
    expect(bench.events.join()).toContain('Pod resize completed');
  });

  test('has the resources of a resize that was asked for while the node was down', async () => {
    const bench = await running({ containers: [web] });
    bench.restartNode();
    change(bench, 'web', { resources: memory('80Mi') });
    bench.restartNode();
    await bench.pass(1);
    expect(bench.seen).toEqual(['0.0 web started']);
    expect(bench.status.containerStatuses).toMatchObject([{ resources: memory('80Mi') }]);
    expect(JSON.stringify(bench.status)).not.toContain('PodResize');
  });

  test('is restarted with its new image, whatever its policy', async () => {
    const bench = await running({
      spec: { restartPolicy: 'Never' },
      containers: [web],
      programs: { web: { onTerm: 1 } },
    });
    change(bench, 'web', { image: 'two' });
    await bench.pass(5);
    expect(bench.seen.slice(1)).toEqual(['1.0 web TERM', '2.0 web ended', '2.0 web started']);
    expect(bench.status.containerStatuses).toMatchObject([{ image: 'two', restartCount: 1 }]);
    expect(bench.events.join()).toContain('Container web definition changed, will be restarted');
    expect(bench.events.join()).not.toContain('Resize');
  });

  test('keeps the image of its sidecar until that exits by itself', async () => {
    const bench = await running({
      spec: { initContainers: [log] },
      containers: [web],
      programs: { log: { exitsAfter: 4 } },
    });
    change(bench, 'log', { image: 'two' });
    await bench.pass(1);
    expect(bench.status.initContainerStatuses).toMatchObject([{ image: 'one', restartCount: 0 }]);
    await bench.pass(3);
    expect(bench.status.initContainerStatuses).toMatchObject([{ image: 'two', restartCount: 1 }]);
  });

  test('is restarted once for a resize that the restart of the node has interrupted', async () => {
    const bench = await running({
      containers: [{ ...web, resizePolicy: RESTARTS }],
      programs: { web: { onTerm: 4 } },
    });
    bench.restartNode();
    change(bench, 'web', { resources: memory('80Mi') });
    await bench.pass(1);
    bench.restartNode();
    await bench.pass(20);
    expect(bench.seen.filter((line) => line.includes('started'))).toHaveLength(2);
    expect(bench.status.containerStatuses).toMatchObject([
      { restartCount: 1, resources: memory('80Mi') },
    ]);
  });

  test('is not started again when its pod is deleted during the restart', async () => {
    const bench = await running({
      containers: [{ ...web, resizePolicy: RESTARTS }],
      programs: { web: { onTerm: 3 } },
    });
    change(bench, 'web', { resources: memory('80Mi') });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(20);
    expect(bench.seen.slice(1)).toEqual(['1.0 web TERM', '4.0 web ended']);
    expect(bench.events.join()).not.toContain('ResizeCompleted');
  });

  test('is restarted after a failed liveness probe on failure, though it exits with 0', async () => {
    let checks = 0;
    const check = (): { takes: number; exitCode: number } => ({
      takes: 0,
      exitCode: (checks += 1) === 1 ? 1 : 0,
    });
    const livenessProbe = { exec: { command: ['check'] }, periodSeconds: 2, failureThreshold: 1 };
    const preStop = { exec: { command: ['flush'] } };
    const bench = await running({
      spec: { restartPolicy: 'OnFailure' },
      containers: [{ ...web, livenessProbe, lifecycle: { preStop } }],
      // The program exits with 0 while its preStop hook runs.
      programs: { web: { exitsAfter: 3, commands: { check, flush: { takes: 60 } } } },
    });
    await bench.pass(4);
    expect(bench.status.containerStatuses).toMatchObject([
      { restartCount: 1, lastState: { terminated: { exitCode: 0 } } },
    ]);
  });
});
