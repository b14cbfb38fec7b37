/**
 * Judges writes to objects that other clients write to as well:
 *
 *  CTRL-F2 No finalizer of another client is lost.
 *  CTRL-K1 The time of a condition moves when its status changes, and at no other time.
 *  CTRL-W5 A status is written only over the version that was read.
 */
import { type Condition, findCondition } from '../../../src/controller/conditions.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { World } from '../world.ts';
import { FOREIGN_FINALIZER, type ForeignFinalizers } from './foreign-finalizers.ts';
import { type Widget, widgets } from './sample-controller.ts';
import type { SimApi, Stored } from './sim-api.ts';
import type { SimWrite } from './sim-client.ts';

/** Wrong clocks can give two changes the same second, but not so many changes in a row. */
const SAME_TIMES_MAX = 3;
/** Milliseconds. Changes that are closer may have the same time, since a time has whole seconds. */
const APART_MS = 2_000;

interface Seen {
  readonly object: Stored;
  /** Time of the last change of the status, in simulated milliseconds. */
  readonly changedMs: number;
  /** Number of status changes in a row that left the time of the condition unchanged. */
  readonly sameTimes: number;
}

export class SharedJudge {
  readonly #world: World;
  readonly #foreign: ForeignFinalizers;
  /** The last state of each widget, keyed by UID. */
  readonly #seen = new Map<string, Seen>();

  constructor(world: World, api: SimApi, foreign: ForeignFinalizers) {
    this.#world = world;
    this.#foreign = foreign;
    api.onCommit(({ resource, object }) => {
      if (resource === resourceName(widgets)) this.#look(object);
    });
    api.onRestore(() => {
      this.#seen.clear();
    });
  }

  sent({ host, verb, resource, object }: SimWrite): void {
    if (verb !== 'status' || resource !== resourceName(widgets)) return;
    if (object.metadata?.resourceVersion !== undefined) return;
    const what = `${host.name} writes a status of ${object.metadata?.name}`;
    this.#world.violate('CTRL-W5', `${what} over any stored version`);
  }

  #look(object: Stored): void {
    const { uid = '', name, finalizers = [] } = object.metadata;
    const before = this.#seen.get(uid);
    const first = { object, changedMs: this.#world.elapsedMs, sameTimes: 0 };
    this.#seen.set(uid, before === undefined ? first : this.#judgeCondition(before, object));
    const held = before?.object.metadata.finalizers?.includes(FOREIGN_FINALIZER) ?? false;
    if (!held || this.#foreign.isWriting || finalizers.includes(FOREIGN_FINALIZER)) return;
    this.#world.violate('CTRL-F2', `${name} has lost the finalizer of another`);
  }

  #judgeCondition(seen: Seen, object: Stored): Seen {
    const [before, after] = [readyOf(seen.object), readyOf(object)];
    const { elapsedMs } = this.#world;
    if (before === undefined || after === undefined)
      return { object, changedMs: elapsedMs, sameTimes: 0 };
    const isSameTime = before.lastTransitionTime === after.lastTransitionTime;
    const { name } = object.metadata;
    if (before.status === after.status) {
      if (!isSameTime) this.#world.violate('CTRL-K1', `Ready of ${name} stays, its time moves`);
      return { ...seen, object };
    }
    const isApart = elapsedMs - seen.changedMs >= APART_MS;
    const sameTimes = isSameTime ? seen.sameTimes + (isApart ? 1 : 0) : 0;
    if (sameTimes > SAME_TIMES_MAX)
      this.#world.violate('CTRL-K1', `the time of ${name} never moves`);
    return { object, changedMs: elapsedMs, sameTimes };
  }
}

function readyOf(object: Stored): Condition | undefined {
  return findCondition((object as Widget).status?.conditions ?? [], 'Ready');
}
