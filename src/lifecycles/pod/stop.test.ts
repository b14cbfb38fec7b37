/** Tests the stop of a pod, in simulated time: POD-SL6 to POD-SL12, and the POD-K cases of a stop. */
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';

const sleeping = (seconds: number) => ({
  name: 'web',
  lifecycle: { preStop: { sleep: { seconds } } },
});
const exec = (...command: string[]) => ({
  name: 'web',
  lifecycle: { preStop: { exec: { command } } },
});

async function stopped(bench: PodBench, grace: number, seconds = 100): Promise<readonly string[]> {
  await bench.pass(1);
  bench.delete(grace);
  await bench.pass(seconds);
  return bench.seen;
}

describe('a pod that is deleted', () => {
  test('POD-K26: with a sleep of 5 s and a grace period of 30 s gets TERM at 5 s', async () => {
    const seen = await stopped(new PodBench({ containers: [sleeping(5)] }), 30);
    expect(seen).toEqual(['0.0 web started', '6.0 web TERM', '6.0 web ended']);
  });

  test.each([1, 2, 3])('sleeps exactly %i s before TERM', async (seconds) => {
    const seen = await stopped(new PodBench({ containers: [sleeping(seconds)] }), 30);
    expect(seen[1]).toBe(`${1 + seconds}.0 web TERM`);
  });

  test('POD-K27: with a sleep as long as the grace period gets TERM after it and KILL 2 s later', async () => {
    const bench = new PodBench({
      containers: [sleeping(5)],
      programs: { web: { onTerm: 'never' } },
    });
    expect(await stopped(bench, 5)).toEqual([
      '0.0 web started',
      '6.0 web TERM',
      '8.0 web KILL',
      '8.0 web ended',
    ]);
    expect(bench.events.join()).not.toContain('FailedPreStopHook');
  });

  test('POD-SL8: with a sleep beyond the grace period gets TERM at the grace period, without an event', async () => {
    const bench = new PodBench({ containers: [sleeping(20)] });
    expect((await stopped(bench, 3))[1]).toBe('4.0 web TERM');
    expect(bench.events.join()).not.toContain('FailedPreStopHook');
  });

  test('POD-SL9: a sleep of 0 does not wait', async () => {
    expect((await stopped(new PodBench({ containers: [sleeping(0)] }), 30))[1]).toBe(
      '1.0 web TERM',
    );
  });

  test('POD-K31: does not sleep while the feature gate is off at the node', async () => {
    const bench = new PodBench({ containers: [sleeping(5)], sleepEnabled: false });
    expect((await stopped(bench, 30))[1]).toBe('1.0 web TERM');
  });

  test('POD-SL8: by force runs no preStop hook', async () => {
    const bench = new PodBench({
      containers: [exec('flush')],
      programs: { web: { onTerm: 'never' } },
    });
    expect(await stopped(bench, 0)).toEqual([
      '0.0 web started',
      '1.0 web TERM',
      '3.0 web KILL',
      '3.0 web ended',
    ]);
  });

  test('POD-K10, POD-SL11: stops at once when its container exits during the sleep', async () => {
    const bench = new PodBench({
      containers: [sleeping(20)],
      programs: { web: { exitsAfter: 4 } },
    });
    let over = false;
    const markOver = async (): Promise<void> => {
      await bench.worker.over;
      over = true;
    };
    void markOver();
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(3.1);
    expect(over).toBe(true);
    expect(bench.seen).toEqual(['0.0 web started', '4.0 web ended']);
    expect(bench.events).toContain(
      'FailedPreStopHook web: PreStopHook failed: container terminated before sleep hook finished',
    );
  });

  test('POD-K11, POD-SL12: whose container has exited before runs no preStop hook', async () => {
    const bench = new PodBench({
      spec: { restartPolicy: 'Never' },
      containers: [exec('flush')],
      programs: { web: { exitsAfter: 0.5 } },
    });
    expect(await stopped(bench, 30)).toEqual(['0.0 web started', '0.5 web ended']);
  });

  test('POD-K5, POD-S4: with an exec of 3 s and a grace period of 10 s gets KILL at 10 s if it ignores TERM', async () => {
    const web = { onTerm: 'never', commands: { flush: { takes: 3 } } } as const;
    const bench = new PodBench({ containers: [exec('flush')], programs: { web } });
    expect(await stopped(bench, 10)).toEqual([
      '0.0 web started',
      '1.0 web exec flush',
      '4.0 web TERM',
      '11.0 web KILL',
      '11.0 web ended',
    ]);
  });

  test('POD-SL7: has the whole seconds of the hook deducted from its grace period', async () => {
    const web = { onTerm: 'never', commands: { flush: { takes: 3.7 } } } as const;
    const bench = new PodBench({ containers: [exec('flush')], programs: { web } });
    expect(await stopped(bench, 10)).toContain('11.7 web KILL');
  });

  test('POD-K6, POD-S4: with an exec of 30 s and a grace period of 5 s gets TERM at 5 s, KILL at 7 s, and an event', async () => {
    const web = { onTerm: 'never', commands: { flush: { takes: 30 } } } as const;
    const bench = new PodBench({ containers: [exec('flush')], programs: { web } });
    expect((await stopped(bench, 5)).slice(2)).toEqual([
      '6.0 web TERM',
      '8.0 web KILL',
      '8.0 web ended',
    ]);
    expect(bench.events.join()).toContain('FailedPreStopHook');
  });

  test('POD-K4: whose exec fails is stopped, with an event without output', async () => {
    const web = { commands: { flush: { takes: 1, exitCode: 1 } } };
    const bench = new PodBench({ containers: [exec('flush')], programs: { web } });
    expect((await stopped(bench, 10))[2]).toBe('2.0 web TERM');
    expect(bench.events).toContain(
      'FailedPreStopHook web: PreStopHook failed: flush in the container exited with code 1.',
    );
  });

  test('POD-K7: with an HTTP hook beyond the grace period is stopped at the grace period, without an event', async () => {
    const container = {
      name: 'web',
      lifecycle: { preStop: { httpGet: { port: 80, path: '/stop' } } },
    };
    const bench = new PodBench({
      containers: [container],
      programs: { web: { onTerm: 'never' } },
      httpGet: () => new Promise(() => {}),
    });
    expect((await stopped(bench, 6)).slice(1)).toEqual([
      '7.0 web TERM',
      '9.0 web KILL',
      '9.0 web ended',
    ]);
    expect(bench.events.join()).not.toContain('FailedPreStopHook');
  });

  test('shortens a running sleep after a second delete with a shorter grace period', async () => {
    const bench = new PodBench({ containers: [sleeping(20)] });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(5);
    bench.delete(3);
    await bench.pass(20);
    expect(bench.seen[1]).toBe('9.0 web TERM');
  });

  test('gets KILL earlier after a second delete with a shorter grace period', async () => {
    const bench = new PodBench({
      containers: [{ name: 'web' }],
      programs: { web: { onTerm: 'never' } },
    });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(5);
    bench.delete(1);
    await bench.pass(60);
    expect(bench.seen.slice(1)).toEqual(['1.0 web TERM', '7.0 web KILL', '7.0 web ended']);
  });

  test('ignores a second delete with a longer grace period', async () => {
    const bench = new PodBench({ containers: [sleeping(5)] });
    await bench.pass(1);
    bench.delete(10);
    await bench.pass(1);
    bench.delete(300);
    await bench.pass(60);
    expect(bench.seen[1]).toBe('6.0 web TERM');
  });

  test('continues a sleep after a node restart', async () => {
    const bench = new PodBench({ containers: [sleeping(10)] });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(4);
    bench.restartNode();
    await bench.pass(60);
    expect(bench.seen[1]).toBe('11.0 web TERM');
  });

  test('does not run an exec hook twice after a node restart', async () => {
    const web = { commands: { flush: { takes: 3 } } };
    const bench = new PodBench({ containers: [exec('flush')], programs: { web } });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(1);
    bench.restartNode();
    await bench.pass(60);
    expect(bench.seen.filter((line) => line.includes('exec'))).toHaveLength(1);
    expect(bench.seen.at(-1)).toContain('web ended');
  });

  test('POD-G4: shortens a sleep after a node restart and a second delete', async () => {
    const bench = new PodBench({ containers: [sleeping(20)] });
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(1);
    bench.restartNode();
    await bench.pass(1);
    bench.delete(3);
    await bench.pass(60);
    expect(bench.seen[1]).toBe('6.0 web TERM');
  });

  test('shortens a stop that had another reason', async () => {
    const bench = new PodBench({
      spec: { activeDeadlineSeconds: 1, terminationGracePeriodSeconds: 300 },
      containers: [{ name: 'web' }],
      programs: { web: { onTerm: 'never' } },
    });
    await bench.pass(5);
    bench.delete(2);
    await bench.pass(60);
    expect(bench.seen).toContain('7.0 web KILL');
  });

  test('gets KILL in time although the clock is set back during the hook', async () => {
    const web = { onTerm: 'never', commands: { flush: { takes: 3 } } } as const;
    const bench = new PodBench({ containers: [exec('flush')], programs: { web } });
    await bench.pass(1);
    bench.delete(10);
    await bench.pass(1);
    bench.world.setClock(-3_600_000);
    await bench.pass(60);
    expect(bench.seen).toContain('11.0 web KILL');
  });

  test('is stopped although its ledger fails', async () => {
    const bench = new PodBench({ containers: [exec('flush')] });
    await bench.pass(1);
    bench.ledger.beforeAppend = () => {
      throw new Error('ENOSPC');
    };
    bench.delete(10);
    await bench.pass(60);
    expect(bench.seen.slice(1)).toEqual(['1.0 web TERM', '1.0 web ended']);
    expect(bench.events.join()).toContain('its record could not be stored: ENOSPC');
  });
});
