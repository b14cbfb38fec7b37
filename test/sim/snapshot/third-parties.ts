/**
 * Clients that take snapshots of guarded claims, as a backup tool does, and the API server between them and the webhook
 * of the guards. A client may disconnect, for example when the freeze ends. After the webhook has answered, the server
 * may store the object late, refuse it, or stop before it stores it or before it answers. Some clients send their
 * request when the window is about to close.
 */
import type { AdmissionRequest } from '../../../src/controller/admission/admission-review.ts';
import { isReason } from '../../../src/kube/api-error.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { VolumeSnapshot } from '../../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Entry, SimApi } from '../controller/sim-api.ts';
import type { Faults, PhasesOf } from '../faults.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import type { GuardPlan, RequestPlan } from './guard-scene.ts';
import type { Replica } from './replica.ts';
import { objectOf, resourceOf, reviewOf, reviewOfMember } from './requested-objects.ts';
import { NAMESPACE, type SimCluster } from './sim-cluster.ts';
import { isClaim } from './storage.ts';

/** A process that serves the webhook; null if it is not running. */
type Webhook = Pick<Replica, 'review'> | null;
type Answer = 'allowed' | 'refused' | 'failed';

/** One request of a client. `uid` is the UID of the requested object. */
export interface ThirdPartyRequest {
  readonly plan: RequestPlan;
  readonly name: string;
  readonly uid: string;
  readonly askedMs: number;
  /** The claims that exist when the request is answered. A group consists of the claims that its selector finds. */
  claims: readonly string[];
  /** True if the process that received the request is running when it is answered. */
  isServed: boolean;
  /** failed: the webhook did not answer, or answered with an error; null: there is no answer yet. */
  answer: Answer | null;
}

export interface ThirdPartiesOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly cluster: SimCluster;
  readonly account: Account;
  readonly random: Random;
  readonly guard: GuardPlan;
  readonly webhooks: () => readonly Webhook[];
  readonly isFaulty: () => boolean;
  /** Called when the webhook has answered, before the server stores the object. */
  readonly onAnswer: (request: ThirdPartyRequest) => void;
}

interface Likely {
  /** Probability for each request. */
  readonly likely: number;
  readonly phases?: PhasesOf;
}

/** timeoutSeconds of the webhook configuration, in milliseconds. */
const WEBHOOK_MS = 30_000;
/** Probability of each fault for each request. */
const LIKELY = 0.25;
/** Minimum probability in the phase of a given focus, which most requests meet only for a moment. */
const LIKELY_IN_FOCUS = 0.5;
const DISCONNECTS = 'client disconnects';
/** This trouble has no phases, because it is counted when the client really disconnects. */
const IMPATIENT = { likely: 0.1, phases: (): readonly string[] => [] };
const HASTY = { ...IMPATIENT, likely: 0.8 };
const TARDY = { likely: 0.8 };
/** Minimum delay of a tardy store, in milliseconds: the windows of most objects are closed by then. */
const TARDY_STORE_MS = 6_000;
const LONGEST_STORE_MS = 20_000;
/** Milliseconds until the webhook has seen that its window is frozen. */
const FREEZE_END_MS = 30;
/** Milliseconds after a cut within which belated requests are sent, around the close of the window. */
const MOMENT_MS = 100;
const WINDOWS = resourceName(applicationSnapshots);

export class ThirdParties {
  readonly #options: ThirdPartiesOptions;
  readonly #requests = new Map<string, ThirdPartyRequest>();
  /** Functions that disconnect a waiting client, keyed by the UID of its object. */
  readonly #connected = new Map<string, () => void>();
  readonly #frozen = new Set<string>();
  #belated: readonly RequestPlan[];
  #pending = 0;

  constructor(options: ThirdPartiesOptions) {
    this.#options = options;
    const { requests } = options.guard;
    const areBelated = areAskedAtCut(options.world.faults);
    this.#belated = requests.filter(({ isBelated }, at) => isBelated || (areBelated && at > 0));
    for (const plan of requests) if (!this.#belated.includes(plan)) this.#begin(plan, plan.atMs);
    options.api.onCommit((entry) => {
      if (options.guard.disturbance === 'hasty' && this.#isFreezeEnd(entry)) this.#disconnectSome();
    });
    options.account.onCut = (uid) => {
      if (this.#requests.has(uid)) this.#beginBelated();
    };
  }

  /** True if a client still waits, or will try again. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  of(uid: string): ThirdPartyRequest | undefined {
    return this.#requests.get(uid);
  }

  /** Schedules work. Returns a function that cancels it if it has not happened. */
  #after(ms: number, work: () => void): () => void {
    let isPending = true;
    const end = (): void => {
      if (isPending) this.#pending -= 1;
      isPending = false;
    };
    this.#pending += 1;
    const callOff = this.#options.world.after(ms, () => {
      end();
      work();
    });
    return () => {
      end();
      callOff();
    };
  }

  #isFreezeEnd({ resource, object }: Entry): boolean {
    const { spec, status, metadata } = object as unknown as ApplicationSnapshot;
    const { uid = '' } = metadata ?? {};
    if (resource !== WINDOWS || spec.window === undefined || this.#frozen.has(uid)) return false;
    if (status?.cutRequestedAt === undefined) return false;
    this.#frozen.add(uid);
    return true;
  }

