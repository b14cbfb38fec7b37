/**
 * The Kubernetes client of one simulated host. Each request takes time, and may meet a random network fault. A change
 * that takes effect after its client has given up counts like any other.
 */
import { ApiError, UnreachableError } from '../../../src/kube/api-error.ts';
import type { CallOptions, KubeClient } from '../../../src/kube/client.ts';
import { type KubeObject, type Resource, resourceName } from '../../../src/kube/object.ts';
import { keyOf, keyText } from '../../../src/controller/object-key.ts';
import type { Fault } from '../faults.ts';
import type { Random } from '../random.ts';
import { failure, type SimApi, type Stored } from './sim-api.ts';
import type { SimHost } from './sim-host.ts';

/** Probabilities for one request, from 0 to 1. */
export interface NetworkFaults {
  readonly refused: number;
  readonly tooMany: number;
  readonly conflict: number;
  readonly requestLost: number;
  readonly answerLost: number;
  /** Probability of a request that takes seconds, and may arrive after the client has given up. */
  readonly slow: number;
}

export const noNetworkFaults: NetworkFaults = {
  refused: 0,
  tooMany: 0,
  conflict: 0,
  requestLost: 0,
  answerLost: 0,
  slow: 0,
};

export interface SimWrite {
  readonly host: SimHost;
  readonly verb: string;
  readonly resource: string;
  readonly object: KubeObject;
}

export interface SimClientOptions {
  readonly api: SimApi;
  readonly host: SimHost;
  readonly random: Random;
  readonly faults: () => NetworkFaults;
  /** True: the server's rules do not apply. For controllers of Kubernetes, which wait minutes for a lost request. */
  readonly isSpared?: boolean;
  /** Probability that a request of an already killed process is slow, and so arrives late; absent: 0. */
  readonly lingering?: number;
  /** Probability that a lost response breaks the connection, which the process notices; absent: 0. */
  readonly resets?: number;
  /** Called when a write leaves the process. */
  readonly onSend?: (write: SimWrite) => void;
  /** Called when a write has taken effect on the server. */
  readonly onEffect?: (write: SimWrite, result: Stored) => void;
  /** Called when the successful answer to a write has reached the process. */
  readonly onAnswer?: (write: SimWrite, answer: Stored) => void;
  /** Called when the process knows that a write was refused, or that its outcome is unknown. */
  readonly onRefusal?: (write: SimWrite, refusal: ApiError | UnreachableError) => void;
  /** Called when a read of one object got no answer, but may have been sent. `read.object` has only the key. */
  readonly onUnread?: (read: SimWrite) => void;
}

interface Request {
  readonly verb: 'get' | 'list' | 'create' | 'replace' | 'status' | 'patch' | 'delete';
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly options: CallOptions;
  readonly apply: () => unknown;
}

const DEFAULT_TIMEOUT_MS = 30_000;

export function makeSimClient(options: SimClientOptions): KubeClient {
  const { api } = options;
  const client: Client = { ...options, dice: diceOf(options.host) };
  const send = <T>(request: Request): Promise<T> => call(client, request) as Promise<T>;
  return {
    get: (resource, key, given = {}) => {
      const apply = (): unknown => api.get(resource, key);
      return send({ verb: 'get', resource, object: named(key), options: given, apply });
    },
    list: (resource, given = {}) => {
      const apply = (): unknown => ({
        items: api.list(resource),
        resourceVersion: String(api.revision),
      });
      return send({ verb: 'list', resource, object: {}, options: given, apply });
    },
    create: (resource, object, given = {}) => {
      const apply = (): unknown => api.create(resource, object);
      return send({ verb: 'create', resource, object, options: given, apply });
    },
    replace: (resource, object, given = {}) => {
      const apply = (): unknown => api.replace(resource, object, 'object');
      return send({ verb: 'replace', resource, object, options: given, apply });
    },
    replaceStatus: (resource, object, given = {}) => {
      const apply = (): unknown => api.replace(resource, object, 'status');
      return send({ verb: 'status', resource, object, options: given, apply });
    },
    patch: (resource, key, given) => {
      const apply = (): unknown => api.patch(resource, key, given);
      return send({ verb: 'patch', resource, object: named(key), options: given, apply });
    },
    delete: (resource, key, given = {}) => {
      const apply = (): unknown => api.delete(resource, key, given);
      return send({ verb: 'delete', resource, object: named(key), options: given, apply });
    },
    apply: () => Promise.reject(new Error('the simulated client lacks apply')),
    raw: () => Promise.reject(new Error('the simulated client lacks raw requests')),
  };
}

/** The client with one handle for each kind of fault, in the order in which the faults are drawn. */
interface Client extends SimClientOptions {
  readonly dice: readonly (readonly [keyof NetworkFaults, Fault])[];
}

const KINDS: readonly (readonly [keyof NetworkFaults, string])[] = [
  ['refused', 'connection refused'],
  ['tooMany', 'too many requests'],
  ['conflict', 'conflict'],
  ['requestLost', 'request lost'],
  ['answerLost', 'response lost'],
  ['slow', 'request slow'],
];

function diceOf({ name, world }: SimHost): Client['dice'] {
  return KINDS.map(([fate, kind]) => [fate, world.faults.of(kind, name)]);
}

