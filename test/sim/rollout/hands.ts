/**
 * Clients that write the Deployment directly to the server, as kubectl, autoscalers and GitOps tools do. The class
 * records the number of replicas that these clients wanted last.
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
  /** Number of replicas that a client wanted last. */
  wanted: number;
  /** Versions of all manifests so far, the last one at the end. */
  readonly versions: string[] = [];
  /** Number of write requests so far, whatever their result. */
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

  /** True if this is the wanted number. A foreign webhook may have raised 1 to 2. */
  areWanted(replicas: number): boolean {
    if (replicas === this.wanted) return true;
    return this.wanted === 1 && replicas === 2 && this.#options.gate.others.hasRaised;
  }

  nextVersion(): string {
    const version = throwVersion(this.#options.random, this.versions.length + 1);
    this.versions.push(version);
    return version;
  }

  /** Writes a whole manifest: creates the Deployment, or replaces it without any field of Lifehook. */
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

  /** Changes fields of the spec by a merge patch. */
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
   * Wanted count of a Deployment that is held at 0 replicas; otherwise null. With other replicas and an
   * unreleased number, a user has resumed what a deleted lifecycle left paused. The user's replicas are wanted then,
   * even if an undo restores the annotations of an older ReplicaSet.
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

  /** Like `scale`, but without the webhook: Kubernetes permits a write while its webhook does not answer. */
  scalePastGate(replicas: number): void {
    this.#write(`scale to ${replicas} past the gate`, () => {
      this.#options.api.scale(KEY_OF_WEB, replicas);
      this.wanted = replicas;
    });
  }

  /**
   * Writes, and records the wanted replicas; null: the write has none. While the Deployment is held at 0 replicas, a
   * write of 0 does not change the wanted count.
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