  #begin(plan: RequestPlan, afterMs: number): void {
    this.#after(afterMs, () => {
      const isAsked = this.#options.world.faults.of('snapshot created', plan.name).strikes();
      if (isAsked) this.#ask(plan, plan.tries);
    });
  }

  #beginBelated(): void {
    const belated = this.#belated;
    this.#belated = [];
    for (const plan of belated) this.#begin(plan, this.#options.random.between(0, MOMENT_MS));
  }

  #disconnectSome(): void {
    for (const [uid, disconnect] of this.#connected) {
      const name = this.#requests.get(uid)?.name ?? '';
      if (!this.#happens(DISCONNECTS, `${name} hastily`, HASTY)) continue;
      this.#after(this.#options.random.between(0, FREEZE_END_MS), disconnect);
    }
  }

  /** Resolves with whether the webhook permits the snapshot controller to store a member of a group (SNAP-W7). */
  async admits(member: VolumeSnapshot): Promise<boolean> {
    const connection = new AbortController();
    const callOff = this.#after(WEBHOOK_MS, () => {
      connection.abort();
    });
    const answered = this.#review(reviewOfMember(member), this.#anyWebhook(), connection.signal);
    const answer = await Promise.race([answered, untilAborted(connection.signal)]);
    callOff();
    return answer === 'allowed';
  }

  /** The process that the API server calls; null if it is not running. */
  #anyWebhook(): Webhook {
    const running = this.#options.webhooks();
    return running[this.#options.random.between(0, running.length - 1)] ?? null;
  }

  #ask(plan: RequestPlan, tries: number): void {
    const { world, api, random, cluster, webhooks } = this.#options;
    if (cluster.isEnding) return;
    const uid = api.reserveUid();
    const name = plan.isGenerated ? `${plan.name}-${uid}` : plan.name;
    const askedMs = world.elapsedMs;
    const { claims } = plan;
    const isServed = true;
    const request: ThirdPartyRequest = { plan, name, uid, askedMs, claims, isServed, answer: null };
    this.#requests.set(uid, request);
    world.report(() => `client: creates ${resourceOf(plan).kind} ${name} (${uid})`);
    const connection = new AbortController();
    const disconnect = (): void => {
      if (request.answer !== null) return;
      if (world.elapsedMs < request.askedMs + WEBHOOK_MS) world.faults.met(DISCONNECTS);
      connection.abort();
      end('failed');
    };
    const callOff = this.#after(this.#patienceMs(request), disconnect);
    const end = (answer: Answer): void => {
      if (request.answer !== null) return;
      callOff();
      this.#connected.delete(uid);
      request.isServed = webhook !== null && webhooks().includes(webhook);
      this.#answered(request, answer, tries);
    };
    this.#connected.set(uid, disconnect);
    const webhook = this.#anyWebhook();
    this.#after(random.between(1, 5), () => {
      void this.#review(reviewOf(request), webhook, connection.signal).then(end);
    });
  }

  async #review(request: AdmissionRequest, webhook: Webhook, signal: AbortSignal): Promise<Answer> {
    try {
      const verdict = await webhook?.review(request, signal);
      if (verdict === undefined) return 'failed';
      return verdict.allowed ? 'allowed' : 'refused';
    } catch {
      return 'failed';
    }
  }

  /** Milliseconds until the server or the client stops waiting. */
  #patienceMs({ name }: ThirdPartyRequest): number {
    const { random } = this.#options;
    if (!this.#happens(DISCONNECTS, name, IMPATIENT)) return WEBHOOK_MS;
    return random.between(20, random.pick([500, 500, 10_000]));
  }

  #happens(fault: string, site: string, { likely, phases }: Likely = { likely: LIKELY }): boolean {
    const { world, random, guard, isFaulty } = this.#options;
    const sought = world.faults.isInGivenFocus ? Math.max(likely, LIKELY_IN_FOCUS) : likely;
    const probability = guard.isDisturbed && isFaulty() ? sought : 0;
    return world.faults.of(fault, site).chance(random, probability, phases);
  }

  #answered(request: ThirdPartyRequest, answer: Answer, tries: number): void {
    const { world, api, random, onAnswer } = this.#options;
    request.answer = answer;
    request.claims = request.plan.claims.filter((claim) => isClaim(api, claim));
    world.report(() => `API server: ${request.name} (${request.uid}) is ${answer}`);
    onAnswer(request);
    const isDone = answer === 'allowed' && (request.plan.isDryRun || this.#store(request));
    if (isDone || tries <= 1) return;
    this.#after(random.between(200, 8_000), () => {
      this.#ask(request.plan, tries - 1);
    });
  }

  /** Returns false if the client sees a failure, and may try again. */
  #store(request: ThirdPartyRequest): boolean {
    const { random, guard } = this.#options;
    const { name } = request;
    const isTardy = guard.disturbance === 'tardy';
    if (!isTardy && this.#happens('snapshot refused afterwards', name)) return false;
    if (!isTardy && this.#happens('server stops before it stores', name)) return false;
    const isLate = this.#happens('snapshot stored late', name, isTardy ? TARDY : undefined);
    const lateMs = random.between(isTardy ? TARDY_STORE_MS : 1, LONGEST_STORE_MS);
    const isUnheard = this.#happens('snapshot stored without an answer', name);
    this.#after(isLate ? lateMs : random.between(1, 30), () => {
      this.#create(request);
    });
    return !isUnheard;
  }

  #create({ plan, name, uid }: ThirdPartyRequest): void {
    const { api, world, cluster } = this.#options;
    if (cluster.isEnding) return;
    const resource = resourceOf(plan);
    try {
      api.create(resource, objectOf(plan, { namespace: NAMESPACE, name }), uid);
      world.report(() => `API server: stores ${resource.kind} ${name} (${uid})`);
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
      world.report(() => `API server: ${name} is taken`);
    }
  }
}

/** True if all requests but the first are sent at a cut: in seeds that concentrate on the time after a cut. */
function areAskedAtCut(faults: Faults): boolean {
  const isSought = faults.isFocusGiven && faults.isFocusedOn('snapshot cut');
  return faults.of('asked at a cut').decides(isSought, null);
}

function untilAborted(signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve('failed');
    });
  });
}
