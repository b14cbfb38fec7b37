import { beforeEach, describe, expect, it } from 'vitest';

import { FROZEN_WINDOW, GuardBench } from '../../../../test/fixtures/snapshot/guard-bench.ts';
import { creationOf } from '../../../../test/fixtures/snapshot/guard-samples.ts';

let bench: GuardBench;

beforeEach(() => {
  bench = new GuardBench();
});

describe('the webhook of the guards after a window', () => {
  it('lets the application rest after a freeze in vain, and refuses requests that have no time for the rest (SNAP-W14)', async () => {
    bench.guard({ freezeTimeoutSeconds: 10 });
    const first = bench.ask(creationOf('a'));
    await bench.reportWhen('mariadb-window-1', {
      ...FROZEN_WINDOW,
      executionHookNames: ['hook-0'],
    });
    expect(await bench.until(first)).toEqual({ allowed: true });
    const nowMs = bench.world.wallMs;
    const closedAt = new Date(nowMs).toISOString();
    const frozen = (seconds: number): string => new Date(nowMs - seconds * 1_000).toISOString();
    bench.report('mariadb-window-1', { cutRequestedAt: frozen(30), closedAt });
    const refused = await bench.until(bench.ask(creationOf('b')));
    expect(refused).toMatchObject({ allowed: false, status: { code: 503 } });
    expect(JSON.stringify(refused)).toContain('(Resting): window mariadb-window-1 froze');
    expect(bench.windowNames).toHaveLength(1);
    bench.report('mariadb-window-1', { cutRequestedAt: frozen(4) });
    const later = bench.ask(creationOf('c'));
    await bench.pass(3_000);
    expect(bench.windowNames).toHaveLength(1);
    await bench.reportWhen('mariadb-window-2', FROZEN_WINDOW);
    expect(await bench.until(later)).toEqual({ allowed: true });
  });

  it.each([4, 30])(
    'lets the application rest for the %i s of its freeze, although its clock is an hour behind (SNAP-W14)',
    async (seconds) => {
      bench.guard({ freezeTimeoutSeconds: 10 });
      const first = bench.ask(creationOf('a'));
      await bench.reportWhen('mariadb-window-1', {
        ...FROZEN_WINDOW,
        executionHookNames: ['hook-0'],
      });
      expect(await bench.until(first)).toEqual({ allowed: true });
      const closedMs = bench.world.wallMs + 3_600_000;
      const closedAt = new Date(closedMs).toISOString();
      const cutRequestedAt = new Date(closedMs - seconds * 1_000).toISOString();
      bench.report('mariadb-window-1', { cutRequestedAt, closedAt });
      const asked = bench.ask(creationOf('b'));
      await bench.pass((seconds - 1) * 1_000);
      expect(bench.windowNames).toHaveLength(1);
      await bench.pass(1_000);
      const later = seconds === 4 ? asked : bench.ask(creationOf('c'));
      await bench.reportWhen('mariadb-window-2', FROZEN_WINDOW);
      expect(await bench.until(later)).toEqual({ allowed: true });
    },
  );
});
