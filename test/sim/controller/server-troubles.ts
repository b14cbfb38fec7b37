/** Troubles of the server that last for a while and affect only some requests. Each strike adds one rule. */
import type { ApiError } from '../../../src/kube/api-error.ts';
import { type Resource, resourceName } from '../../../src/kube/object.ts';
import { leases } from '../../../src/kube/resources.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import {
  type Effect,
  type Rule,
  refuses,
  type RuledRequest,
  type RuledVerb,
} from './server-rules.ts';
import { failure, type SimApi, tooMany } from './sim-api.ts';

export type ServerTrouble =
  /** Objects that are too large are refused. */
  | 'limits'
  /** No more objects of a kind may be created. */
  | 'quotas'
  /** Foreign webhooks that deny or hang. */
  | 'webhooks'
  /** Priority and fairness answers everything but Leases and watches with 429. */
  | 'throttling'
  /** Some requests or their answers are lost. */
  | 'partialNetwork'
  /** A kind can neither be read nor written, because its conversion webhook fails. */
  | 'conversions'
  /** Watches are silent for a long time, but do not break. */
  | 'silentWatches';

export const SERVER_TROUBLES: readonly [ServerTrouble, ...ServerTrouble[]] = [
  'limits',
  'quotas',
  'webhooks',
  'throttling',
  'partialNetwork',
  'conversions',
  'silentWatches',
];

/** The kinds of one lifecycle that troubles can affect. */
export interface RuledKinds {
  /** Kinds of Lifehook that have a status. */
  readonly own: readonly [Resource, ...Resource[]];
  readonly created: readonly [Resource, ...Resource[]];
  readonly watched: readonly [Resource, ...Resource[]];
}

export interface StruckServer {
  readonly world: World;
  readonly api: SimApi;
  readonly random: Random;
  readonly kinds: RuledKinds;
}

const LONGEST_MS = 45_000;
const READS: readonly RuledVerb[] = ['get', 'list'];
const CHANGES: readonly RuledVerb[] = ['replace', 'status', 'patch'];
const WRITES: readonly RuledVerb[] = ['create', ...CHANGES, 'delete'];
const LEASES = resourceName(leases);

/** A rule that a trouble has selected, with its texts for the trace and for the coverage table. */
interface Thrown {
  /** Name of the fault in the coverage table. */
  readonly fault: string;
  readonly what: string;
  readonly rule: Rule;
}

type Throw = (random: Random, kinds: RuledKinds) => Thrown;

const THROWS: Readonly<Record<ServerTrouble, Throw>> = {
  limits: throwLimit,
  quotas: (random, { created }) => {
    const kind = random.pick(created);
    const refusal = failure(403, 'Forbidden', `exceeded quota: no more ${kind.plural}`);
    return { fault: 'quota exceeded', ...onKind(kind, ['create'], refuses(refusal)) };
  },
  webhooks: throwWebhook,
  throttling: (random) => {
    const seconds = random.between(1, 20);
    const rule: Rule = ({ verb, resource }) =>
      verb === 'watch' || isLease(resource) ? null : refuses(tooMany(seconds));
    const fault = 'requests throttled';
    return { fault, what: `requests are answered with 429 and Retry-After ${seconds}`, rule };
  },
  partialNetwork: throwPartialNetwork,
  conversions: (random, { own }) => {
    const kind = random.pick(own);
    const refusal = failure(500, 'InternalError', `conversion webhook for ${kind.plural} failed`);
    const all: readonly RuledVerb[] = ['watch', ...READS, ...WRITES];
    return { fault: 'conversion fails', ...onKind(kind, all, refuses(refusal)) };
  },
  silentWatches: (random, { watched }) => {
    const ms = random.between(5_000, 60_000);
    const silence: Effect = { kind: 'answers', afterMs: ms, refusal: null };
    return { fault: 'watch silent', ...onKind(random.pick(watched), ['watch'], silence) };
  },
};

export function isServerTrouble(trouble: string): trouble is ServerTrouble {
  return (SERVER_TROUBLES as readonly string[]).includes(trouble);
}

export function strikeServer(
  trouble: ServerTrouble,
  { world, api, random, kinds }: StruckServer,
): void {
  const ms = random.between(200, LONGEST_MS);
  const { fault, what, rule } = THROWS[trouble](random, kinds);
  world.faults.met(fault);
  world.note(`${trouble} for ${ms} ms: ${what}`);
  world.after(ms, api.rules.add(rule));
}

function onKind(
  kind: Resource,
  verbs: readonly RuledVerb[],
  effect: Effect,
): Omit<Thrown, 'fault'> {
  const name = resourceName(kind);
  const rule: Rule = ({ verb, resource }) =>
    resourceName(resource) === name && verbs.includes(verb) ? effect : null;
  const says =
    effect.kind === 'answers'
      ? `${effect.refusal?.message ?? 'taken'} after ${effect.afterMs} ms`
      : effect.kind;
  return { what: `${verbs.join(', ')} of ${name}: ${says}`, rule };
}

function throwLimit(random: Random, { own }: RuledKinds): Thrown {
  const bytes = random.pick([600, 1_200, 2_400]);
  const refusal = random.pick<ApiError>([
    failure(500, '', 'etcdserver: request is too large'),
    failure(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
    failure(422, 'Invalid', 'status: Too long: may not be more than 1048576 bytes'),
  ]);
  const names = new Set(own.map(resourceName));
  const rule: Rule = ({ resource, object }) => {
    const isOwn = names.has(resourceName(resource));
    return isOwn && JSON.stringify(object).length > bytes ? refuses(refusal) : null;
  };
  const fault = 'object too large';
  return { fault, what: `what is larger than ${bytes} bytes: ${refusal.message}`, rule };
}

/** A foreign webhook on one kind that denies requests or hangs. */
function throwWebhook(random: Random, { created, own }: RuledKinds): Thrown {
  const kind = random.pick([...created, ...own] as [Resource, ...Resource[]]);
  const verbs = random.pick<readonly RuledVerb[]>([['create'], CHANGES, ['delete'], WRITES]);
  const ms = random.between(500, 30_000);
  const denied = failure(403, 'Forbidden', 'admission webhook "policy.example" denied the request');
  const late = failure(500, 'InternalError', 'failed calling webhook: context deadline exceeded');
  const effect = random.pick<Effect>([
    refuses(denied),
    refuses(denied),
    refuses(late, ms),
    { kind: 'answers', afterMs: ms, refusal: null },
  ]);
  const isHung = effect.kind === 'answers' && effect.afterMs > 0;
  const fault = isHung ? 'foreign webhook hangs' : 'foreign webhook denies';
  return { fault, ...onKind(kind, verbs, effect) };
}

function throwPartialNetwork(random: Random): Thrown {
  const verbs = random.pick<readonly RuledVerb[]>([WRITES, WRITES, CHANGES, ['create'], READS]);
  const kind = random.pick<'losesRequest' | 'losesAnswer'>(['losesRequest', 'losesAnswer']);
  const withLeases = random.chance(0.3);
  const rule = ({ verb, resource }: RuledRequest): Effect | null =>
    verbs.includes(verb) && (withLeases || !isLease(resource)) ? { kind } : null;
  const of = withLeases ? 'everything' : 'all but leases';
  const what = `${verbs.join(', ')} of ${of}: ${kind}`;
  return { fault: 'network in part', what, rule };
}

function isLease(resource: Resource): boolean {
  return resourceName(resource) === LEASES;
}
