/**
 * The time that hooks add to a rollout beyond the time of their own pods.
 *
 * A rollout with an instant pre and post hook is compared with the same rollout and the same two pods without our
 * controller. There a client runs them one after another and reacts at once to each watch event.
 *
 *   patch ─ours─> pre's pod is created ──kubelet──> it has succeeded ─ours─> released ──Kubernetes──> complete
 *         ─ours─> post's pod is created ──kubelet──> it has succeeded ─ours─> Done
 *
 * A node starts pods and reports their ends in whole seconds. So the two rollouts of a pair differ more by chance than
 * by our work. Therefore the result also has the sum of the parts marked "ours".
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { deployments, pods } from '../src/kube/resources.ts';
import { identityOf } from '../src/lifecycles/rollout/hookpod/identity.ts';
import { deploymentLifecycles, type Stage } from '../src/lifecycles/rollout/kinds.ts';
import { marksOf } from '../src/lifecycles/rollout/machine/marks.ts';
import { type BenchResult, interleave, median } from './measure.ts';
import { bareRequests, READS, rollBare, WRITES } from './rollout-bare.ts';
import { type RolloutCluster, startGatedController } from './rollout-cluster.ts';
import { hasEnded, isRolledOut, patchTemplate, prepare, type Stand } from './rollout-stand.ts';
import { Watched } from './rollout-watch.ts';
import { removeAll } from './snapshot-cluster.ts';

const ROUNDS = 12;
const GOAL_MS = 150;

/** Milliseconds of each part in which our controller must act. */
type Parts = Record<'toPre' | 'toRelease' | 'toPost' | 'toDone', number>;

export async function rolloutAdded(cluster: RolloutCluster): Promise<readonly BenchResult[]> {
  const { client, namespace } = cluster;
  await using _controller = await startGatedController(cluster);
  using seenPods = new Watched(cluster, pods);
  using seenDeployments = new Watched(cluster, deployments);
  using lifecycles = new Watched(cluster, deploymentLifecycles);
  const stand: Stand = { cluster, pods: seenPods, deployments: seenDeployments, lifecycles };
  await prepare(stand);
  const parts: Parts[] = [];
  const hooked = async (round: number): Promise<void> => {
    const of = await rollHooked(stand, round);
    if (round >= 0) parts.push(of);
  };
  const times = await interleave(
    [
      { name: 'hooked', run: hooked },
      { name: 'bare', run: (round) => rollBare(stand, round) },
      { name: 'requests', run: (round) => bareRequests(cluster, round) },
    ],
    ROUNDS,
  );
  for (const resource of [deploymentLifecycles, deployments, pods]) {
    await removeAll(client, resource, namespace);
  }
  return results(cluster, times, parts);
}

function results(
  { name }: RolloutCluster,
  times: ReadonlyMap<string, readonly number[]>,
  parts: readonly Parts[],
): readonly BenchResult[] {
  const [hooked = [], bare = []] = [times.get('hooked'), times.get('bare')];
  const differences = hooked.map((ms, round) => ms - (bare[round] ?? Number.NaN));
  const of = (part: keyof Parts): string =>
    `${median(parts.map((each) => each[part])).toFixed(0)} ms`;
  const requests = median(times.get('requests') ?? []).toFixed(0);
  const sums = parts.map(
    ({ toPre, toRelease, toPost, toDone }) => toPre + toRelease + toPost + toDone,
  );
  const shared = { unit: 'ms', goal: GOAL_MS, samples: ROUNDS };
  return [
    {
      ...shared,
      name: `rollout-added-${name}`,
      value: median(differences),
      against: `the same pods run bare around the same rollout (${median(bare).toFixed(0)} ms; with hooks ${median(hooked).toFixed(0)} ms)`,
    },
    {
      ...shared,
      name: `rollout-ours-${name}`,
      value: median(sums),
      against: `${WRITES} writes and ${READS} reads one after the other (${requests} ms); to pre's pod ${of('toPre')}, its end to the release ${of('toRelease')}, complete to post's pod ${of('toPost')}, its end to Done ${of('toDone')}`,
    },
  ];
}

async function rollHooked(stand: Stand, round: number): Promise<Parts> {
  const { cluster, lifecycles } = stand;
  const startedMs = performance.now();
  const patched = await patchTemplate(cluster, 'hooked', `round-${round}`);
  const number = marksOf(patched).number ?? 0;
  const is = (deployment: Deployment): boolean =>
    deployment.metadata?.name === 'hooked' && marksOf(deployment).released === number;
  const podOf = (stage: Stage, ended: boolean): Promise<number> =>
    momentOf(
      stand.pods.first(`${stage} of ${number}`, (pod) => {
        const identity = identityOf(pod);
        const isIt = identity?.number === number && identity.stage === stage;
        return isIt && (!ended || hasEnded(pod));
      }),
    );
  const [pre, preEnd, released, complete, post, postEnd, done] = await Promise.all([
    podOf('pre', false),
    podOf('pre', true),
    momentOf(stand.deployments.first(`${number} is released`, is)),
    momentOf(
      stand.deployments.first(`${number} is complete`, (each) => is(each) && isRolledOut(each)),
    ),
    podOf('post', false),
    podOf('post', true),
    momentOf(
      lifecycles.first(`${number} is done`, ({ status }) => {
        const { rollout } = status ?? {};
        return rollout?.number === number && rollout.phase === 'Done';
      }),
    ),
  ]);
  return {
    toPre: pre - startedMs,
    toRelease: released - preEnd,
    toPost: post - complete,
    toDone: done - postEnd,
  };
}

async function momentOf(seen: Promise<{ readonly atMs: number }>): Promise<number> {
  return (await seen).atMs;
}
