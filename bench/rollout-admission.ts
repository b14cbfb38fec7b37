/**
 * The cost of the gate for a client that writes a labelled Deployment.
 *
 * It measures both webhook answers, one after another, requested as an API server does (HTTPS with keep-alive). It also
 * measures a whole write through the API server, and compares it with that of a Deployment without the label.
 */
import { Buffer } from 'node:buffer';
import https from 'node:https';

import { deployments, mutatingWebhookConfigurations } from '../src/kube/resources.ts';
import { GATE_PATHS } from '../src/lifecycles/rollout/gate/gate-configurations.ts';
import { type BenchResult, interleave, median } from './measure.ts';
import { type RolloutCluster, startGatedController } from './rollout-cluster.ts';
import { type Asked, type AskedOf, prepareReviews, reviewOf } from './rollout-reviews.ts';
import { removeAll } from './snapshot-cluster.ts';

const WARM_ROUNDS = 300;
const ROUNDS = 1_000;
const PATCH_ROUNDS = 200;
const GOAL_P99_MS = 15;

export async function admission(cluster: RolloutCluster): Promise<readonly BenchResult[]> {
  await using _controller = await startGatedController(cluster);
  const asked = await prepareReviews(cluster);
  const webhook = await openWebhook(cluster);
  const results: BenchResult[] = [];
  try {
    const times = await askAll(webhook, asked);
    for (const { name } of asked) results.push(...percentiles(name, times, cluster.name));
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

/**
 * Milliseconds until both webhooks have answered, by request and round. For comparison each request is also sent for
 * the status subresource, which the webhooks always allow.
 */
async function askAll(webhook: Webhook, asked: readonly Asked[]): Promise<Times> {
  const both = async ({ mutating, validating }: Asked, subResource: string): Promise<void> => {
    await ask(webhook, GATE_PATHS.mutate, { ...mutating, subResource });
    await ask(webhook, GATE_PATHS.validate, { ...validating, subResource });
  };
  const candidates = asked.flatMap((each) => [
    { name: each.name, run: () => both(each, '') },
    { name: `${each.name} of a status`, run: () => both(each, 'status') },
  ]);
  await interleave(candidates, WARM_ROUNDS);
  return interleave(candidates, ROUNDS);
}

type Times = ReadonlyMap<string, readonly number[]>;

function percentiles(name: string, times: Times, cluster: string): readonly BenchResult[] {
  const [judged, unjudged] = [times.get(name) ?? [], times.get(`${name} of a status`) ?? []];
  return [50, 99].map((percent) => {
    const way = percentile(unjudged, percent).toFixed(2);
    return {
      name: `admission-${name}-p${percent}-${cluster}`,
      value: percentile(judged, percent),
      unit: 'ms',
      goal: percent === 50 ? null : GOAL_P99_MS,
      against: `the mutating and then the validating answer; the same of a status, which is not judged: ${way} ms`,
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
  const { response } = JSON.parse(text) as { response?: { allowed?: boolean } };
  if (response?.allowed !== true) throw new Error(`${path} does not allow it: ${text}`);
}

/** Changes an annotation: the API server stores it, and the gate has nothing to do. */
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
