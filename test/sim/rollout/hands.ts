/**
 * Writers of the Deployment, straight at the server: like kubectl, autoscalers and GitOps. The replicas that were
 * wanted last are recorded, as their writers understand them.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { ApiError } from '../../../src/kube/api-error.ts';
import type { JsonObject } from '../../../src/kube/object.ts';
import { deployments } from '../../../src/kube/resources.ts';
import { countIn, gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { WANTED_REPLICAS } from '../../../src/lifecycles/rollout/names.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { GatedApi } from './gated-api.ts';
import type { Gate } from './gate.ts';
import { deploymentObject, KEY_OF_WEB, type Scene, templateOf, throwVersion } from './scene.ts';

export interface HandsOptions {
  readonly world: World;
  readonly api: GatedApi;
  readonly gate: Gate;
  readonly random: Random;
  readonly scene: Scene;
}

export class Hands {
  /** The replicas that were wanted last. */
  wanted: number;
  /** Versions of the last manifest, and of those before it. */
  readonly versions: string[] = [];
  /** Number of requests to change something, with any result. */
  writes: number = 0;
  readonly #options: HandsOptions;

  constructor(options: HandsOptions) {
    this.#options = options;
    this.wanted = options.scene.replicas;
    this.versions.push('v1');
  }

  get stored(): Deployment | undefined {
    const found: unknown = this.#options.api.find(deployments, KEY_OF_WEB);
    return found as Deployment | undefined;
  }

  /** A foreign webhook turns one replica into two. */
  areWanted(replicas: number): boolean {
    if (replicas === this.wanted) return true;
    return this.wanted === 1 && replicas === 2 && this.#options.gate.others.hasRaised;
  }

  nextVersion(): string {
    const version = throwVersion(this.#options.random, this.versions.length + 1);
    this.versions.push(version);
    return version;
  }

  /** Writes a whole manifest: creates it, or replaces the object without any of our fields. */
  replace(version: string, replicas: number): void {
    const { api, scene } = this.#options;
    const manifest = deploymentObject(scene, { version, replicas });
    const before = this.stored;
    if (before === undefined) {
      if (this.#write('create', () => api.create(deployments, manifest))) this.wanted = replicas;
      return;
    }
    this.#want('replace', replicas, () => {
      api.replace(deployments, manifest, 'object');
    });
  }

  /** Patches fields of the spec with a merge patch. */
  patch(spec: JsonObject): void {
    const { api } = this.#options;
    const { replicas } = spec;
    const asked = typeof replicas === 'number' ? replicas : null;
    this.#want('patch', asked, () => {
      api.patch(deployments, KEY_OF_WEB, { type: 'merge', body: { spec } });
    });
  }

  setTemplate(version: string, more: JsonObject = {}): void {
    this.patch({ ...more, template: templateOf(version) as unknown as JsonObject });
  }

  takeLabel(name: string): void {
    const { api } = this.#options;
    this.#write(`take the label ${name} off`, () => {
      const body = { metadata: { labels: { [name]: null } } };
      api.patch(deployments, KEY_OF_WEB, { type: 'merge', body });
    });
  }

  annotate(annotations: Readonly<Record<string, string>>): void {
    const { api } = this.#options;
    this.#write('annotate', () => {
      api.patch(deployments, KEY_OF_WEB, { type: 'merge', body: { metadata: { annotations } } });
      const said = countIn(annotations[WANTED_REPLICAS]);
      if (said !== null && said === this.#heldCount) this.wanted = said;
    });
  }

  /**
   * The wanted count of a Deployment that is held at 0; null: it is not held. If it has other replicas and an
   * unreleased number, a deleted lifecycle left it paused and a user resumed it: then the user's replicas are wanted,
   * and an undo that restores the annotations of an older ReplicaSet does not change the count.
   */
  get #heldCount(): number | null {
    const { stored } = this;
    if (stored?.spec?.replicas !== 0) return null;
    const { held, wantedReplicas } = gateStateOf(stored);
    return held ? wantedReplicas : null;
  }

  /** Scales by the scale subresource. */
  scale(replicas: number): void {
    const { api, gate } = this.#options;
    const before = api.find(deployments, KEY_OF_WEB);
    if (before === undefined) return;
    const { held } = gateStateOf(before as unknown as Deployment);
    if (gate.isDown && held) return;
    this.#want(`scale to ${replicas}`, replicas, () => {
      gate.admitScale(replicas, before);
      api.scale(KEY_OF_WEB, replicas);
    });
  }

  /**
   * Like `scale`, but the webhook of scales is not called: Kubernetes lets a write through while its webhook is down.
   */
  scalePastGate(replicas: number): void {
    this.#write(`scale to ${replicas} past the gate`, () => {
      this.#options.api.scale(KEY_OF_WEB, replicas);
      this.wanted = replicas;
    });
  }

  /**
   * A write of 0 over a held 0 does not change the wanted count; over any other value, 0 is wanted. null: no replicas
   * in the write.
   */
  #want(what: string, replicas: number | null, act: () => void): void {
    const isRepeated = replicas === 0 && this.#heldCount !== null;
    this.#write(what, () => {
      act();
      if (replicas !== null && !isRepeated) this.wanted = replicas;
    });
  }

  #write(what: string, act: () => void): boolean {
    const { world } = this.#options;
    this.writes += 1;
    try {
      act();
      world.note(`a user: ${what}; ${this.wanted} are wanted`);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      world.note(`a user: ${what} is refused: ${error.message}`);
      return false;
    }
  }
}
