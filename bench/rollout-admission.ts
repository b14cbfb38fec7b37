/**
 * What the gate costs whoever writes a labelled Deployment: its two answers, one after the other, asked as an
 * API server asks (HTTPS, connections that stay open), and a whole write through the API server beside
 * the same write of a Deployment without the label.
 */
import { Buffer } from 'node:buffer';
import https from 'node:https';

import { deployments, mutatingWebhookConfigurations } from '../src/kube/resources.ts';
import { GATE_PATHS } from '../src/lifecycles/rollout/gate/gate-configurations.ts';
import { type BenchResult, interleave, median } from './measure.ts';
import { type RolloutCluster, startGatedController } from './rollout-cluster.ts';
import { type Asked, type AskedOf, prepareReviews, reviewOf } from './rollout-reviews.ts';
import { removeAll } from './snapshot-cluster.ts';

const WARM_ROUNDS = 100;
const ROUNDS = 1_000;
const PATCH_ROUNDS = 200;
const GOAL_P99_MS = 15;

export async function admission(cluster: RolloutCluster): Promise<readonly BenchResult[]> {
  await using _controller = await startGatedController(cluster);
  const asked = await prepareReviews(cluster);
  const webhook = await openWebhook(cluster);
  const results: BenchResult[] = [];
  try {
    for (const each of asked) results.push(...(await askAll(webhook, each, cluster.name)));
  } finally {
    webhook.agent.destroy();
  }
  results.push(await wholeWrites(cluster));
  await removeAll(cluster.client, deployments, cluster.namespace);
  return results;
}

interface Webhook {
  readonly url: string;
  readonly agent: https.Agent;
}

async function openWebhook({ client }: RolloutCluster): Promise<Webhook> {
  const { items } = await client.list(mutatingWebhookConfigurations);
  const found = items
    .flatMap(({ webhooks = [] }) => webhooks)
    .find(({ clientConfig }) => clientConfig.url?.endsWith(GATE_PATHS.mutate) === true);
  const { url = '', caBundle = '' } = found?.clientConfig ?? {};
  const ca = Buffer.from(caBundle, 'base64').toString('utf8');
  return { url: new URL(url).origin, agent: new https.Agent({ keepAlive: true, ca }) };
}

/** Nothing is there: the way to the process and back, and its turn on a busy machine. */
const NOWHERE = '/nowhere';

/** Both answers of a round together. */
async function askAll(
  webhook: Webhook,
  { name, mutating, validating }: Asked,
  cluster: string,
): Promise<readonly BenchResult[]> {
  const both = async (paths: readonly [string, string]): Promise<void> => {
    await ask(webhook, paths[0], mutating);
    await ask(webhook, paths[1], validating);
  };
  const candidates = [
    { name: 'gate', run: () => both([GATE_PATHS.mutate, GATE_PATHS.validate]) },
    { name: 'nowhere', run: () => both([NOWHERE, NOWHERE]) },
  ];
  await interleave(candidates, WARM_ROUNDS);
  const times = await interleave(candidates, ROUNDS);
  return [50, 99].map((percent) => {
    const [gate, nowhere] = [times.get('gate') ?? [], times.get('nowhere') ?? []];
    const way = percentile(nowhere, percent).toFixed(2);
    return {
      name: `admission-${name}-p${percent}-${cluster}`,
      value: percentile(gate, percent),
      unit: 'ms',
      goal: percent === 50 ? null : GOAL_P99_MS,
      against: `the mutating and then the validating answer; the same to a path where nothing is: ${way} ms`,
      samples: ROUNDS,
    };
  });
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length * percent) / 100)] ?? Number.NaN;
}

async function ask({ url, agent }: Webhook, path: string, asked: AskedOf): Promise<void> {
  const body = Buffer.from(JSON.stringify(reviewOf(asked)));
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const request = https.request(`${url}${path}?timeout=5s`, { method: 'POST', agent, headers });
    request.on('error', reject).on('response', (response) => {
      let got = '';
      response.setEncoding('utf8').on('data', (part: string) => (got += part));
      response.on('end', () => {
        resolve(got);
      });
    });
    request.end(body);
  });
  if (path === NOWHERE) return;
  const { response } = JSON.parse(text) as { response?: { allowed?: boolean } };
  if (response?.allowed !== true) throw new Error(`${path} does not allow it: ${text}`);
}

/** An annotation that changes: stored, and nothing of ours to be done. */
async function wholeWrites({
  name: cluster,
  client,
  namespace,
}: RolloutCluster): Promise<BenchResult> {
  const write = async (name: string, round: number): Promise<void> => {
    const body = { metadata: { annotations: { round: String(round) } } };
    await client.patch(deployments, { namespace, name }, { type: 'merge', body });
  };
  const candidates = ['gated', 'free'].map((name) => ({
    name,
    run: (round: number) => write(name, round),
  }));
  const times = await interleave(candidates, PATCH_ROUNDS);
  const [gated, free] = [median(times.get('gated') ?? []), median(times.get('free') ?? [])];
  return {
    name: `gated-patch-${cluster}`,
    value: gated / free,
    unit: 'times',
    goal: null,
    against: `the same PATCH of a Deployment without the label (${free.toFixed(2)} ms; with it ${gated.toFixed(2)} ms)`,
    samples: PATCH_ROUNDS,
  };
}
