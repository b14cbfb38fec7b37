/** Tests the events of a stop about its preStop hook, and the effect of a restart of the node, in simulated time. */
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';

const withHook = (preStop: object): object => ({ name: 'web', lifecycle: { preStop } });
const flush = { exec: { command: ['flush'] } };
const FAILED = 'FailedPreStopHook web: PreStopHook failed:';

async function stopped(bench: PodBench, grace: number): Promise<readonly string[]> {
  await bench.pass(1);
  bench.delete(grace);
  await bench.pass(100);
  return bench.events.slice(2);
}

describe('the events of a stop', () => {
  test('are that it is killed, and no warning', async () => {
    const bench = new PodBench({ containers: [withHook({ sleep: { seconds: 2 } })] });
    expect(await stopped(bench, 30)).toEqual(['Killing web: Stopping container web']);
    expect([...bench.warnings]).toEqual([]);
  });

  test('POD-K18: name a port that the hook cannot resolve, and TERM follows at once', async () => {
    const bench = new PodBench({ containers: [withHook({ httpGet: { port: 'admin' } })] });
    expect(await stopped(bench, 30)).toEqual([
      'Killing web: Stopping container web',
      `${FAILED} couldn't find port "admin" in container web: it names none`,
    ]);
    expect([...bench.warnings]).toEqual(['FailedPreStopHook']);
    expect(bench.seen[1]).toBe('1.0 web TERM');
  });

  test('POD-K6: say that the grace period was over before the command', async () => {
    const programs = { web: { commands: { flush: { takes: 30 } } } };
    const bench = new PodBench({ containers: [withHook(flush)], programs });
    expect((await stopped(bench, 5)).slice(1)).toEqual([
      `${FAILED} the grace period ended before the command of the hook did`,
    ]);
    expect([...bench.warnings]).toEqual(['FailedPreStopHook']);
  });

  test('POD-K9: say that the container ended before its command', async () => {
    const programs = { web: { exitsAfter: 3, commands: { flush: { takes: 30 } } } };
    const bench = new PodBench({ containers: [withHook(flush)], programs });
    const [, event = ''] = await stopped(bench, 30);
    expect(event.startsWith(FAILED)).toBe(true);
    expect(bench.seen.at(-1)).toBe('3.0 web ended');
  });

  test('say that the container ended before the answer to its request', async () => {
    const bench = new PodBench({
      containers: [withHook({ httpGet: { port: 80 } })],
      programs: { web: { exitsAfter: 3 } },
      httpGet: () => new Promise(() => {}),
    });
    expect((await stopped(bench, 30)).slice(1)).toEqual([
      `${FAILED} container terminated before its preStop hook finished`,
    ]);
  });
});

describe('a sleep that continues after a restart of the node', () => {
  const sleeping = withHook({ sleep: { seconds: 10 } });

  test('continues after a second one, too', async () => {
    const bench = new PodBench({ containers: [sleeping] });
    await bench.pass(1);
    bench.delete(30);
    for (const seconds of [3, 3]) {
      await bench.pass(seconds);
      bench.restartNode();
    }
    await bench.pass(60);
    expect(bench.seen[1]).toBe('11.0 web TERM');
    expect(bench.events.join()).not.toContain('FailedPreStopHook');
  });

  test('does not begin again if it was over before', async () => {
    const bench = new PodBench({ containers: [sleeping], programs: { web: { onTerm: 5 } } });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(12);
    bench.restartNode();
    await bench.pass(60);
    expect(bench.seen.slice(1)).toEqual(['11.0 web TERM', '13.0 web TERM', '16.0 web ended']);
  });

  test('POD-H1: does not continue once more after the grace has cut it short', async () => {
    const livenessProbe = {
      exec: { command: ['check'] },
      failureThreshold: 1,
      terminationGracePeriodSeconds: 3,
    };
    const bench = new PodBench({
      containers: [{ ...sleeping, livenessProbe }],
      programs: { web: { onTerm: 'never', commands: { check: { takes: 0, exitCode: 1 } } } },
    });
    await bench.pass(1);
    bench.restartNode();
    await bench.pass(4);
    bench.restartNode();
    await bench.pass(1);
    expect(bench.seen.filter((line) => line.endsWith('TERM'))).toEqual([
      '4.0 web TERM',
      '5.0 web TERM',
    ]);
  });

  test('is no longer than it was asked for if the clock is set back meanwhile', async () => {
    const bench = new PodBench({ containers: [sleeping] });
    await bench.pass(1);
    bench.delete(300);
    await bench.pass(2);
    bench.world.setClock(-3_600_000);
    bench.restartNode();
    await bench.pass(60);
    expect(bench.seen[1]).toBe('13.0 web TERM');
  });
});
