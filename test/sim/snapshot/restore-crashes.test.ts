/**
 * The restore controller is killed at each of its writes: before the write reaches the server, or before the answer.
 */
import { describe, expect, it } from 'vitest';

import type { RestoreHook } from '../../../src/lifecycles/snapshot/restore/kinds.ts';
import { noNetworkFaults } from '../controller/sim-client.ts';
import { judgeRights } from './judge-rights.ts';
import { RESTORE, RestoreBench } from './restore-bench.ts';

const exec: RestoreHook = {
  name: 'drain',
  exec: { podName: 'db', containerName: 'db', command: ['drain'] },
};
const pod = (name: string): RestoreHook => ({ name, pod: { image: 'i', command: ['run'] } });
const SPEC = { preRestore: [exec], postRestore: [pod('rekey')], verify: [pod('check')] };
const HOUR_MS = 3_600_000;

interface Kill {
  /** Number of the write at which the controller is killed, from 1. `isLost`: the write does not reach the server. */
  readonly at: number;
  readonly isLost: boolean;
}

async function restored(scratch: boolean, kill: Kill | null): Promise<RestoreBench> {
  const bench = new RestoreBench();
  bench.makePod('db');
  bench.makeSnapshot();
  bench.makeRestore({ ...SPEC, scratch });
  bench.startRestores();
  let writes = 0;
  bench.onWrite = (write) => {
    judgeRights(bench.world, write);
    if (write.resource === 'events') return;
    writes += 1;
    bench.faults = noNetworkFaults;
    if (writes !== kill?.at) return;
    if (kill.isLost) bench.faults = { ...noNetworkFaults, requestLost: 1 };
    bench.kill();
    bench.world.after(1_000, () => {
      bench.faults = noNetworkFaults;
      bench.startRestores();
    });
  };
  await bench.eventually('the restore is over', () => bench.isOver(), HOUR_MS);
  await bench.pass(5_000);
  return bench;
}

/** Number of starts of each hook. A command has one attempt for each start. */
function startsOf(bench: RestoreBench): Record<string, number> {
  const starts: Record<string, number> = { drain: bench.ran.length };
  for (const name of ['rekey', 'check']) {
    starts[name] = bench.started.filter((each) => each.includes(`-${name}-`)).length;
  }
  return starts;
}

function attemptsOf(bench: RestoreBench): Record<string, number> {
  const { hooks = [] } = bench.restore()?.status ?? {};
  return Object.fromEntries(hooks.map(({ name, attempts = [] }) => [name, attempts.length]));
}

/** Sentences about the violated conditions, which must hold after any kill. */
function violations(bench: RestoreBench, scratch: boolean): string[] {
  const { phase = '', failure } = bench.restore()?.status ?? {};
  const isComplete = phase === 'Completed';
  const attempts = attemptsOf(bench);
  const claims = scratch ? 'data' : `data,data-${RESTORE}`;
  return [
    ...Object.entries(startsOf(bench)).flatMap(([hook, times]) => [
      ...(times > (attempts[hook] ?? 0) ? [`${hook} ran without a record`] : []),
      ...(times > 1 ? [`${hook} ran ${times} times`] : []),
      ...(isComplete && times !== 1 ? [`complete, and ${hook} ran ${times} times`] : []),
    ]),
    ...[failure?.reason ?? 'HookFailed'].filter((reason) => reason !== 'HookFailed'),
    ...(isComplete ? [bench.claimNames().join()].filter((names) => names !== claims) : []),
    ...(scratch ? [bench.podNames().join()].filter((names) => names !== 'db') : []),
    ...(bench.world.violation === null ? [] : [bench.world.violation.message]),
  ];
}

describe.each([false, true])(
  'a restore (scratch: %s) whose controller is killed at a write',
  (scratch) => {
    it('runs each hook at most once, recognises its pods, and is only complete if each has run (SNAP-V6, SNAP-V10, SNAP-V16)', async () => {
      const undisturbed = await restored(scratch, null);
      expect(startsOf(undisturbed)).toEqual({ drain: 1, rekey: 1, check: 1 });
      expect(violations(undisturbed, scratch)).toEqual([]);
      const writes = undisturbed.writes - undisturbed.events().length;
      expect(writes).toBeGreaterThan(12);
      const ends: string[] = [];
      const wrong: object[] = [];
      for (let kill = 0; kill < 2 * writes; kill += 1) {
        const at = 1 + (kill >> 1);
        const isLost = kill % 2 === 1;
        const bench = await restored(scratch, { at, isLost });
        ends.push(bench.restore()?.status?.phase ?? '');
        for (const violation of violations(bench, scratch)) wrong.push({ at, isLost, violation });
      }
      expect(wrong).toEqual([]);
      // Only a command in a pod can end unseen, and only if the controller is killed while it runs. Such a restore
      // fails.
      expect(new Set(ends)).toEqual(new Set(['Completed', 'Failed']));
      expect(ends.filter((end) => end === 'Failed').length).toBeLessThan(8);
    });
  },
);
