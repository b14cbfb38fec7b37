/**
 * One pod on a simulated node, with random containers, hooks and probes. A user deletes it once or more often. The node
 * is killed at any moment and restarts. Clocks drift and are set. Starts are slow, records fail, and statuses are lost.
 * Then the faults end. The pod is deleted if it was not before, and must be removed.
 */
import { MemoryLedger } from '../../../src/engine/ledger.ts';
import { PodWorker } from '../../../src/lifecycles/pod/drive.ts';
import { sleep } from '../../../src/platform/sleep.ts';
import type { Faults } from '../faults.ts';
import { strikeInFocus } from '../in-focus.ts';
import type { SimResult } from '../lifecycles.ts';
import { Random } from '../random.ts';
import { throwFullOrSwarm } from '../swarm.ts';
import { World } from '../world.ts';
import { type Life, PodAccount } from './account.ts';
import { expectUnseenStops } from './judge-probe.ts';
import { expectRetry } from './judge-progress.ts';
import { judgeRestarts, judgeStart } from './judge-start.ts';
import { expectStops } from './judge-stop.ts';
import { newLife } from './life.ts';
import { blowsOf } from './blows.ts';
import { createPod } from './create-pod.ts';
import { podCoverage } from './coverage.ts';
import { NodeDisk } from './node-disk.ts';
import { PHASES, phasesIn, phasesOf } from './phases.ts';
import { PodWatch } from './pod-watch.ts';
import { References } from './references.ts';
import { SimNode } from './sim-node.ts';
import { SimPodApi } from './sim-pod-api.ts';
import { SimRuntime } from './sim-runtime.ts';
import { StatusWire } from './status-wire.ts';

const FAULTS = podCoverage.faults;
const MAX_EVENTS = 50_000;
/** The longest back-off between two runs with some reserve, in seconds. */
const LONGEST_PAUSE_SECONDS = 330;

export async function simulatePod(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  return new PodSimulation(new Random(seed), new World(trace, faults)).run();
}

