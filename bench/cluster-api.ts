/** Compares the local API server with a real one (with etcd): the same client, in the same run. */
import type { ConfigMap } from 'kubernetes-types/core/v1.js';

import type { KubeConnection } from '../src/kube/client.ts';
import { listWatch } from '../src/kube/list-watch.ts';
import { makeKubeClient } from '../src/kube/make-client.ts';
import { configMaps, namespaces } from '../src/kube/resources.ts';
import { interleave, median, type BenchResult } from './measure.ts';

export interface Server {
  readonly name: 'local' | 'real';
  readonly connection: KubeConnection;
}

const NAMESPACE = `lifehook-bench-${process.pid}`;
const ROUNDS = 200;
const LIST_ROUNDS = 30;
const LISTED = 1_000;
const WATCHERS = 100;
const FAN_OUT_ROUNDS = 20;

export async function apiFigures(servers: readonly Server[]): Promise<readonly BenchResult[]> {
  for (const server of servers) await prepare(server);
  try {
    return [await creates(servers), await lists(servers), await fanOut(servers)];
  } finally {
    for (const { connection } of servers) {
      await makeKubeClient(connection).delete(namespaces, { name: NAMESPACE });
    }
  }
}

async function prepare({ connection }: Server): Promise<void> {
  const client = makeKubeClient(connection);
  await client.create(namespaces, { metadata: { name: NAMESPACE } });
  for (let count = 0; count < LISTED; count += 1) {
    await client.create(configMaps, configMap(`listed-${count}`, { app: 'listed' }));
  }
}

function configMap(name: string, labels: Record<string, string> = {}): ConfigMap {
  return { metadata: { name, namespace: NAMESPACE, labels }, data: { text: 'x'.repeat(500) } };
}

/** Creates objects one after another; each create waits until its object is durable. */
async function creates(servers: readonly Server[]): Promise<BenchResult> {
  const times = await interleave(
    servers.map(({ name, connection }) => {
      const client = makeKubeClient(connection);
      return {
        name,
        run: async (round) => {
          await client.create(configMaps, configMap(`created-${round + 1}`));
        },
      };
    }),
    ROUNDS,
  );
  return ratio({ name: 'api-create', times, samples: ROUNDS, goal: 0.5 });
}

async function lists(servers: readonly Server[]): Promise<BenchResult> {
  const times = await interleave(
    servers.map(({ name, connection }) => {
      const client = makeKubeClient(connection);
      return {
        name,
        run: async () => {
          const { items } = await client.list(configMaps, {
            namespace: NAMESPACE,
            labelSelector: 'app=listed',
            pageSize: LISTED,
          });
          if (items.length !== LISTED) throw new Error(`${items.length} objects were listed`);
        },
      };
    }),
    LIST_ROUNDS,
  );
  return ratio({ name: `api-list-${LISTED}`, times, samples: LIST_ROUNDS, goal: null });
}

/** The time from a create until all watchers have received the object. */
async function fanOut(servers: readonly Server[]): Promise<BenchResult> {
  const ends: AbortController[] = [];
  const candidates = [];
  for (const { name, connection } of servers) {
    const end = new AbortController();
    ends.push(end);
    const arrivals = new Arrivals();
    for (let count = 0; count < WATCHERS; count += 1) void watch(connection, end.signal, arrivals);
    await arrivals.all('synced');
    const client = makeKubeClient(connection);
    candidates.push({
      name,
      run: async (round: number) => {
        const object = `fanned-${round + 1}`;
        await client.create(configMaps, configMap(object, { app: 'fanned' }));
        await arrivals.all(object);
      },
    });
  }
  try {
    const times = await interleave(candidates, FAN_OUT_ROUNDS);
    return ratio({ name: `api-fan-out-${WATCHERS}`, times, samples: FAN_OUT_ROUNDS, goal: null });
  } finally {
    for (const end of ends) end.abort();
  }
}

/** Counts how many watchers have received each object. */
class Arrivals {
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, () => void>();

  add(what: string): void {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    if (count === WATCHERS) this.#waiting.get(what)?.();
  }

  async all(what: string): Promise<void> {
    if (this.#counts.get(what) === WATCHERS) return;
    await new Promise<void>((resolve) => this.#waiting.set(what, resolve));
  }
}

async function watch(
  connection: KubeConnection,
  signal: AbortSignal,
  arrivals: Arrivals,
): Promise<void> {
  const options = { namespace: NAMESPACE, labelSelector: 'app=fanned', signal };
  for await (const event of listWatch(connection, configMaps, options)) {
    if (event.type === 'Synced') arrivals.add('synced');
    if (event.type === 'Upsert') arrivals.add(event.object.metadata?.name ?? '');
  }
}

interface Measured {
  readonly name: string;
  readonly times: ReadonlyMap<string, readonly number[]>;
  readonly samples: number;
  readonly goal: number | null;
}

function ratio({ name, times, samples, goal }: Measured): BenchResult {
  const [local, real] = [median(times.get('local') ?? []), median(times.get('real') ?? [])];
  const perSecond = `${(1_000 / local).toFixed(0)}/s`;
  return {
    name,
    value: local / real,
    unit: 'times',
    goal,
    against: `kube-apiserver with etcd (${real.toFixed(2)} ms; local ${local.toFixed(2)} ms, ${perSecond})`,
    samples,
  };
}
