/** The controller of restores: it creates claims from a snapshot, runs hooks before and after, and checks the copy. */
import { type Controller, makeController } from '../../../controller/controller.ts';
import { fencedClient } from '../../../controller/fenced-client.ts';
import { removeFinalizer } from '../../../controller/finalizers.ts';
import type { FencingToken } from '../../../controller/leadership.ts';
import { readOnce } from '../../../controller/read-once.ts';
import { done, type Outcome, type PassContext } from '../../../controller/reconcile.ts';
import type { Source } from '../../../controller/source.ts';
import { pods } from '../../../kube/resources.ts';
import type { SnapshotContext } from '../context.ts';
import { Attempts } from '../hook/attempts.ts';
import { RESTORE_POD_FINALIZER } from '../names.ts';
import { RestoreCaches } from './caches.ts';
import { carryOut } from './carry-out.ts';
import { decide } from './decide.ts';
import { gatherFacts } from './facts.ts';

/** Number of restores in parallel. A reconcile does little but wait for requests. */
const WORKERS = 4;
const NAME = 'snapshot-restores';

export function makeRestoreController(context: SnapshotContext): Controller {
  const caches = new RestoreCaches(context);
  return {
    name: NAME,
    run: async (term) => {
      const ends = new EndedCommands();
      const driver = new RestoreDriver(context, caches, ends.report);
      const controller = makeController({
        name: NAME,
        sources: [...caches.sources(), ends],
        reconcile: (key, pass) => driver.pass(key, pass),
        platform: context.platform,
        random: context.random,
        workers: WORKERS,
        observe: context.observeController,
      });
      try {
        await controller.run(term);
      } finally {
        driver.close();
      }
    },
  };
}

/** Emits the keys of restores whose commands have ended, so that they are reconciled. */
class EndedCommands implements Source {
  #enqueue: (key: string) => void = () => {};

  readonly report = (key: string): void => {
    this.#enqueue(key);
  };

  synced(): Promise<void> {
    return Promise.resolve();
  }

  listen(enqueue: (key: string) => void): () => void {
    this.#enqueue = enqueue;
    return () => {
      this.#enqueue = () => {};
    };
  }
}

/** One reconcile of a restore: it gathers the facts, decides the next step and executes it. */
class RestoreDriver {
  readonly #context: SnapshotContext;
  readonly #caches: RestoreCaches;
  readonly #attempts = new Attempts();
  readonly #requeue: (key: string) => void;
  #token: FencingToken | null = null;

  constructor(context: SnapshotContext, caches: RestoreCaches, requeue: (key: string) => void) {
    this.#context = context;
    this.#caches = caches;
    this.#requeue = requeue;
  }

  async pass(key: string, { mayAct, token }: PassContext): Promise<Outcome> {
    const { restores: cache, written: own } = this.#caches;
    if (token !== this.#token) own.beginTerm();
    this.#token = token;
    const client = fencedClient(this.#context.client, mayAct);
    const restore = await readOnce({ client, cache, own }, key);
    for (const object of this.#caches.orphans(key, restore)) {
      await removeFinalizer({ client, resource: pods, object, finalizer: RESTORE_POD_FINALIZER });
    }
    if (restore === undefined) {
      own.forget(key);
      return done;
    }
    const nowMs = this.#context.platform.clock.nowMs();
    const attempts = this.#attempts;
    const facts = await gatherFacts({ client, attempts, nowMs }, restore);
    const acting = {
      context: this.#context,
      caches: this.#caches,
      client,
      attempts,
      facts,
      requeue: () => {
        this.#requeue(key);
      },
    };
    return carryOut(acting, decide(facts));
  }

  /** Cancels the commands that run, without waiting for them. */
  close(): void {
    this.#attempts.close();
  }
}