class PodSimulation {
  readonly #random: Random;
  readonly #world: World;
  readonly #api: SimPodApi;
  readonly #account: PodAccount;
  readonly #watch: PodWatch;
  readonly #runtime: SimRuntime;
  readonly #ledger: MemoryLedger = new MemoryLedger();
  readonly #disk: NodeDisk;
  readonly #references: References;
  readonly #wire: StatusWire;
  #node: SimNode | null = null;
  #worker: PodWorker | null = null;
  #faulty = true;
  #schedules = 0;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
    world.rate = random.pick([1, 0.99, 1.01]);
    world.faults.choose(throwFullOrSwarm(FAULTS, random.fork('swarm')), FAULTS);
    const { pod, programs } = createPod(world, random, (container) =>
      phasesOf(this.#account, container),
    );
    world.note(() => `pod ${JSON.stringify(pod.spec)}`);
    this.#api = new SimPodApi(world, pod);
    this.#account = new PodAccount(world, pod);
    this.#disk = new NodeDisk(world);
    this.#references = new References(world, random.fork('late references'));
    this.#wire = new StatusWire({
      world,
      api: this.#api,
      account: this.#account,
      random,
      webhook: random.fork('webhook'),
      faulty: () => this.#faulty,
      onTaken: (life) => {
        this.#hear(life);
        this.#worker?.update(this.#api.podOfNode);
      },
    });
    world.faults.focusOn(PHASES, random.fork('focus'));
    world.faults.phases = () => phasesIn(this.#account);
    this.#watch = new PodWatch(this.#account);
    this.#runtime = new SimRuntime(world, programs, this.#watch);
  }

  async run(): Promise<SimResult> {
    const random = this.#random.fork('schedule');
    const faultsMs = random.between(10, 150) * 1_000;
    this.#begin();
    this.#scheduleBlows(random, faultsMs);
    await this.#pass(faultsMs + 1);
    await this.#settle(random);
    return { violation: this.#world.violation, traceHash: this.#world.traceHash };
  }

  #scheduleBlows(random: Random, withinMs: number): void {
    const world = this.#world;
    const blows = blowsOf({
      world,
      deletePod: (dice) => {
        this.#deleteSomehow(dice);
      },
      killNode: (downSeconds) => {
        this.#killNode(downSeconds);
      },
      disk: this.#disk,
      references: this.#references,
      endNamespace: (dice) => {
        world.note('namespace: terminates');
        this.#references.missFor(Infinity, dice);
        if (this.#api.delete(this.#account.podGraceSeconds)) this.#report();
      },
    });
    for (const { kind, times, strike } of blows) {
      this.#schedule(random.pick(times), withinMs, () => {
        if (world.faults.strikes(kind, random)) strike(random);
      });
      strikeInFocus({ world, kind, random, withinMs, strike });
    }
  }

  async #settle(random: Random): Promise<void> {
    const world = this.#world;
    world.note('the faults end');
    this.#faulty = false;
    this.#disk.free();
    if (this.#api.asked === null) this.#references.create();
    if (this.#node === null) this.#begin();
    if (random.chance(0.3)) {
      // Some pods live so long that the longest back-off can occur in full.
      const isLong = random.fork('long life').chance(0.3);
      await this.#pass(LONGEST_PAUSE_SECONDS * (isLong ? 4 : 1) * 1_000);
      if (this.#api.asked === null) judgeRestarts(this.#account, LONGEST_PAUSE_SECONDS);
    }
    const grace = this.#account.podGraceSeconds;
    if (this.#api.delete(grace)) this.#report();
    const stages = this.#account.containers.length + 1;
    await this.#pass((grace * 1.02 + stages * 5 + 15) * 1_000);
    if (this.#account.alive().length > 0 || !this.#account.life.over) {
      world.violate('POD-L1', 'the pod was deleted, and does not go');
    }
    if (this.#runtime.containers.size > 0) world.violate('POD-L1', 'something of the pod is left');
  }

  async #pass(ms: number): Promise<void> {
    let over = false;
    this.#world.after(ms, () => {
      over = true;
    });
    const inTime = await this.#world.runUntil(() => over, MAX_EVENTS);
    if (!inTime) this.#world.violate('POD-L3', `more than ${MAX_EVENTS} events in ${ms} ms`);
  }

  #schedule(times: number, withinMs: number, what: () => void): void {
    const random = this.#random.fork(`${(this.#schedules += 1)} schedule`);
    for (let time = 0; time < times; time += 1) {
      this.#world.after(random.fraction() * withinMs, what);
    }
  }

  #deleteSomehow(random: Random): void {
    const own = this.#account.podGraceSeconds;
    const grace = random.pick([own, own, 30, random.between(0, 40), 1, 0]);
    if (this.#api.delete(grace)) this.#report();
  }

  /** Reports the change of the pod to the node, a little later. */
  #report(): void {
    const node = this.#node;
    this.#world.after(this.#random.between(0, this.#faulty ? 300 : 5), () => {
      if (node?.process.alive !== true) return;
      this.#hear(this.#account.life);
      this.#worker?.update(this.#api.podOfNode);
    });
  }

  #hear(life: Life): void {
    const { asked, pod } = this.#api;
    const graceSeconds = pod.metadata?.deletionGracePeriodSeconds;
    if (asked === null || graceSeconds === undefined) return;
    if (life.reported.at(-1)?.graceSeconds === graceSeconds) return;
    const { elapsedMs: atMs, clockSettings } = this.#world;
    const clockWasSet = clockSettings > asked.clockSettings;
    life.reported.push({ ...asked, atMs, askedMs: asked.atMs, graceSeconds, clockWasSet });
    expectStops(this.#account);
  }

  #killNode(downSeconds: number): void {
    if (this.#node === null) return;
    this.#world.note(`the node's program is killed for ${downSeconds.toFixed(2)} s`);
    this.#account.life.alive = false;
    this.#node.kill();
    this.#node = null;
    this.#world.after(downSeconds * 1_000, () => {
      if (this.#node === null) this.#begin();
    });
  }

  #begin(): void {
    const world = this.#world;
    const process = world.spawn();
    world.note(`the node's program begins, ${process.pid}`);
    const life = this.#newLife(process.pid);
    if (this.#api.deleted) {
      void this.#endOrphans(life);
      return;
    }
    const account = this.#account;
    const node = new SimNode({
      world,
      process,
      random: this.#random.fork(`node ${process.pid}`),
      runtime: this.#runtime,
      ledger: this.#ledger,
      disk: this.#disk,
      references: this.#references,
      faulty: () => this.#faulty,
      phasesOf: (container) => phasesOf(account, container),
      onPending: (container) => account.beginPending(container),
      onStart: ({ id, labels }) => {
        const { container = '', restartCount } = labels;
        world.note(`${id} is asked for`);
        judgeStart(account, { id, container, restartCount: Number(restartCount) });
      },
      onRecord: (record) => {
        account.takeRecord(record);
      },
      onLedgerFailure: () => {
        world.note('a record fails');
        life.ledgerFailed = true;
      },
      onEvent: (event) => {
        this.#watch.onEvent(event);
      },
      onConnect: (target) => this.#watch.onConnect(target),
      onRequest: (container, called) => this.#watch.onRequest(container, called),
      onStartFailed: (container) => {
        expectRetry(account, container);
      },
    });
    this.#node = node;
    this.#hear(life);
    const worker = new PodWorker({
      pod: this.#api.pod,
      host: node.host,
      hostIp: '127.0.0.1',
      found: node.found(),
      report: (status) => {
        if (process.alive) this.#wire.take(life, status);
      },
    });
    this.#worker = worker;
    void this.#follow(worker, life);
    expectUnseenStops(account);
  }

  #newLife(pid: number): Life {
    const { status } = this.#api;
    const life = newLife(pid, status);
    const account = this.#account;
    account.beginLife(life);
    const { phase = '' } = status;
    account.terminal = ['Succeeded', 'Failed'].includes(phase) ? phase : null;
    return life;
  }

  async #follow(worker: PodWorker, life: Life): Promise<void> {
    await worker.over;
    if (!life.alive) return;
    this.#world.note('the pod is over');
    life.over = true;
    const [alive] = this.#account.alive();
    if (alive !== undefined) this.#world.violate('POD-P4', `the pod is over, and ${alive.id} runs`);
    // The containers of a completed pod are kept until the pod is deleted.
    const waits = (): boolean => life.alive && life.reported.length === 0;
    while (waits()) await sleep(this.#world, 100);
    if (this.#account.life !== life || this.#node === null) return;
    this.#api.deleted = true;
    await worker.remove();
  }

  /** Ends the containers of a pod that is no longer in the API, as the node does at its start. */
  async #endOrphans(life: Life): Promise<void> {
    this.#watch.orphans = true;
    for (const container of this.#runtime.containers.values()) {
      await container.kill();
      await container.remove();
    }
    life.over = true;
  }
}
