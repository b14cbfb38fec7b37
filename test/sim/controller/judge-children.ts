/**
 * Judges the creates and deletes of children by their effect on the server:
 *
 *  CTRL-S3 A process that has created all children of a widget creates no further child while these exist.
 *  CTRL-X1 A process that has deleted a child does not delete it again.
 *  CTRL-X3 Both rules also hold if the response to the request was lost.
 */
import { isTerminating } from '../../../src/controller/finalizers.ts';
import { controllerOf } from '../../../src/controller/indexes.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { configMaps } from '../../../src/kube/resources.ts';
import type { World } from '../world.ts';
import { type Widget, widgets } from './sample-controller.ts';
import type { Entry, SimApi, Stored } from './sim-api.ts';
import type { SimWrite } from './sim-client.ts';

/** A child that a process created. */
interface Made {
  readonly uid: string;
  isAnswered: boolean;
}

export class ChildJudge {
  readonly #world: World;
  readonly #api: SimApi;
  /** Children that a process created, keyed by process and owner. */
  readonly #made = new Map<string, Made[]>();
  /** UID of the owner of each child, keyed by the child's name. */
  readonly #owners = new Map<string, string>();
  /** Process and name of each child that a request of the process deleted. */
  readonly #deleted = new Set<string>();
  /** Largest number of children that a widget's spec ever had, keyed by the widget's UID. */
  readonly #mostWanted = new Map<string, number>();

  constructor(world: World, api: SimApi) {
    this.#world = world;
    this.#api = api;
    api.onCommit((entry) => {
      this.#look(entry);
    });
    // After a restore, the server may have the deleted children again.
    api.onRestore(() => {
      this.#deleted.clear();
    });
  }

  sent(write: SimWrite): void {
    if (write.resource !== resourceName(configMaps)) return;
    if (write.verb === 'create') this.#judgeCreation(write);
    if (write.verb === 'delete') this.#judgeDeletion(write);
  }

  /** Call when the request has taken effect on the server. */
  applied({ host, verb, resource, object }: SimWrite, result: Stored | null): void {
    if (resource !== resourceName(configMaps)) return;
    if (verb === 'delete') this.#deleted.add(`${host.name} ${object.metadata?.name}`);
    if (verb !== 'create' || result === null) return;
    const id = `${host.name} ${controllerOf(result)?.uid}`;
    const made = this.#made.get(id) ?? [];
    this.#made.set(id, [...made, { uid: result.metadata.uid ?? '', isAnswered: false }]);
  }

  /** Call when the response has reached the process. */
  answered({ verb, resource }: SimWrite, result: Stored | null): void {
    if (verb !== 'create' || resource !== resourceName(configMaps)) return;
    for (const made of this.#made.values()) {
      for (const child of made) if (child.uid === result?.metadata.uid) child.isAnswered = true;
    }
  }

  #look(entry: Entry): void {
    if (entry.resource === resourceName(configMaps)) this.#lookAtChild(entry);
    if (entry.resource === resourceName(widgets)) this.#lookAtWidget(entry.object);
  }

  #lookAtChild({ type, object }: Entry): void {
    const { uid = '', name = '' } = object.metadata;
    this.#owners.set(name, controllerOf(object)?.uid ?? '');
    if (type === 'Delete') this.#forget(uid);
  }

  #lookAtWidget(object: Stored): void {
    const { uid = '' } = object.metadata;
    const { spec = {} } = object as Widget;
    this.#mostWanted.set(uid, Math.max(spec.children ?? 0, this.#mostWanted.get(uid) ?? 0));
  }

  /** Forgets a child that a restored server may have again: its creator cannot know that. */
  #forget(uid: string): void {
    for (const [id, made] of this.#made) {
      this.#made.set(
        id,
        made.filter((child) => child.uid !== uid),
      );
    }
  }

  #judgeCreation({ host, object }: SimWrite): void {
    const owner = controllerOf(object)?.uid ?? '';
    const made = this.#made.get(`${host.name} ${owner}`) ?? [];
    const present = new Set(
      this.#api
        .list(configMaps)
        .flatMap((child) => (isTerminating(child) ? [] : [child.metadata.uid])),
    );
    const alive = made.filter(({ uid }) => present.has(uid));
    const wanted = this.#mostWanted.get(owner) ?? 0;
    if (alive.length < wanted) return;
    const invariant = alive.every(({ isAnswered }) => isAnswered) ? 'CTRL-S3' : 'CTRL-X3';
    const what = `${host.name} has created ${alive.length} of ${wanted}, and creates another`;
    this.#world.violate(invariant, what);
  }

  /**
   * Judges the deletion of a child. The children of a terminating owner are listed on the server. A late request may
   * delete one of them first.
   */
  #judgeDeletion({ host, object }: SimWrite): void {
    const name = object.metadata?.name ?? '';
    if (!this.#deleted.has(`${host.name} ${name}`)) return;
    const owner = this.#api
      .peek(widgets)
      .find(({ metadata }) => metadata.uid === this.#owners.get(name));
    if (owner === undefined || isTerminating(owner)) return;
    this.#world.violate('CTRL-X1', `${host.name} has deleted ${name}, and deletes it again`);
  }
}
