/**
 * Writers of the Deployment, straight at the server: what kubectl, autoscalers and GitOps do. It is kept how
 * many replicas were wanted last, as those understand it who wrote.
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
  /** That were wanted last. */
  wanted: number;
  /** Of the manifest that was written last, and of those before it. */
  readonly versions: string[] = [];
  /** Requests to change something, whatever became of them. */
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

  nextVersion(): string {
    const version = throwVersion(this.#options.random, this.versions.length + 1);
    this.versions.push(version);
    return version;
  }

  /** A whole manifest: created, or in place of what is there, without anything of ours in it. */
  replace(version: string, replicas: number): void {
    const { api, scene } = this.#options;
    const manifest = deploymentObject(scene, { version, replicas });
    const before = this.stored;
    if (before === undefined) {
      if (this.#write('create', () => api.create(deployments, manifest))) this.wanted = replicas;
      return;
    }
    this.#write('replace', () => {
      api.replace(deployments, manifest, 'object');
      this.#wants(replicas);
    });
  }

  /** Fields of the spec, as a merge patch. */
  patch(spec: JsonObject): void {
    const { api } = this.#options;
    this.#write('patch', () => {
      api.patch(deployments, KEY_OF_WEB, { type: 'merge', body: { spec } });
      const { replicas } = spec;
      if (typeof replicas === 'number') this.#wants(replicas);
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
   * The wanted count of a Deployment that is held at 0; null: it is not. With other replicas and an unreleased number
   * it was left paused by a deleted lifecycle and then resumed: the user's replicas are wanted, and an undo that
   * restores the annotations of an older ReplicaSet wants no other count.
   */
  get #heldCount(): number | null {
    const { stored } = this;
    if (stored?.spec?.replicas !== 0) return null;
    const { held, wantedReplicas } = gateStateOf(stored);
    return held ? wantedReplicas : null;
  }

  /** By the scale subresource. */
  scale(replicas: number): void {
    const { api, gate } = this.#options;
    const before = api.find(deployments, KEY_OF_WEB);
    if (before === undefined) return;
    const { held } = gateStateOf(before as unknown as Deployment);
    if (gate.isDown && held) return;
    this.#write(`scale to ${replicas}`, () => {
      gate.admitScale(replicas, before);
      api.scale(KEY_OF_WEB, replicas);
      this.#wants(replicas);
    });
  }

  /** As `scale`, where the webhook of scales is not asked: Kubernetes lets one pass whose webhook is down. */
  scalePastGate(replicas: number): void {
    this.#write(`scale to ${replicas} past the gate`, () => {
      this.#options.api.scale(KEY_OF_WEB, replicas);
      this.wanted = replicas;
    });
  }

  /** Who writes 0 where 0 stands, wants nothing else; where nothing is held 0 is what they want. */
  #wants(replicas: number): void {
    const { stored } = this;
    const { held = false, wantedReplicas = null } = stored === undefined ? {} : gateStateOf(stored);
    if (replicas === 0 && held && wantedReplicas !== null) return;
    this.wanted = replicas;
  }

  #write(what: string, act: () => void): boolean {
    const { world } = this.#options;
    this.writes += 1;
    try {
      act();
      world.note(`somebody: ${what}; ${this.wanted} are wanted`);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      world.note(`somebody: ${what} is refused: ${error.message}`);
      return false;
    }
  }
}
