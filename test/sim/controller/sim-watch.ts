/**
 * List and watch of one simulated host. Events are late or repeated, and the watch breaks and starts again. Events stay
 * in order, as in a real watch.
 */
import type { WatchEvent } from '../../../src/kube/client.ts';
import { type KubeObject, type Resource, resourceName } from '../../../src/kube/object.ts';
import type { WatchAny, WatchRequest } from '../../../src/controller/shared-informers.ts';
import { sleep } from '../../../src/platform/sleep.ts';
import type { Fault } from '../faults.ts';
import type { Random } from '../random.ts';
import type { Entry, SimApi } from './sim-api.ts';
import type { SimHost } from './sim-host.ts';

/** Probabilities for one iteration of the watch, from 0 to 1. */
export interface WatchFaults {
  /** The connection breaks, and all objects are listed again. */
  readonly relist: number;
  /** An event is sent twice. */
  readonly repeat: number;
  /** The watch lags behind by up to LAG_MS. */
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

/** The options of one watch, with its handles for faults. */
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
    const why = whyNotListed(options, request.resource);
    if (why !== null) {
      yield { type: 'Interrupted', reason: why, retryInMs: 1_000, notServed: false };
      await sleep(host.timers, 1_000, signal);
      continue;
    }
    const { revision, restores } = api;
    for (const object of api.list(request.resource)) yield { type: 'Upsert', object };
    yield { type: 'Synced', resourceVersion: String(revision) };
    yield* proceed(options, request, { revision, restores });
  }
}

type State = Pick<SimApi, 'revision' | 'restores'>;

/** Returns when the watch breaks. */
async function* proceed<T extends KubeObject>(
  options: Follower,
  request: WatchRequest<T>,
  from: State,
): AsyncGenerator<WatchEvent<KubeObject>> {
  const { api, host, random, faults, breaks, repeats } = options;
  const { resource, signal } = request;
  const name = resourceName(resource);
  let reported = from.revision;
  while (!signal.aborted) {
    if (!isNews(api, name, { ...from, revision: reported }))
      await nextCommit(options, name, signal);
    await sleep(host.timers, lagMs(options), signal);
    const isLost = await waitOutSilence(options, request, from);
    if (isLost || breaks.chance(random, faults().relist)) {
      host.world.note(`${host.name}: the watch of ${resource.plural} breaks`);
      yield { type: 'Interrupted', reason: 'broken', retryInMs: 0, notServed: false };
      return;
    }
    const upTo = api.revision;
    for (; reported < upTo; reported += 1) {
      const entry = api.history[reported];
      if (entry?.resource !== name) continue;
      yield eventOf(entry);
      if (entry.type === 'Upsert' && repeats.chance(random, faults().repeat)) yield eventOf(entry);
    }
  }
}

/** Whether the watch has events to deliver, or the server was restored while earlier events were delivered. */
function isNews(api: SimApi, resource: string, { revision, restores }: State): boolean {
  return api.restores !== restores || api.hasNews(resource, revision);
}

function whyNotListed({ api, host }: SimWatchOptions, resource: Resource): string | null {
  if (host.isCutOff) return 'cut off';
  const effect = api.rules.effectOn({ verb: 'list', resource, object: {} });
  if (effect === null) return null;
  return effect.kind === 'answers' ? (effect.refusal?.message ?? null) : 'no answer';
}

/**
 * Waits out a silence of the watch. Resolves with whether the watch breaks after it; silence alone does not break it.
 */
async function waitOutSilence(
  { api, host }: SimWatchOptions,
  { resource, signal }: Pick<WatchRequest<KubeObject>, 'resource' | 'signal'>,
  { restores }: State,
): Promise<boolean> {
  const effect = api.rules.effectOn({ verb: 'watch', resource, object: {} });
  const isSilence = effect?.kind === 'answers' && effect.refusal === null;
  if (isSilence) await sleep(host.timers, effect.afterMs, signal);
  return host.isCutOff || api.restores !== restores || (effect !== null && !isSilence);
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
      stopAtRestore();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const stopAtRestore = api.onRestore(() => {
      host.deliver(finish);
    });
    const stopListening = api.onCommit((entry) => {
      if (entry.resource === resource) host.deliver(finish);
    });
    signal.addEventListener('abort', finish);
  });
}
