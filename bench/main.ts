/**
 * `npm run bench -- [NAME...] [--json]`: prints medians and ratios; it never fails on a result. One line per result.
 * With --json one object per line: {name, value, unit, goal, against, samples}.
 */
import { cluster } from './cluster.ts';
import { commandLine } from './command-line.ts';
import { container } from './container.ts';
import { devLoop } from './dev-loop.ts';
import { hostHooks } from './host-hook.ts';
import { journal } from './journal.ts';
import type { Bench, BenchResult } from './measure.ts';
import { rollout } from './rollout.ts';
import { snapshotGuard } from './snapshot-guard.ts';
import { snapshotCsi } from './snapshot-csi.ts';
import { snapshot } from './snapshot.ts';

const benches: Readonly<Record<string, Bench>> = {
  'command-line': commandLine,
  journal,
  container,
  cluster,
  'dev-loop': devLoop,
  'host-hook': hostHooks,
  snapshot,
  'snapshot-csi': snapshotCsi,
  'snapshot-guard': snapshotGuard,
  rollout,
};

const args = process.argv.slice(2);
const asJson = args.includes('--json');
const names = args.filter((arg) => !arg.startsWith('-'));
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(
    `No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`,
  );
  process.exitCode = 2;
} else {
  for (const [name, bench] of Object.entries(benches)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const result of await bench()) console.log(asJson ? JSON.stringify(result) : line(result));
  }
}

function line({ name, value, unit, goal, against, samples }: BenchResult): string {
  const figure = `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
  const verdict =
    goal === null ? '' : `, goal ${goal} ${unit}: ${value <= goal ? 'reached' : 'MISSED'}`;
  return `${name.padEnd(32)} ${figure.padStart(12)}  against ${against}${verdict} (${samples} samples)`;
}
