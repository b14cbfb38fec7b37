/** CTRL-X2: a key waits neither for a refused request nor for an object that the cache of its process already shows. */
import type { ControllerEvent } from '../../../src/controller/controller-event.ts';
import { isTerminating } from '../../../src/controller/finalizers.ts';
import type { Change } from '../../../src/controller/informer.ts';
import { keyText } from '../../../src/controller/object-key.ts';
import { ApiError, type UnreachableError } from '../../../src/kube/api-error.ts';
import { type KubeObject, resourceName } from '../../../src/kube/object.ts';
import { configMaps } from '../../../src/kube/resources.ts';
import type { World } from '../world.ts';
import type { Stored } from './sim-api.ts';
import type { SimWrite } from './sim-client.ts';

/** Matches the reason of a wait for the cache. */
const REASON = /the cache does not show .* yet$/;
/** Maximum time that a key waits after its last request, in milliseconds on the slowest clock. */
const LONGEST_MS = 320_000;

/** Creations and deletions that the controller may still wait for, for one key. */
interface Open {
  /** Names of created children that the cache does not show yet. `deleted` has the same for deleted children. */
  readonly created: Set<string>;
  readonly deleted: Set<string>;
  /** True if the outcome of a create is unknown. */
  isUnknown: boolean;
  lastMs: number;
}

/** Judges one process. */
export class WaitJudge {
  readonly #world: World;
  readonly #open = new Map<string, Open>();
  /**
   * Whether there was something to wait for when the last reconcile of a key began. During a reconcile, the cache may
   * change.
   */
  readonly #opened = new Map<string, boolean>();
  readonly #shown = new Set<string>();
  /** Names of children that the cache has shown as terminating or deleted. */
  readonly #ended = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  answered(write: SimWrite, answer: Stored | null): void {
    this.#expect(write, (answer ?? write.object).metadata?.name ?? '');
  }

  #expect(write: SimWrite, name: string): void {
    const open = this.#of(write);
    if (write.verb === 'create' && !this.#shown.has(name)) open?.created.add(name);
    if (write.verb === 'delete' && !this.#ended.has(name)) open?.deleted.add(name);
  }

  refused(write: SimWrite, refusal: ApiError | UnreachableError): void {
    const isDefinite = refusal instanceof ApiError && refusal.code !== 500 && refusal.code !== 504;
    if (isDefinite) return;
    const open = this.#of(write);
    if (open !== null && write.verb === 'create') open.isUnknown = true;
    else this.answered(write, null);
  }

  /** Call when the cache of the process has changed. */
  changed({ before, after }: Change<KubeObject>): void {
    const { name = '' } = (after ?? before)?.metadata ?? {};
    if (before === null) {
      this.#shown.add(name);
      this.#ended.delete(name);
    }
    const hasEnded = after === null || isTerminating(after);
    if (hasEnded) this.#ended.add(name);
    for (const { created, deleted } of this.#open.values()) {
      created.delete(name);
      if (hasEnded) deleted.delete(name);
    }
  }

  observe(event: ControllerEvent): void {
    if (event.type === 'PassStarted') this.#opened.set(event.key, this.#isOpen(event.key));
    if (event.type !== 'PassEnded' || event.outcome.kind !== 'requeueAfter') return;
    const { key, outcome } = event;
    if (!REASON.test(outcome.reason)) return;
    if (this.#opened.get(key) === true || this.#isOpen(key)) return;
    this.#world.violate('CTRL-X2', `${key} waits for nothing: ${outcome.reason}`);
  }

  #isOpen(key: string): boolean {
    const open = this.#open.get(key);
    return open !== undefined && (open.isUnknown || open.created.size + open.deleted.size > 0);
  }

  /** The waits of the key that the write belongs to; null if the write concerns no child. */
  #of({ verb, resource, object }: SimWrite): Open | null {
    if (resource !== resourceName(configMaps)) return null;
    const key = ownerKey(verb, object);
    const { elapsedMs } = this.#world;
    const before = this.#open.get(key);
    const isOver = before === undefined || elapsedMs - before.lastMs > LONGEST_MS;
    const none = { created: new Set<string>(), deleted: new Set<string>(), isUnknown: false };
    const open: Open = isOver ? { ...none, lastMs: elapsedMs } : before;
    open.lastMs = elapsedMs;
    this.#open.set(key, open);
    return open;
  }
}

/** Key of the widget of a child. A child's name is its widget's name, "-" and a part that the server generates. */
function ownerKey(verb: string, { metadata = {} }: KubeObject): string {
  const { namespace = '', name = '', generateName = '' } = metadata;
  const prefix = verb === 'create' ? generateName : name.slice(0, name.lastIndexOf('-') + 1);
  return keyText({ namespace, name: prefix.slice(0, -1) });
}
