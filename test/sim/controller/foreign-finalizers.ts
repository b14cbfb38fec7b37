/** Another controller that adds its own finalizer to some widgets, and removes it when they are terminating. */
import { isTerminating } from '../../../src/controller/finalizers.ts';
import { type ObjectKey, resourceName } from '../../../src/kube/object.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { widgets } from './sample-controller.ts';
import type { SimApi, Stored } from './sim-api.ts';

export const FOREIGN_FINALIZER = 'other.example/hold';

/** Milliseconds; about as long as the sample controller takes to add its finalizer. */
const ADDS_WITHIN_MS = 60;
const REMOVES_WITHIN_MS = 5_000;

export class ForeignFinalizers {
  readonly #world: World;
  readonly #api: SimApi;
  readonly #random: Random;
  readonly #seen = new Set<string>();
  /** True during its own write. */
  isWriting: boolean = false;

  constructor(world: World, api: SimApi, random: Random) {
    this.#world = world;
    this.#api = api;
    this.#random = random;
    api.onCommit(({ resource, object }) => {
      if (resource === resourceName(widgets)) this.#look(object);
    });
    api.onRestore(() => {
      this.#seen.clear();
      for (const widget of api.list(widgets)) this.#look(widget);
    });
  }

  #look(widget: Stored): void {
    const { namespace = '', name = '', uid = '' } = widget.metadata;
    const id = `${uid} ${isTerminating(widget) ? 'going' : 'new'}`;
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    const withinMs = isTerminating(widget) ? REMOVES_WITHIN_MS : ADDS_WITHIN_MS;
    if (!isTerminating(widget) && this.#random.chance(0.5)) return;
    this.#world.after(this.#random.between(0, withinMs), () => {
      this.#write({ namespace, name });
    });
  }

  #write(key: ObjectKey): void {
    const widget = this.#api.find(widgets, key);
    if (widget === undefined) return;
    const others = (widget.metadata.finalizers ?? []).filter((one) => one !== FOREIGN_FINALIZER);
    const finalizers = isTerminating(widget) ? others : [...others, FOREIGN_FINALIZER];
    this.isWriting = true;
    this.#api.replace(
      widgets,
      { ...widget, metadata: { ...widget.metadata, finalizers } },
      'object',
    );
    this.isWriting = false;
  }
}
