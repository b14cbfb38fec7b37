/**
 * The sample controller in two processes on two machines, with one API server. A user edits and deletes. The network
 * loses, delays and refuses requests. Watches lag and break. Processes die, are suspended or disconnected. Clocks drift
 * and are set. Then the faults end.
 */
import { controllerOf } from '../../../src/controller/indexes.ts';
import { configMaps, events, leases } from '../../../src/kube/resources.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { Faults } from '../faults.ts';
import type { SimResult } from '../lifecycles.ts';
import { Random } from '../random.ts';
import { throwFullOrSwarm } from '../swarm.ts';
import { World } from '../world.ts';
import { controllerCoverage } from './coverage.ts';
import { ForeignFinalizers } from './foreign-finalizers.ts';
import { Judge } from './judge.ts';
import { ChildJudge } from './judge-children.ts';
import { SharedJudge } from './judge-shared.ts';
import { LEASE_EDITS, scheduleLeaseEdits } from './lease-edits.ts';
import { PHASES, phasesIn } from './phases.ts';
import { widgets } from './sample-controller.ts';
import { runSample } from './sample-process.ts';
import { SimApi } from './sim-api.ts';
import { SimHost } from './sim-host.ts';
import { scheduleServerTroubles } from './sample-troubles.ts';
import { SleepingMachine } from './sleeping-machine.ts';
import { editSomething } from './user.ts';

/**
 * Faults that are not drawn for a seed: users always edit something, and edits of the Lease have their own random
 * numbers.
 */
const BY_USERS: readonly string[] = ['user edits', ...LEASE_EDITS];
const FAULTS = controllerCoverage.faults.filter((kind) => !BY_USERS.includes(kind));
/** Far more events than any seed needs to converge. */
const LIVENESS_EVENTS = 60_000;
const MAX_EVENTS = 100_000;
/** Duration of the rest after all widgets have their children, in milliseconds. Writes must stop in it. */
const REST_MS = 60_000;
/** Milliseconds after a change until the simulated garbage collector deletes objects without an owner. */
const COLLECT_MS = 1_000;

export async function simulateController(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  return new ControllerSimulation(new Random(seed), new World(trace, faults)).run();
}

type Blow =
  | 'process killed'
  | 'process terminated'
  | 'process suspended'
  | 'network cut off'
  | 'clock set';
const BLOWS: readonly [Blow, ...Blow[]] = [
  'process killed',
  'process terminated',
  'process suspended',
  'network cut off',
  'clock set',
];

interface Life {
  readonly host: SimHost;
  readonly machine: SleepingMachine;
  readonly stop: AbortController;
}

class ControllerSimulation {
  readonly #random: Random;
  readonly #world: World;
  readonly #api: SimApi;
  readonly #judge: Judge;
  readonly #shared: SharedJudge;
  readonly #children: ChildJudge;
  readonly #lives: (Life | null)[] = [null, null];
  /** True if a suspension affects the whole machine, so that the monotonic clock stops too. */
  readonly #sleepy: boolean;
  #faulty = true;
  #started = 0;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#sleepy = random.fork('sleep').chance(0.3);
    this.#world = world;
    this.#api = new SimApi(() => world.wallMs);
    this.#judge = new Judge(world, this.#api);
    const foreign = new ForeignFinalizers(world, this.#api, random.fork('foreign'));
    this.#shared = new SharedJudge(world, this.#api, foreign);
    this.#children = new ChildJudge(world, this.#api);
    world.faults.choose(throwFullOrSwarm(FAULTS, random.fork('swarm')), FAULTS);
    world.faults.focusOn(PHASES, random.fork('focus'));
    world.faults.phases = () => {
      const hosts = this.#lives.flatMap((life) => (life === null ? [] : [life.host.name]));
      const { isReconciling, leaseMs } = this.#judge;
      return phasesIn({
        api: this.#api,
        hosts,
        isReconciling,
        leaseAgeMs: world.elapsedMs - leaseMs,
      });
    };
    this.#collectOrphans();
  }

