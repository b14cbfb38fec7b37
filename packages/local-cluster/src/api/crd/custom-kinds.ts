/**
 * Serves the custom kinds of all stored CustomResourceDefinitions.
 *
 * - A definition is Established only once its kind is served: a client that reads it can use the kind.
 * - A name is accepted for one definition of a group at a time.
 * - A definition is deleted after the last object of its kind.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { LinkedSignal } from '../../../../../src/platform/linked-signal.ts';
import type { CancelSignal, Platform } from '../../../../../src/platform/platform.ts';
import { fieldsAt, objectAt, objectsAt, textAt, textsAt } from '../../../../../src/kube/fields.ts';
import { jsonEqual } from '../../objects/patch/json-value.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { type ObjectStore, type StoredObject, TooOldError } from '../../storage/object-store.ts';
import { timestamp } from '../context.ts';
import type { ResourceRegistry } from '../registry.ts';
import { removeAll, establish } from './clean-up.ts';
import {
  acceptNames,
  CLEAN_UP_FINALIZER,
  isTrueCondition,
  withCondition,
  withoutCleanUp,
} from './conditions.ts';
import { customDefinitions } from './custom-definition.ts';
import type { RuleEngines } from './checked-definitions.ts';

export const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

export interface CustomKindsOptions {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
  readonly platform: Pick<Platform, 'clock'>;
  readonly engines: RuleEngines;
}

interface Served {
  /** The definition that this kind is served from. */
  readonly from: JsonObject;
  readonly definitions: readonly ResourceDefinition[];
  readonly ended: LinkedSignal;
}

export class CustomKinds {
  readonly #options: CustomKindsOptions;
  readonly #stopping = new LinkedSignal();
  readonly #served = new Map<string, Served>();
  readonly #cleaning = new Map<string, Promise<void>>();
  #following: Promise<void> = Promise.resolve();

  constructor(options: CustomKindsOptions) {
    this.#options = options;
  }

  /** Rejects when the store fails; resolves after `stop`. */
  get running(): Promise<void> {
    return this.#following;
  }

  /** Resolves once all stored definitions are served. */
  async start(): Promise<void> {
    const from = this.#options.store.revision;
    await this.#lookAtAll();
    this.#following = this.#follow(from);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    await Promise.all(this.#cleaning.values());
    for (const { ended } of this.#served.values()) ended.abort();
  }

  async #follow(start: number): Promise<void> {
    const { store } = this.#options;
    for (let from = start; !this.#stopping.aborted; from = store.revision) {
      try {
        await this.#followChanges(from, this.#stopping);
      } catch (error) {
        if (!(error instanceof TooOldError)) throw error;
        await this.#lookAtAll();
      }
    }
  }

