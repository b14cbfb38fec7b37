/**
 * Judges the answers of the webhook.
 *
 *  SNAP-W2 A window has recorded each allowed object, as frozen or as not frozen.
 *  SNAP-W7 A dry run is allowed, and no window admits it.
 *  SNAP-W8 A request without a freeze is refused in time, or allowed if the guard permits that.
 *  SNAP-W10 A snapshot of a claim that does not exist is refused.
 */
import { type Resource, resourceName } from '../../../src/kube/object.ts';
import { persistentVolumeClaims } from '../../../src/kube/resources.ts';
import { snapshotGuards } from '../../../src/lifecycles/snapshot/kinds.ts';
import { type GuardCourt, isPlainGuard, violateGuard } from './guard-court.ts';
import type { GuardWindows } from './guard-windows.ts';
import { mayBeLate } from './judge.ts';
import type { ThirdPartyRequest } from './third-parties.ts';

/** Milliseconds that the reads before a freeze and the writes after it may take, on an undisturbed server. */
const ANSWER_MS = 2_000;
/** Seconds: any freeze without failures ends sooner. */
const ENOUGH_SECONDS = 10;

export class RequestJudge {
  readonly #court: GuardCourt;
  readonly #windows: GuardWindows;
  /** Simulated times at which a guard or claim was last created and deleted, keyed by resource and name. */
  readonly #changedMs = new Map<string, { createdMs: number; deletedMs: number | null }>();

  constructor(court: GuardCourt, windows: GuardWindows) {
    this.#court = court;
    this.#windows = windows;
    const kept = new Set([snapshotGuards, persistentVolumeClaims].map(resourceName));
    court.api.onCommit(({ resource, type, object }) => {
      if (!kept.has(resource)) return;
      const nowMs = court.world.elapsedMs;
      const text = `${resource} ${object.metadata.name ?? ''}`;
      const known = this.#changedMs.get(text);
      if (type === 'Delete') {
        this.#changedMs.set(text, { createdMs: known?.createdMs ?? 0, deletedMs: nowMs });
      } else if (known === undefined || known.deletedMs !== null) {
        this.#changedMs.set(text, { createdMs: nowMs, deletedMs: null });
      }
    });
  }

  /** Call when the API server has the answer: it stores the object or refuses it. */
  answered(request: ThirdPartyRequest): void {
    const { api, guard } = this.#court;
    const { plan, askedMs, answer } = request;
    if (api.restores > 0) return;
    if (plan.isDryRun) {
      this.#judgeDryRun(request);
      return;
    }
    if (!this.#isThereSince(snapshotGuards, guard.name, askedMs)) return;
    this.#judgeTime(request);
    if (answer === 'allowed') this.#judgeAllowed(request);
    else this.#judgeRefusal(request);
  }

  #judgeAllowed({ plan, askedMs, name, uid }: ThirdPartyRequest): void {
    const missing = plan.claims.find((claim) => this.#isDeletedBefore(claim, askedMs));
    if (missing !== undefined && plan.mode === 'Single') {
      this.#violate('SNAP-W10', `${name} is allowed, and claim ${missing} does not exist`);
    }
    if (this.#windows.with(uid).length === 0) {
      this.#violate('SNAP-W2', `${name} is allowed, and no window has recorded its UID`);
    }
    const isUnfrozen = this.#windows.entryOf(uid)?.unfrozen !== undefined;
    if (isUnfrozen && this.#court.guard.onFreezeFailure === 'Refuse') {
      this.#violate('SNAP-W8', `${name} is allowed without a freeze, and the guard says Refuse`);
    }
  }

  #judgeDryRun({ answer, name, uid }: ThirdPartyRequest): void {
    if (answer === 'refused') this.#violate('SNAP-W7', `the dry run of ${name} is refused`);
    if (this.#windows.with(uid).length === 0) return;
    this.#violate('SNAP-W7', `the dry run of ${name} is in a window`);
  }

  #judgeTime({ askedMs, name, answer }: ThirdPartyRequest): void {
    if (answer === 'failed' || mayBeLate(this.#court, askedMs)) return;
    const { world, guard } = this.#court;
    const latestMs = askedMs + guard.freezeTimeoutSeconds * 1_000 + ANSWER_MS;
    if (world.elapsedMs <= latestMs) return;
    this.#violate('SNAP-W8', `${name} is answered ${world.elapsedMs - latestMs} ms late`);
  }

  /** Judges a refusal only if nothing fails and there is no other request. */
  #judgeRefusal({ name, answer, isServed }: ThirdPartyRequest): void {
    const { guard, scene } = this.#court;
    const isAlone = guard.requests.length === 1 && scene.snapshots.length === 0;
    const isEnough = guard.freezeTimeoutSeconds >= ENOUGH_SECONDS && !guard.isDisturbed;
    // A process that cannot lead exits. Until then, the server may send requests to it.
    if (!isServed || !isAlone || !isEnough || !isPlainGuard(this.#court)) return;
    this.#violate('SNAP-W8', `${name} has ${answer ?? 'no answer'}, and no fault happened`);
  }

  #isThereSince(resource: Resource, name: string, ms: number): boolean {
    const known = this.#changedMs.get(`${resourceName(resource)} ${name}`);
    return known !== undefined && known.deletedMs === null && known.createdMs <= ms;
  }

  #isDeletedBefore(claim: string, ms: number): boolean {
    const known = this.#changedMs.get(`${resourceName(persistentVolumeClaims)} ${claim}`);
    return known !== undefined && known.deletedMs !== null && known.deletedMs < ms;
  }

  #violate(invariant: string, why: string): void {
    violateGuard(this.#court, invariant, why);
  }
}
