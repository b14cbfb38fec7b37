/** Tests the stop of a pod with sidecars (POD-K32), in simulated time. */
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';

const preStop = { preStop: { exec: { command: ['flush'] } } };
const sidecar = (name: string) => ({ name, restartPolicy: 'Always' });
const flushing = (name: string) => ({ ...sidecar(name), lifecycle: preStop });
const flushes = (takes: number) => ({ commands: { flush: { takes } } });
const deaf = { onTerm: 'never' } as const;

/** The events of the stop, from the deletion at 1 s on. */
async function stopped(bench: PodBench, grace: number): Promise<readonly string[]> {
  await bench.pass(1);
  const before = bench.seen.length;
  bench.delete(grace);
  await bench.pass(100);
  return bench.seen.slice(before);
}

describe('a pod with sidecars that is deleted', () => {
  test('POD-K32: stops its main containers first, then its sidecars in reverse order', async () => {
    const bench = new PodBench({
      spec: { initContainers: [sidecar('one'), sidecar('two')] },
      containers: [{ name: 'web' }],
      programs: { web: { onTerm: 1 }, one: { onTerm: 1 }, two: { onTerm: 1 } },
    });
    expect(await stopped(bench, 30)).toEqual([
      '1.0 web TERM',
      '2.0 web ended',
      '2.0 two TERM',
      '3.0 two ended',
      '3.0 one TERM',
      '4.0 one ended',
    ]);
  });

  test('POD-K32: begins the preStop hooks of all of its containers at once', async () => {
    const bench = new PodBench({
      spec: { initContainers: [flushing('one'), flushing('two')] },
      containers: [{ name: 'web', lifecycle: preStop }],
      programs: { web: flushes(3), one: flushes(1), two: flushes(5) },
    });
    expect(await stopped(bench, 30)).toEqual([
      '1.0 one exec flush',
      '1.0 two exec flush',
      '1.0 web exec flush',
      '4.0 web TERM',
      '4.0 web ended',
      '6.0 two TERM',
      '6.0 two ended',
      '6.0 one TERM',
      '6.0 one ended',
    ]);
  });

  test('does not wait for a main container that waits for its restart', async () => {
    const bench = new PodBench({
      spec: { initContainers: [flushing('log')] },
      containers: [{ name: 'web' }],
      programs: { web: { exitsAfter: 0.3, exitCode: 1 }, log: flushes(2) },
    });
    expect(await stopped(bench, 30)).toEqual([
      '1.0 log exec flush',
      '3.0 log TERM',
      '3.0 log ended',
    ]);
  });

  test('does not wait with a sidecar for an init container', async () => {
    const bench = new PodBench({
      spec: { initContainers: [sidecar('log'), { name: 'migrate' }] },
      containers: [{ name: 'web' }],
      programs: { migrate: { onTerm: 4 } },
    });
    expect(await stopped(bench, 30)).toEqual([
      '1.0 log TERM',
      '1.0 migrate TERM',
      '1.0 log ended',
      '5.0 migrate ended',
    ]);
  });

  test('POD-P2: shares its grace period with its sidecars, which all get TERM when it is over', async () => {
    const bench = new PodBench({
      spec: { initContainers: [sidecar('one'), flushing('two')] },
      containers: [{ name: 'web' }],
      programs: { web: deaf, one: deaf, two: { ...deaf, ...flushes(3) } },
    });
    const seen = await stopped(bench, 10);
    expect(seen.filter((line) => !line.includes('ended')).toSorted()).toEqual([
      '1.0 two exec flush',
      '1.0 web TERM',
      '11.0 one TERM',
      '11.0 two TERM',
      '11.0 web KILL',
      '13.0 one KILL',
      '13.0 two KILL',
    ]);
  });

  test('sends no TERM to a sidecar that ends while it waits for its turn', async () => {
    const bench = new PodBench({
      spec: { initContainers: [sidecar('log')] },
      containers: [{ name: 'web' }],
      programs: { web: { onTerm: 5 }, log: { exitsAfter: 3 } },
    });
    expect(await stopped(bench, 30)).toEqual(['1.0 web TERM', '3.0 log ended', '6.0 web ended']);
  });

  test('waits on for the turn of a sidecar after a restart of the node', async () => {
    const bench = new PodBench({
      spec: { initContainers: [flushing('log')] },
      containers: [{ name: 'web' }],
      programs: { web: { onTerm: 5 }, log: flushes(1) },
    });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(2);
    bench.restartNode();
    await bench.pass(100);
    expect(bench.seen.filter((line) => line.includes('log')).slice(1)).toEqual([
      '1.0 log exec flush',
      '6.0 log TERM',
      '6.0 log ended',
    ]);
  });

  test('POD-G4: a second and shorter deletion ends the wait of a sidecar', async () => {
    const bench = new PodBench({
      spec: { initContainers: [sidecar('log')] },
      containers: [{ name: 'web' }],
      programs: { web: deaf },
    });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(1);
    bench.delete(3);
    await bench.pass(60);
    expect(bench.seen).toContain('5.0 log TERM');
  });
});

