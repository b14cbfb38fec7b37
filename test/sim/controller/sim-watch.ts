/**
 * List and watch of one simulated host: told late, told twice, cut and begun again. The order is kept,
 * as the real one does.
 */
import type { WatchEvent } from '../../../src/kube/client.ts';
import { type KubeObject, resourceName } from '../../../src/kube/object.ts';
import type { WatchAny, WatchRequest } from '../../../src/controller/shared-informers.ts';
import { sleep } from '../../../src/platform/sleep.ts';
import type { Fault } from '../faults.ts';
import type { Random } from '../random.ts';
import type { Entry, SimApi } from './sim-api.ts';
import type { SimHost } from './sim-host.ts';

/** Of one turn of the watch. */
export interface WatchFaults {
  /** The connection breaks, and what has been told is listed anew. */
  readonly relist: number;
  /** The last event is told again. */
  readonly repeat: number;
  /** It lags behind by up to LAG_MS. */
  readonly lag: number;
}

export const noWatchFaults: WatchFaults = { relist: 0, repeat: 0, lag: 0 };

const USUAL_MS = 30;
const LAG_MS = 20_000;

export interface SimWatchOptions {
  readonly api: SimApi;
  readonly host: SimHost;
  readonly random: Random;
  readonly faults: () => WatchFaults;
}

/** One watch of one host. */
interface Follower extends SimWatchOptions {
  readonly breaks: Fault;
  readonly repeats: Fault;
  readonly lags: Fault;
}

export function makeSimWatch(options: SimWatchOptions): WatchAny {
  const { name, world } = options.host;
  return <T extends KubeObject>(request: WatchRequest<T>) => {
    const site = `${name} ${request.resource.plural}`;
    const follower: Follower = {
      ...options,
      breaks: world.faults.of('watch broken', site),
      repeats: world.faults.of('event repeated', site),
      lags: world.faults.of('watch lagging', site),
    };
    return follow(follower, request) as AsyncIterable<WatchEvent<T>>;
  };
}

async function* follow<T extends KubeObject>(
  options: Follower,
  request: WatchRequest<T>,
): AsyncGenerator<WatchEvent<KubeObject>> {
  const { api, host } = options;
  const { signal } = request;
  while (!signal.aborted) {
    yield { type: 'Relisting' };
    await sleep(host.timers, lagMs(options), signal);
    if (host.isCutOff) {
      yield { type: 'Interrupted', reason: 'cut off', retryInMs: 1_000, notServed: false };
      await sleep(host.timers, 1_000, signal);
      continue;
    }
    const revision = api.revision;
    for (const object of api.list(request.resource)) yield { type: 'Upsert', object };
    yield { type: 'Synced', resourceVersion: String(revision) };
    yield* goOn(options, request, revision);
  }
}

/** Returns when the watch breaks. */
async function* goOn<T extends KubeObject>(
  options: Follower,
  { resource, signal }: WatchRequest<T>,
  from: number,
): AsyncGenerator<WatchEvent<KubeObject>> {
  const { api, host, random, faults, breaks, repeats } = options;
  const name = resourceName(resource);
  let told = from;
  while (!signal.aborted) {
    if (!api.hasNews(name, told)) await nextCommit(options, name, signal);
    await sleep(host.timers, lagMs(options), signal);
    if (host.isCutOff || breaks.chance(random, faults().relist)) {
      host.world.note(`${host.name}: the watch of ${resource.plural} breaks`);
      yield { type: 'Interrupted', reason: 'broken', retryInMs: 0, notServed: false };
      return;
    }
    const upTo = api.revision;
    for (; told < upTo; told += 1) {
      const entry = api.history[told];
      if (entry?.resource !== name) continue;
      yield eventOf(entry);
      if (entry.type === 'Upsert' && repeats.chance(random, faults().repeat)) yield eventOf(entry);
    }
  }
}

function eventOf({ type, object }: Entry): WatchEvent<KubeObject> {
  return { type, object };
}

function lagMs({ random, faults, lags }: Follower): number {
  return random.between(0, lags.chance(random, faults().lag) ? LAG_MS : USUAL_MS);
}

function nextCommit(
  { api, host }: SimWatchOptions,
  resource: string,
  signal: WatchRequest<KubeObject>['signal'],
): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      stopListening();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const stopListening = api.onCommit((entry) => {
      if (entry.resource === resource) host.deliver(finish);
    });
    signal.addEventListener('abort', finish);
  });
}
