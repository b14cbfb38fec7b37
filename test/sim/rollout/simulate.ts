/**
 * The rollout controller in one or two processes, with a simulated API server and its gate, the real Deployment and
 * ReplicaSet controllers, and nodes. Hooks, users and other writers act, and there is trouble of every kind. Then the
 * faults end. ROLL-L1 to ROLL-L11 must hold.
 */
import { resourceName } from '../../../src/kube/object.ts';
import { leases } from '../../../src/kube/resources.ts';
import { deploymentLifecycles } from '../../../src/lifecycles/rollout/kinds.ts';
import type { Course } from '../controller/course.ts';
import { Replicas } from '../controller/replicas.ts';
import { scheduleStrikes } from '../controller/troubles.ts';
import type { Faults } from '../faults.ts';
import type { SimResult } from '../lifecycles.ts';
import { Random } from '../random.ts';
import { World } from '../world.ts';
import { Account } from './account.ts';
import { Fates } from './fates.ts';
import {
  areControllersFree,
  delaysRequests,
  hasReplicas,
  losesNotes,
  throwSome,
  type Trouble,
} from './faults.ts';
import { scheduleInFocus } from './in-focus.ts';
import { GatedApi } from './gated-api.ts';
import { Gate, isNamed } from './gate.ts';
import { collectGarbage } from './garbage.ts';
import { Hands } from './hands.ts';
import { RolloutJudge } from './judge.ts';
import { judgeEnd } from './judge-end.ts';
import { PromptnessJudge } from './judge-promptness.ts';
import { judgeWaiting } from './judge-waiting.ts';
import { createNamespace, isThere } from './namespace.ts';
import { SimNodes } from './nodes.ts';
import { deploy, doSomething, type People, scheduleDeploys } from './people.ts';
import { PHASES, phasesIn } from './phases.ts';
import { isDeadly, raceAfterMs } from './races.ts';
import { Replica, type Surroundings } from './replica.ts';
import { judgeRivals } from './rivals.ts';
import { rolloutCourse } from './rollout-course.ts';
import { KEY_OF_WEB, lifecycleObject, type Scene, throwSceneFor } from './scene.ts';
import { scheduleSets } from './set-hands.ts';
import { Workloads } from './sim-workloads.ts';
import { strike } from './strikes.ts';
import { reportCommit } from './report-commit.ts';
import { startWriters } from './writers.ts';

const LONGEST_STOP_MS = 60_000;
const DEPLOYING_MS = 120_000;
const KILLS_MAX = 4;
const RACES_MAX = 6;
const LEASES = resourceName(leases);

export async function simulateRollout(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  return new RolloutSimulation(new Random(seed), new World(trace, faults)).run();
}

