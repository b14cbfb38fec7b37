/**
 * One reconcile of a snapshot: it gathers the facts, decides the next step and executes it. A reconcile sees the writes
 * of earlier reconciles. A new term starts with the state on the server (SNAP-I13, SNAP-I14).
 */
import { fencedClient } from '../../../controller/fenced-client.ts';
import { isTerminating, removeFinalizer } from '../../../controller/finalizers.ts';
import { controllerOf } from '../../../controller/indexes.ts';
import type { FencingToken } from '../../../controller/leadership.ts';
import { keyText, parseKey } from '../../../controller/object-key.ts';
import { readOnce } from '../../../controller/read-once.ts';
import { done, type Outcome, type PassContext } from '../../../controller/reconcile.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { makeToken } from '../../../model/make-token.ts';
import type { SnapshotContext } from '../context.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../kinds.ts';
import { EVIDENCE_FINALIZER } from '../names.ts';
import { SnapshotCaches } from './caches.ts';
import { carryOut } from './carry-out.ts';
import { AdmissionTimes, CutTimes } from './cut-times.ts';
import { decide } from './decide.ts';
import { deleteHook, thawAll } from './end-steps.ts';
import { gatherFacts, type HookFacts } from './facts.ts';
import { MarkTimes } from './mark-times.ts';
import { type Controller, makeController } from '../../../controller/controller.ts';

/**
 * Milliseconds that reconciles may fail in a row while hooks are frozen: no error of ours may keep an application
 * frozen. It is a time and not a count, since a reconcile may wait 30 s for an answer before it fails.
 */
const PATIENCE_WHILE_FROZEN_MS = 25_000;

export class SnapshotDriver {
  readonly #context: SnapshotContext;
  readonly #caches: SnapshotCaches;
  readonly #cutTimes: CutTimes;
  readonly #admissions: AdmissionTimes;
  readonly #markTimes: MarkTimes;
  readonly #cutSecret: string;
  /**
   * For each key that fails in this term: milliseconds of the monotonic clock at the start of its first failed
   * reconcile in a row.
   */
  readonly #failingSince = new Map<string, number>();
  /** undefined: no term has begun. null: no other process can lead. */
  #token: FencingToken | null | undefined;
  /** UIDs of windows that existed but had not begun at the first reconcile of this term. */
  #inherited: ReadonlySet<string> = new Set();

  constructor(context: SnapshotContext, caches: SnapshotCaches) {
    this.#context = context;
    this.#caches = caches;
    this.#cutTimes = new CutTimes(context.platform.clock);
    this.#admissions = new AdmissionTimes(context.platform.clock);
    this.#markTimes = new MarkTimes(context.platform.clock);
    this.#cutSecret = makeToken(context.random);
  }