function named(metadata: { namespace?: string; name: string }): KubeObject {
  return { metadata };
}

/** True if the server refused the write or its outcome is unknown; false if it was never sent. */
function isReported(error: unknown): error is ApiError | UnreachableError {
  return error instanceof ApiError || (error instanceof UnreachableError && error.sent);
}

type Fate = keyof NetworkFaults | 'usual';

/** Settles once: with the answer, with a network error, at the timeout, or when the request is cancelled. */
function call(options: Client, request: Request): Promise<unknown> {
  const { api, host, random, isSpared = false } = options;
  const { world } = host;
  const what = `${host.name}: ${request.verb} ${resourceName(request.resource)} ${keyOf(request.object)}`;
  const { verb, object } = request;
  const write: SimWrite = { host, verb, resource: resourceName(request.resource), object };
  const isWrite = verb !== 'get' && verb !== 'list';
  if (isWrite) options.onSend?.(write);
  const fate = fateOf(options, request);
  const isReset = fate === 'answerLost' && random.split().chance(options.resets ?? 0);
  world.note(`${what}${fate === 'usual' ? '' : ` (${fate})`}`);
  return new Promise((resolve, reject) => {
    let open = true;
    const settle = (finish: () => void): void => {
      if (!open) return;
      open = false;
      callOff();
      signal?.removeEventListener('abort', cancel);
      finish();
    };
    const fail = (error: unknown): void => {
      settle(() => {
        if (isWrite && isReported(error)) options.onRefusal?.(write, error);
        if (verb === 'get' && error instanceof UnreachableError && error.sent)
          options.onUnread?.(write);
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    };
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = request.options;
    const cancel = (): void => {
      fail(new UnreachableError(`${what}: called off`, { sent: true }));
    };
    const callOff = host.timers.after(timeoutMs, () => {
      fail(new UnreachableError(`${what}: no answer within ${timeoutMs} ms`, { sent: true }));
    });
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted === true) {
      cancel();
      return;
    }
    const answer = (deliver: () => void): void => {
      if (fate === 'answerLost' || host.isCutOff) return;
      world.after(random.between(0, USUAL_MS), () => {
        if (!host.isCutOff) host.deliver(deliver);
      });
    };
    const arrive = (refusal: Error | null, isAnswered: boolean): void => {
      if (refusal !== null) {
        answer(() => {
          fail(refusal);
        });
        return;
      }
      try {
        const result = request.apply();
        if (isWrite) options.onEffect?.(write, result as Stored);
        if (isReset) {
          host.deliver(() => {
            fail(new UnreachableError(`${what}: the connection was reset`, { sent: true }));
          });
        }
        if (!isAnswered) return;
        answer(() => {
          settle(() => {
            if (isWrite) options.onAnswer?.(write, result as Stored);
            resolve(result);
          });
        });
      } catch (error) {
        answer(() => {
          fail(error);
        });
      }
    };
    const refusal = refusalOf(fate, what);
    world.after(travelMs(random, fate), () => {
      if (fate === 'requestLost' || (host.isCutOff && fate !== 'slow')) return;
      const effect = refusal === null && !isSpared ? api.rules.effectOn(request) : null;
      if (effect === null) {
        arrive(refusal, true);
        return;
      }
      world.note(`${what}: the server ${effect.kind}`);
      if (effect.kind === 'losesRequest') return;
      if (effect.kind === 'losesAnswer') arrive(null, false);
      else if (effect.afterMs === 0) arrive(effect.refusal, true);
      else {
        world.after(effect.afterMs, () => {
          arrive(effect.refusal, true);
        });
      }
    });
  });
}

function fateOf(options: Client, request: Request): Fate {
  const { host, random, lingering } = options;
  if (lingering === undefined || host.process.alive) return throwDice(options, request);
  const last = host.world.faults.of('last request slow', host.name);
  return last.chance(random, lingering) ? 'slow' : throwDice(options, request);
}

function throwDice({ random, faults, dice }: Client, { verb, object }: Request): Fate {
  const probabilities = faults();
  const isGuarded = verb === 'replace' || verb === 'status' || verb === 'patch';
  for (const [fate, fault] of dice) {
    const probability = probabilities[fate];
    if (fate !== 'conflict' || (isGuarded && keyText({ name: '', ...object.metadata }) !== '')) {
      if (fault.chance(random, probability)) return fate;
    } else if (random.chance(probability)) return 'usual';
  }
  return 'usual';
}

const USUAL_MS = 20;
const SLOW_MS = 20_000;

function travelMs(random: Random, fate: Fate): number {
  return random.between(0, fate === 'slow' ? SLOW_MS : USUAL_MS);
}

function refusalOf(fate: Fate, what: string): Error | null {
  switch (fate) {
    case 'refused':
      return new UnreachableError(`${what}: connection refused`, { sent: false });
    case 'tooMany':
      return failure(429, 'TooManyRequests', 'too many requests');
    case 'conflict':
      return failure(409, 'Conflict', 'simulated conflict');
    case 'requestLost':
    case 'answerLost':
    case 'slow':
    case 'usual':
      return null;
    default:
      return fate satisfies never;
  }
}
