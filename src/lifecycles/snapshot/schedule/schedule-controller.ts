/**
 * The controller of schedules: creates their snapshots and rehearsals, and deletes those that their retention or their
 * history does not keep.
 */
import { type Controller, makeController } from '../../../controller/controller.ts';
import { fencedClient } from '../../../controller/fenced-client.ts';
import type { FencingToken } from '../../../controller/leadership.ts';
import { readOnce } from '../../../controller/read-once.ts';
import { done, type Outcome, type PassContext } from '../../../controller/reconcile.ts';
import type { SnapshotContext } from '../context.ts';
import { ScheduleCaches } from './caches.ts';
import { carryOut } from './carry-out.ts';
import { CheckedSpecs } from './checked-spec.ts';
import { decide } from './decide.ts';
import { gatherFacts } from './facts.ts';

export function makeScheduleController(context: SnapshotContext): Controller {
  const caches = new ScheduleCaches(context);
  const driver = new ScheduleDriver(context, caches);
  return makeController({
    name: 'snapshot-schedules',
    sources: caches.sources(),
    reconcile: (key, pass) => driver.pass(key, pass),
    platform: context.platform,
    random: context.random,
    observe: context.observeController,
  });
}

/**
 * One reconcile of a schedule: it gathers the facts, decides the next step and executes it. A reconcile sees the writes
 * of earlier reconciles. A new term starts with the state on the server.
 */
class ScheduleDriver {
  readonly #context: SnapshotContext;
  readonly #caches: ScheduleCaches;
  readonly #specs = new CheckedSpecs();
  #token: FencingToken | null = null;

  constructor(context: SnapshotContext, caches: ScheduleCaches) {
    this.#context = context;
    this.#caches = caches;
  }

  async pass(key: string, { mayAct, token }: PassContext): Promise<Outcome> {
    const { schedules: cache, writtenSchedules: own } = this.#caches;
    if (token !== this.#token) own.beginTerm();
    this.#token = token;
    const client = fencedClient(this.#context.client, mayAct);
    const schedule = await readOnce({ client, cache, own }, key);
    if (schedule === undefined) {
      own.forget(key);
      return done;
    }
    const nowMs = this.#context.platform.clock.nowMs();
    const facts = await gatherFacts(
      { caches: this.#caches, specs: this.#specs, client, nowMs },
      schedule,
    );
    return carryOut({ context: this.#context, caches: this.#caches, client, facts }, decide(facts));
  }
}