  async pass(key: string, { mayAct, token }: PassContext): Promise<Outcome> {
    const beganMs = this.#context.platform.clock.monotonicMs();
    if (token !== this.#token) this.#beginTerm();
    this.#token = token;
    const client = fencedClient(this.#context.client, mayAct);
    const seen = { client, hooks: this.#cachedHooks(this.#caches.application(key) ?? null) };
    try {
      const outcome = await this.#reconcile(key, seen);
      this.#failingSince.delete(key);
      return outcome;
    } catch (error) {
      if (this.#failingForMs(key, beganMs) >= PATIENCE_WHILE_FROZEN_MS) {
        await thawAll({ client, caches: this.#caches }, seen.hooks);
      }
      throw error;
    }
  }

  async #reconcile(key: string, seen: Seen): Promise<Outcome> {
    const { client } = seen;
    const snapshot = await this.#newest(key);
    seen.hooks = this.#cachedHooks(snapshot);
    await releaseOrphans({ caches: this.#caches, client }, key, snapshot);
    if (snapshot === null) return done;
    const nowMs = this.#context.platform.clock.nowMs();
    const cutForMs = this.#cutTimes.elapsedMs(key, snapshot.status?.cutRequestedAt);
    const admittedForMs = this.#admissions.of(key, snapshot.status?.admitted ?? []);
    const isInherited = this.#inherited.has(snapshot.metadata?.uid ?? '');
    const gathering = { caches: this.#caches, client, isInherited, nowMs, cutForMs, admittedForMs };
    const facts = await gatherFacts(gathering, snapshot);
    seen.hooks = facts.hooks;
    const cutSecret = this.#cutSecret;
    const shared = { context: this.#context, caches: this.#caches, markTimes: this.#markTimes };
    return carryOut({ ...shared, cutSecret, client, facts }, decide(facts));
  }

  #cachedHooks(snapshot: ApplicationSnapshot | null): readonly HookFacts[] {
    const { metadata: { namespace = '' } = {}, status = {} } = snapshot ?? {};
    return (status.executionHookNames ?? []).map((name) => ({
      name,
      hook: this.#caches.hook(keyText({ namespace, name })) ?? null,
    }));
  }

  #beginTerm(): void {
    this.#caches.beginTerm();
    this.#failingSince.clear();
    const waiting = this.#caches.applications
      .list()
      .filter(({ spec, status }) => spec.window !== undefined && status?.startedAt === undefined);
    this.#inherited = new Set(waiting.map(({ metadata }) => metadata?.uid ?? ''));
  }

  #failingForMs(key: string, beganMs: number): number {
    const sinceMs = this.#failingSince.get(key) ?? beganMs;
    this.#failingSince.set(key, sinceMs);
    return this.#context.platform.clock.monotonicMs() - sinceMs;
  }

  async #newest(key: string): Promise<ApplicationSnapshot | null> {
    const { applications: cache, writtenApplications: own } = this.#caches;
    if (cache.get(key) !== undefined)
      return (await readOnce({ client: this.#context.client, cache, own }, key)) ?? null;
    this.#cutTimes.forget(key);
    this.#admissions.forget(key);
    this.#failingSince.delete(key);
    own.forget(key);
    return null;
  }
}

interface Seen {
  /** Refuses to write once this process no longer leads. */
  readonly client: KubeClient;
  /** The hooks of the snapshot: those of the cache, until the facts are gathered. */
  hooks: readonly HookFacts[];
}

interface OrphanOptions {
  readonly caches: SnapshotCaches;
  /** Refuses to write once this process no longer leads. */
  readonly client: KubeClient;
}

/**
 * Releases the orphaned hooks of the key (namespace/name). `snapshot` null: the cache has none. Reads the server before
 * it changes anything: a cache may have a hook before its snapshot, or lack the snapshot's last change.
 */
async function releaseOrphans(
  { caches, client }: OrphanOptions,
  key: string,
  snapshot: ApplicationSnapshot | null,
): Promise<void> {
  const strange = orphansOf(caches.hooksOf(key), snapshot);
  if (strange.length === 0) return;
  const newest = await getOrNull(client, applicationSnapshots, parseKey(key));
  for (const { metadata } of strange) {
    const { namespace = '', name = '' } = metadata ?? {};
    const hook = await getOrNull(client, executionHooks, { namespace, name });
    const found = hook === null ? [] : orphansOf([hook], newest);
    for (const orphan of found) await release({ caches, client }, orphan);
  }
}

/**
 * Hooks that still have our evidence finalizer although their snapshot was deleted, replaced or completed: the request
 * that created the hook arrived late, or a user removed the finalizer of the snapshot. No other step requests the thaw
 * of such an orphan or removes our finalizer.
 */
export function orphansOf(
  hooks: readonly ExecutionHook[],
  snapshot: ApplicationSnapshot | null,
): readonly ExecutionHook[] {
  return hooks.filter((hook) => {
    const holds = hook.metadata?.finalizers?.includes(EVIDENCE_FINALIZER) === true;
    const isOwn = controllerOf(hook)?.uid === snapshot?.metadata?.uid;
    return holds && (!isOwn || snapshot?.status?.completedAt !== undefined);
  });
}

/** Deleting the hook requests its thaw. The finalizer of the hook controller keeps the hook until it is thawed. */
async function release(options: OrphanOptions, hook: ExecutionHook): Promise<void> {
  const { caches, client } = options;
  const object = isTerminating(hook) ? hook : await deleteHook(options, hook);
  if (object === null) return;
  const finalizer = EVIDENCE_FINALIZER;
  const left = await removeFinalizer({ client, resource: executionHooks, object, finalizer });
  if (left !== null) caches.writtenHooks.remember(left);
}

/** Number of snapshots in parallel. A reconcile does little but wait for requests. */
const WORKERS = 8;
/** Milliseconds; short, since an application may be frozen while a failed reconcile waits for its retry. */
const BACKOFF = { firstMs: 50, maxMs: 5_000 };

/**
 * The controller of application-consistent snapshots. It freezes by ExecutionHooks, and lets the snapshotter cut the
 * volumes. It requests the thaw as soon as they are cut, and gives a verdict on the result.
 */
export function makeSnapshotController(context: SnapshotContext): Controller {
  const caches = new SnapshotCaches(context);
  const driver = new SnapshotDriver(context, caches);
  return makeController({
    name: 'application-snapshots',
    sources: caches.sources(),
    reconcile: (key, pass) => driver.pass(key, pass),
    // A snapshot that may have frozen targets is reconciled before all new snapshots that wait, however many there are.
    isUrgent: (key) => caches.mayBeFrozen(key),
    platform: context.platform,
    random: context.random,
    workers: WORKERS,
    backoff: BACKOFF,
    observe: context.observeController,
  });
}