describe('a pod with sidecars that is over', () => {
  test('begins the hooks of all of its sidecars at once when its main containers have ended', async () => {
    const bench = new PodBench({
      spec: { restartPolicy: 'Never', initContainers: [flushing('one'), flushing('two')] },
      containers: [{ name: 'web' }],
      programs: { web: { exitsAfter: 1 }, one: flushes(1), two: flushes(2) },
    });
    await bench.pass(60);
    expect(bench.seen.slice(4)).toEqual([
      '1.0 one exec flush',
      '1.0 two exec flush',
      '3.0 two TERM',
      '3.0 two ended',
      '3.0 one TERM',
      '3.0 one ended',
    ]);
  });

  test('begins the hooks of its sidecars with the stop of the last main container', async () => {
    const liveness = { exec: { command: ['check'] }, periodSeconds: 1, failureThreshold: 1 };
    const bench = new PodBench({
      spec: { restartPolicy: 'Never', initContainers: [flushing('log')] },
      containers: [{ name: 'web', lifecycle: preStop, livenessProbe: liveness }],
      programs: {
        web: { commands: { flush: { takes: 3 }, check: { takes: 0, exitCode: 1 } } },
        log: flushes(1),
      },
    });
    await bench.pass(60);
    expect(bench.seen.filter((line) => line.includes('flush'))).toHaveLength(2);
    const begun = bench.seen.filter((line) => line.includes('flush')).map((l) => l.split(' ')[0]);
    expect(new Set(begun).size).toBe(1);
  });

  test('shares one grace period among its sidecars', async () => {
    const bench = new PodBench({
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 10,
        initContainers: [sidecar('first'), sidecar('second')],
      },
      containers: [{ name: 'web' }],
      programs: { first: deaf, second: { onTerm: 6 }, web: { exitsAfter: 5 } },
    });
    await bench.pass(60);
    expect(bench.seen.slice(3)).toEqual([
      '5.0 web ended',
      '5.0 second TERM',
      '11.0 second ended',
      '11.0 first TERM',
      '15.0 first KILL',
      '15.0 first ended',
    ]);
  });

  test('gives its grace period to the hook of a sidecar, and 2 s from TERM on', async () => {
    const bench = new PodBench({
      spec: {
        terminationGracePeriodSeconds: 4,
        activeDeadlineSeconds: 5,
        initContainers: [flushing('side')],
      },
      containers: [{ name: 'web' }],
      programs: { side: { ...deaf, ...flushes(1) }, web: deaf },
    });
    await bench.pass(60);
    expect(bench.seen.slice(2).toSorted()).toEqual([
      '11.0 side KILL',
      '11.0 side ended',
      '5.0 side exec flush',
      '5.0 web TERM',
      '9.0 side TERM',
      '9.0 web KILL',
      '9.0 web ended',
    ]);
    expect(bench.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });
});
