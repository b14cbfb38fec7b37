/** Runs the schedule of writes and faults of one seed, until the watcher's view equals the server's list. */
import { setTimeout as pause } from 'node:timers/promises';

import type { KubeClient } from '../../src/kube/client.ts';
import type { NodeTransportOptions } from '../../src/platform/node-server-link.ts';
import { ALL_FAULTS, faultDice, firstThen, seededRandom } from './fault-dice.ts';
import { listedView, startWatchWorld, viewOf, writeSomething } from './watch-world.ts';

const WRITES = 60;

/** Share of the requests and events with a fault. */
const FAULT_RATE = 0.15;

/** Time to converge after the last fault. The longest wait between two requests is 30 s; this is several times that. */
const CONVERGE_MS = 150_000;

export interface ScheduleOptions {
  readonly server: NodeTransportOptions;
  /** Client that bypasses the proxy. */
  readonly client: KubeClient;
  readonly namespace: string;
  readonly seed: number;
}

export interface ScheduleResult {
  readonly view: readonly [string, string][];
  readonly listed: readonly [string, string][];
  readonly violations: readonly string[];
  readonly happened: ReadonlyMap<string, number>;
}

export async function runSchedule(options: ScheduleOptions): Promise<ScheduleResult> {
  const { server, client, namespace, seed } = options;
  const random = seededRandom(seed);
  const scope = seed % 2 === 0 ? { namespace } : { namespace, labelSelector: 'on=yes' };
  // With random faults alone, some kind of fault might never occur in any schedule.
  const first = ALL_FAULTS[seed % ALL_FAULTS.length] ?? 'reset';
  const faults = firstThen(first, faultDice(seededRandom(seed + 1_000), FAULT_RATE));
  const { proxy, view, end } = await startWatchWorld({ server, faults, seed, watch: scope });
  try {
    for (let write = 0; write < WRITES; write += 1) {
      await writeSomething(client, namespace, random);
      await pause(random() * 60);
      if (random() < 0.04) await proxy.restart(random() * 150);
    }
    proxy.calm();
    const untilMs = performance.now() + CONVERGE_MS;
    for (;;) {
      const listed = await listedView(client, scope);
      const seen = viewOf(view);
      const same = view.synced && JSON.stringify(seen) === JSON.stringify(listed);
      if (same || performance.now() > untilMs) {
        return { view: seen, listed, violations: view.violations, happened: proxy.happened };
      }
      await pause(100);
    }
  } finally {
    await end();
  }
}
