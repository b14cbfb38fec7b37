/**
 * Suspends a process in the middle of a reconcile, while it waits for the server. When it resumes, another process may
 * lead.
 */
import type { KubeClient } from '../../../src/kube/client.ts';
import type { Random } from '../random.ts';
import type { SimHost } from './sim-host.ts';

export interface StopsInPasses {
  readonly host: SimHost;
  readonly random: Random;
  readonly isFaulty: () => boolean;
  readonly stopFor: (ms: number) => void;
}

/** Probability of a suspension at each request. */
const STOP_CHANCE = 0.05;

/** Wraps the client. May suspend the process at a request after which a reconcile still writes something. */
export function stoppedInPasses(client: KubeClient, stops: StopsInPasses): KubeClient {
  const { host, random, isFaulty, stopFor } = stops;
  const fault = host.world.faults.of('process suspended', `${host.name} in a pass`);
  const maybeStop = (): void => {
    if (isFaulty() && fault.chance(random, STOP_CHANCE)) stopFor(random.between(10, 45) * 1_000);
  };
  return {
    ...client,
    list: (resource, options) => {
      maybeStop();
      return client.list(resource, options);
    },
    create: (resource, object, options) => {
      maybeStop();
      return client.create(resource, object, options);
    },
    delete: (resource, key, options) => {
      maybeStop();
      return client.delete(resource, key, options);
    },
  };
}