  async run(): Promise<SimResult> {
    const faultsMs = this.#random.between(20, 240) * 1_000;
    for (const place of [0, 1]) this.#start(place);
    for (let edits = this.#random.between(3, 30); edits > 0; edits -= 1) {
      const dice = this.#random.fork(`edit ${edits}`);
      const edit = this.#world.faults.of('user edits', String(edits));
      this.#world.after(dice.between(0, faultsMs), () => {
        if (edit.strikes(dice)) editSomething(this.#api, dice);
      });
    }
    for (let blows = this.#random.between(0, 10); blows > 0; blows -= 1) {
      const dice = this.#random.fork(`blow ${blows}`);
      const blow = dice.pick(BLOWS);
      this.#world.after(dice.between(0, faultsMs), () => {
        this.#strike(blow, dice);
      });
    }
    scheduleServerTroubles({
      world: this.#world,
      api: this.#api,
      random: this.#random.fork('server'),
      withinMs: faultsMs,
      cutOff: (ms) => {
        for (const life of this.#lives) life?.host.cutOffFor(ms);
      },
      isFaulty: () => this.#faulty,
    });
    scheduleLeaseEdits({
      world: this.#world,
      api: this.#api,
      judge: this.#judge,
      random: this.#random.fork('lease edits'),
      withinMs: faultsMs,
    });
    let over = false;
    this.#world.after(faultsMs, () => (over = true));
    await this.#world.runUntil(() => over, MAX_EVENTS);
    await this.#settle();
    return { violation: this.#world.violation, traceHash: this.#world.traceHash };
  }

  /** CTRL-S5: ends the faults, and checks that the widgets get their children and the writes stop. */
  async #settle(): Promise<void> {
    this.#world.note('the faults end');
    this.#faulty = false;
    this.#api.rules.clear();
    for (const place of [0, 1]) if (this.#lives[place] === null) this.#start(place);
    const asked = await this.#world.runUntil(() => this.#judge.missing() === null, LIVENESS_EVENTS);
    if (!asked) this.#world.violate('CTRL-S5', `never settles: ${this.#judge.missing()}`);
    // Requests that are still in transit may arrive.
    await this.#pass(REST_MS);
    const revision = this.#writes();
    await this.#pass(REST_MS);
    if (this.#judge.missing() !== null) this.#world.violate('CTRL-S5', `${this.#judge.missing()}`);
    const written = this.#writes() - revision;
    if (written > 0)
      this.#world.violate('CTRL-S5', `${written} writes while there is nothing to do`);
  }

  /** Number of commits, except those of the Lease and of Events, which may be late. */
  #writes(): number {
    const others = [leases, events].map(resourceName);
    return this.#api.history.filter(({ resource }) => !others.includes(resource)).length;
  }

  async #pass(ms: number): Promise<void> {
    let over = false;
    this.#world.after(ms, () => (over = true));
    await this.#world.runUntil(() => over, MAX_EVENTS);
  }

  #start(place: number): void {
    const world = this.#world;
    const random = this.#random.fork(`host ${(this.#started += 1)}`);
    const host = new SimHost({
      name: `host-${place}-${this.#started}`,
      world,
      rate: random.pick([1, 0.95, 1.05]),
      skewMs: random.pick([0, 0, -7_200_000, 3_600_000]),
    });
    const life = { host, machine: new SleepingMachine(host), stop: new AbortController() };
    this.#lives[place] = life;
    world.note(`${host.name} starts`);
    void this.#live(place, life, random);
  }

  async #live(place: number, life: Life, random: Random): Promise<void> {
    const { host } = life;
    try {
      await this.#run(life, random);
    } catch (error) {
      const reported = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#world.violate('CTRL-S6', reported);
    }
    this.#world.note(`${host.name} has stopped`);
    host.process.alive = false;
    if (this.#lives[place]?.host !== host) return;
    this.#lives[place] = null;
    if (!this.#faulty) this.#start(place);
  }

  #run({ host, machine, stop }: Life, random: Random): Promise<void> {
    return runSample({
      api: this.#api,
      host,
      machine,
      random,
      judge: this.#judge,
      shared: this.#shared,
      children: this.#children,
      isFaulty: () => this.#faulty,
      stopFor: (ms) => {
        this.#suspend(host, machine, ms);
      },
      signal: stop.signal,
    });
  }

  #suspend(host: SimHost, machine: SleepingMachine, ms: number): void {
    if (this.#sleepy) machine.sleepFor(ms);
    else host.stopFor(ms);
  }

  /** Applies the fault to a random place. If no process is there, starts one instead. */
  #strike(blow: Blow, dice: Random): void {
    const place = dice.between(0, 1);
    const life = this.#lives[place] ?? null;
    if (life === null) {
      this.#start(place);
      return;
    }
    if (!this.#world.faults.of(blow, String(place)).strikes(dice)) return;
    const { host, machine, stop } = life;
    const seconds = dice.between(1, 60);
    switch (blow) {
      case 'process killed':
        this.#world.note(`${host.name} is killed`);
        host.process.alive = false;
        this.#lives[place] = null;
        return;
      case 'process terminated':
        this.#world.note(`${host.name} is asked to stop`);
        stop.abort();
        return;
      case 'process suspended':
        this.#suspend(host, machine, seconds * 1_000);
        return;
      case 'network cut off':
        host.cutOffFor(seconds * 1_000);
        return;
      case 'clock set':
        this.#setClock(host, dice);
        return;
      default:
        blow satisfies never;
    }
  }

  /**
   * Sets the clock of a host. If machines are suspended, clocks are only set forward: a setback would hide the
   * suspension.
   */
  #setClock(host: SimHost, dice: Random): void {
    const ms = dice.pick([-3_600_000, -5_000, 5_000, 3_600_000]);
    host.setClock(this.#sleepy ? Math.abs(ms) : ms);
  }

  #collectOrphans(): void {
    this.#api.onCommit(() => {
      this.#world.after(COLLECT_MS, () => {
        const owners = new Set(this.#api.list(widgets).map(({ metadata }) => metadata.uid));
        for (const child of this.#api.list(configMaps)) {
          const { namespace = '', name = '' } = child.metadata;
          const orphan = !owners.has(controllerOf(child)?.uid);
          if (orphan) this.#api.delete(configMaps, { namespace, name }, {});
        }
      });
    });
  }
}