  async #followChanges(fromRevision: number, signal: CancelSignal): Promise<void> {
    const changes = this.#options.store.watch({ resource: DEFINITIONS, fromRevision, signal });
    for await (const { stored } of changes) {
      // Another definition of the group may be waiting for a name that is released.
      const group = textAt(stored.object, 'spec', 'group');
      await this.#lookAt(stored.address.name);
      for (const { object, address } of this.#ofGroup(group)) {
        if (!isTrueCondition(object, 'NamesAccepted')) await this.#lookAt(address.name);
      }
    }
  }

  async #lookAtAll(): Promise<void> {
    const { store } = this.#options;
    const known = store.list(DEFINITIONS).map(({ address }) => address.name);
    for (const name of new Set([...known, ...this.#served.keys()])) await this.#lookAt(name);
  }

  #ofGroup(group: string): readonly StoredObject[] {
    return this.#options.store
      .list(DEFINITIONS)
      .filter(({ object }) => textAt(object, 'spec', 'group') === group);
  }

  async #lookAt(name: string): Promise<void> {
    const { store, platform } = this.#options;
    const stored = store.get({ resource: DEFINITIONS, namespace: '', name });
    if (stored === undefined) {
      this.#unserve(name);
      return;
    }
    if (textAt(stored.object, 'metadata', 'deletionTimestamp') !== '') {
      // Without accepted names the kind was never served, and has no names to be served by.
      if (isTrueCondition(stored.object, 'Established')) await this.#serve(name, stored.object);
      else this.#unserve(name);
      this.#beginCleanUp(name);
      return;
    }
    const now = timestamp(platform.clock.nowMs());
    const others = this.#ofGroup(textAt(stored.object, 'spec', 'group'));
    const named = withNames(
      stored.object,
      others.map(({ object }) => object),
      now,
    );
    const established = establish(named, now);
    if (isTrueCondition(established, 'Established')) await this.#serve(name, established);
    else this.#unserve(name);
    await this.#write(stored, established);
  }

  async #serve(name: string, definition: JsonObject): Promise<void> {
    const from = servedFrom(definition);
    const before = this.#served.get(name);
    if (before !== undefined && jsonEqual(before.from, from)) return;
    const { engines } = this.#options;
    await engines.loadFor(definition);
    const ended = new LinkedSignal();
    const terminating = from['terminating'] === true;
    const { schemas } = engines.compile(definition);
    const definitions = customDefinitions({ definition, schemas, terminating, ended });
    this.#unserve(name);
    for (const one of definitions) this.#options.registry.add(one, schemaOf(definition, one));
    this.#served.set(name, { from, definitions, ended });
  }

  #unserve(name: string): void {
    const served = this.#served.get(name);
    if (served === undefined) return;
    this.#served.delete(name);
    for (const definition of served.definitions) this.#options.registry.remove(definition);
    served.ended.abort();
  }

  /** Returns false on a write conflict; the newer version arrives as the next change. */
  async #write(
    { address, revision, object: before }: StoredObject,
    object: JsonObject,
  ): Promise<boolean> {
    if (jsonEqual(before, object)) return true;
    const terminating = textAt(object, 'metadata', 'deletionTimestamp') !== '';
    const free = textsAt(object, 'metadata', 'finalizers').length === 0;
    const next = terminating && free ? null : object;
    const change = { address, expectRevision: revision, object: next };
    return (await this.#options.store.write(change)).kind !== 'conflict';
  }

  #beginCleanUp(name: string): void {
    if (this.#cleaning.has(name)) return;
    const done = this.#cleanUp(name).finally(() => this.#cleaning.delete(name));
    // `stop` awaits `done` and gets its rejection. Before that, the next write reports the failure of the store.
    done.catch(() => undefined);
    this.#cleaning.set(name, done);
  }

  async #cleanUp(name: string): Promise<void> {
    const { store, platform } = this.#options;
    const { clock } = platform;
    const update = async (
      change: (object: JsonObject, now: string) => JsonObject,
    ): Promise<void> => {
      for (let written = false; !written && !this.#stopping.aborted;) {
        const stored = store.get({ resource: DEFINITIONS, namespace: '', name });
        const finalizers = textsAt(stored?.object ?? {}, 'metadata', 'finalizers');
        if (stored === undefined || !finalizers.includes(CLEAN_UP_FINALIZER)) return;
        written = await this.#write(stored, change(stored.object, timestamp(clock.nowMs())));
      }
    };
    await update((object, now) => withCondition(object, IN_PROGRESS, now));
    await removeAll({ store, clock, resource: name, signal: this.#stopping });
    if (this.#stopping.aborted) return;
    await update((object, now) => withoutCleanUp(withCondition(object, COMPLETED, now)));
  }
}

const IN_PROGRESS = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
} as const;

const COMPLETED = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
} as const;

function withNames(definition: JsonObject, others: readonly JsonObject[], now: string): JsonObject {
  const { names, condition } = acceptNames(definition, others);
  const status = { ...fieldsAt(definition, 'status'), acceptedNames: names };
  return withCondition({ ...definition, status }, condition, now);
}

/** The fields that decide how a kind is served. */
function servedFrom(definition: JsonObject): JsonObject {
  return {
    spec: fieldsAt(definition, 'spec'),
    names: fieldsAt(definition, 'status', 'acceptedNames'),
    terminating: textAt(definition, 'metadata', 'deletionTimestamp') !== '',
  };
}

function schemaOf(definition: JsonObject, { version }: ResourceDefinition): JsonObject {
  const found = objectsAt(definition, 'spec', 'versions').find(
    (one) => textAt(one, 'name') === version,
  );
  return objectAt(found ?? {}, 'schema', 'openAPIV3Schema') ?? {};
}