class RolloutSimulation {
  readonly #random: Random;
  readonly #world: World;
  readonly #troubles: ReadonlySet<Trouble>;
  readonly #scene: Scene;
  readonly #api: GatedApi;
  readonly #gate: Gate;
  readonly #account: Account;
  readonly #judge: RolloutJudge;
  readonly #promptness: PromptnessJudge;
  readonly #nodes: SimNodes;
  readonly #hands: Hands;
  readonly #workloads: Workloads;
  readonly #moments: Random;
  readonly #replicas: Replicas<Replica>;
  readonly #course: Course;
  #faulty = true;
  #kills = 0;
  #races = 0;
  /** Number of commits so far, except those of the Lease. */
  #commits = 0;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
    this.#moments = random.fork('moments');
    const { faults } = world;
    faults.focusOn(PHASES, random.fork('focus'));
    this.#troubles = throwSome({ faults, random });
    this.#scene = throwSceneFor(faults, random.fork('scene'));
    world.note(`troubles: ${[...this.#troubles].join(', ')}`);
    world.note(() => `scene: ${JSON.stringify(this.#scene)}`);
    const isInstalled = this.#scene.gate === 'Admission';
    this.#gate = new Gate({ world, isInstalled, isNamed: () => isNamed(this.#api) });
    this.#api = new GatedApi({
      nowMs: () => world.wallMs,
      admit: (object, old) => this.#gate.admit(object, old),
      admitSet: (object, old) => this.#gate.admitSet(object, old, this.#api),
      others: this.#gate.others,
    });
    faults.phases = () => phasesIn(this.#api);
    this.#api.onCommit((entry) => {
      if (entry.resource !== LEASES) this.#commits += 1;
      reportCommit(world, entry);
      faults.look();
    });
    this.#account = new Account(world);
    this.#judge = new RolloutJudge({
      world,
      api: this.#api,
      account: this.#account,
      areClocksRight: !this.#troubles.has('clocks'),
      areRequestsPrompt: !delaysRequests(this.#troubles),
    });
    this.#promptness = new PromptnessJudge({ world, api: this.#api, account: this.#account });
    judgeRivals(world, this.#api);
    if (!this.#troubles.has('clocks')) judgeWaiting(world, this.#api);
    this.#nodes = this.#makeNodes();
    this.#hands = new Hands({
      world,
      api: this.#api,
      gate: this.#gate,
      random: random.fork('hands'),
      scene: this.#scene,
    });
    this.#workloads = new Workloads({
      world,
      api: this.#api,
      random: random.fork('workloads'),
      isBehind: () => this.#has('cluster'),
    });
    collectGarbage(world, this.#api, this.#workloads);
    this.#replicas = this.#makeReplicas();
    this.#course = rolloutCourse({ world, api: this.#api, writes: () => this.#commits });
  }

  async run(): Promise<SimResult> {
    this.#setUp();
    this.#replicas.startMissing();
    if (areControllersFree(this.#troubles)) this.#promptness.start();
    this.#schedule();
    await this.#course.pass(DEPLOYING_MS + this.#random.between(1, 60) * 1_000);
    await this.#settle();
    return { violation: this.#world.violation, traceHash: this.#world.traceHash };
  }

  #has(trouble: Trouble): boolean {
    return this.#faulty && this.#troubles.has(trouble);
  }

  #makeNodes(): SimNodes {
    const fates = new Fates(this.#random.fork('hooks'), this.#world.faults, this.#scene);
    return new SimNodes({
      world: this.#world,
      api: this.#api,
      account: this.#account,
      random: this.#random.fork('nodes'),
      fateOf: (hook) => fates.of(hook, this.#troubles.has('hooks')),
    });
  }

  #setUp(): void {
    const { order, spec, replicas } = this.#scene;
    const api = this.#api;
    createNamespace(api);
    const keep = (): void => {
      if (api.find(deploymentLifecycles, KEY_OF_WEB) !== undefined || !isThere(api)) return;
      api.create(deploymentLifecycles, lifecycleObject(spec));
    };
    if (order === 'lifecycleFirst') keep();
    this.#hands.replace('v1', replicas);
    if (order === 'deploymentFirst') keep();
    if (order === 'lifecycleLater') this.#world.after(this.#random.between(1_000, 20_000), keep);
  }

  #schedule(): void {
    scheduleDeploys(this.#people('people'), DEPLOYING_MS);
    if (this.#troubles.has('writers')) {
      startWriters({ ...this.#people('writers'), continues: () => this.#faulty });
    }
    scheduleSets({
      ...this.#people('sets'),
      account: this.#account,
      workloads: this.#workloads,
      gate: this.#gate,
      areMutated: this.#troubles.has('mutations'),
      withinMs: DEPLOYING_MS,
      isServing: () => this.#faulty && !this.#gate.isDown,
    });
    scheduleStrikes({
      world: this.#world,
      random: this.#random,
      troubles: this.#troubles,
      times: [1, 4],
      withinMs: DEPLOYING_MS,
      strike: (trouble, random) => {
        this.#strike(trouble, random);
      },
    });
    const people = (name: string): People => this.#people(name);
    const has = (trouble: Trouble): boolean => this.#has(trouble);
    const withinMs = DEPLOYING_MS;
    scheduleInFocus({ people, has, account: this.#account, nodes: this.#nodes, withinMs });
  }

  #people(name: string): People {
    const random = this.#random.fork(name);
    return { world: this.#world, api: this.#api, hands: this.#hands, scene: this.#scene, random };
  }

  #strike(trouble: Trouble, random: Random): void {
    if (!this.#faulty) return;
    strike(trouble, {
      ...this.#people('users'),
      random,
      gate: this.#gate,
      nodes: this.#nodes,
      workloads: this.#workloads,
      judge: this.#judge,
      isFaulty: () => this.#faulty,
      replicas: this.#replicas.running,
    });
  }

  #makeReplicas(): Replicas<Replica> {
    return new Replicas({
      world: this.#world,
      random: this.#random,
      size: hasReplicas(this.#troubles) ? 2 : 1,
      isFaulty: () => this.#faulty,
      skewsMs: this.#troubles.has('clocks') ? [0, 0, -300_000, 600_000] : null,
      awayMs: [50, 1_000, 5_000, 20_000],
      make: (start) => new Replica(this.#surroundings(), start),
    });
  }

  #surroundings(): Surroundings {
    const dice = { faults: this.#world.faults, random: this.#moments };
    return {
      world: this.#world,
      api: this.#api,
      has: (trouble) => this.#has(trouble),
      hasWebhook: this.#scene.gate === 'Admission',
      onNote: (note) => {
        this.#judge.notes.push(note);
        this.#world.note(`event: ${note.type} ${note.reason}: ${note.message}`);
      },
      onWrite: (write) => {
        this.#judge.hear(write);
        if (this.#races >= RACES_MAX) return;
        const ms = raceAfterMs(write, dice, this.#has('users'));
        if (ms === null) return;
        this.#races += 1;
        this.#world.after(ms, () => {
          if (this.#faulty) this.#race();
        });
      },
      onMoment: (replica, write) => {
        if (!this.#has('kills') || this.#kills >= KILLS_MAX) return;
        if (!isDeadly(write, dice)) return;
        this.#kills += 1;
        replica.kill();
      },
    };
  }

  /** Lets another client write at the same time as the controller. */
  #race(): void {
    const act = this.#moments.pick([deploy, doSomething]);
    act({ ...this.#people('races'), random: this.#moments });
  }

  async #settle(): Promise<void> {
    const world = this.#world;
    world.note('the faults end');
    this.#faulty = false;
    this.#gate.isDown = false;
    this.#api.rules.clear();
    this.#gate.others.clear();
    this.#replicas.startMissing();
    // Stopped and missing processes need this time to start.
    await this.#course.pass(LONGEST_STOP_MS);
    await this.#course.settle();
    await this.#course.rest();
    judgeEnd({
      world,
      api: this.#api,
      account: this.#account,
      judge: this.#judge,
      hands: this.#hands,
      areNotesWhole: !losesNotes(this.#troubles),
    });
  }
}
