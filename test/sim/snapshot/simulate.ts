/**
 * Both controllers of the snapshot lifecycle in one or two processes, with a simulated API server, pods, applications
 * with locks, and a snapshotter. Users act, and there is trouble of every kind. Then the faults end. The invariants are
 * in `judge.ts`.
 */
import { resourceName } from '../../../src/kube/object.ts';
import { leases } from '../../../src/kube/resources.ts';
import { executionHooks } from '../../../src/lifecycles/snapshot/kinds.ts';
import { Course } from '../controller/course.ts';
import { Replicas } from '../controller/replicas.ts';
import { backUpEarly } from '../controller/restores.ts';
import { SimApi } from '../controller/sim-api.ts';
import { scheduleStrikes } from '../controller/troubles.ts';
import type { Faults } from '../faults.ts';
import type { SimResult } from '../lifecycles.ts';
import { Random } from '../random.ts';
import { World } from '../world.ts';
import { Account } from './account.ts';
import { scheduleDeletion } from './deletions.ts';
import { Disturbances } from './disturbances.ts';
import { hasReplicas, type Trouble } from './faults.ts';
import { collectGarbage } from './garbage.ts';
import { markInHaste, scheduleVolumeDeletions } from './hasty-people.ts';
import { type Guarded, openGuarded } from './guarded.ts';
import { type HookPlan, planIn } from './hook-plans.ts';
import { HookViews } from './hook-views.ts';
import type { Court } from './judge.ts';
import { judgeCommand } from './judge-commands.ts';
import {
  countAwaited,
  holdBack,
  type LateTemplates,
  throwLateTemplates,
} from './late-templates.ts';
import { whatIsMissing } from './judge-end.ts';
import { judgeHook } from './judge-hooks.ts';
import { judgeRights } from './judge-rights.ts';
import { closeCourt, openCourt } from './judges.ts';
import { helpOut, lookAfter, thawForgotten } from './look-after.ts';
import { Moments } from './moments.ts';
import { PHASES, phasesIn, phasesOfCommand, phasesOfHook } from './phases.ts';
import { Replica, type Surroundings } from './replica.ts';
import { BEGINNING_MS, LATE_MS, type Scene, templatedHooks } from './scene.ts';
import { scheduleAsking, setUp } from './set-up.ts';
import { NAMESPACE, SimCluster } from './sim-cluster.ts';
import { storyOf } from './hook-story.ts';
import type { Admits } from './snapshot-members.ts';
import type { Snapshotter } from './snapshotter.ts';
import { openStorage } from './storage.ts';
import { isMomentToRefuse, strike } from './strikes.ts';
import { faultyIn, GUARDED, type Kind, OURS } from './worlds.ts';

const MAX_EVENTS = 200_000;
/** Milliseconds within which all work that is pending at the end of the faults is done. */
const LIVENESS_MS = 1_800_000;
const LOOK_MS = 2_000;
/** Duration of the final rest without a write, in milliseconds. */
const REST_MS = 20_000;
const LONGEST_STOP_MS = 70_000;
const LEASES = resourceName(leases);

export async function simulateSnapshot(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  return new SnapshotSimulation(new Random(seed), new World(trace, faults), OURS).run();
}

/** The world in which other clients take snapshots, and a guard freezes for them. */
export async function simulateGuard(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  return new SnapshotSimulation(new Random(seed), new World(trace, faults), GUARDED).run();
}

class SnapshotSimulation {
  readonly #random: Random;
  readonly #world: World;
  readonly #api: SimApi;
  readonly #troubles: ReadonlySet<Trouble>;
  readonly #scene: Scene;
  readonly #late: LateTemplates;
  readonly #plans: ReadonlyMap<string, HookPlan>;
  readonly #cluster: SimCluster;
  readonly #account: Account;
  readonly #court: Court;
  readonly #snapshotter: Snapshotter;
  readonly #replicas: Replicas<Replica>;
  /** The clients and the judge of the guard; null if the scene has no guard. */
  readonly #guarded: Guarded | null;
  readonly #course: Course;
  readonly #moments: Random;
  readonly #deadly: Moments;
  /** Name of a pod in which no thaw succeeds during the faults; '' if there is none. */
  readonly #stuck: string;
  #faulty = true;
  /** Number of writes of the controllers so far, except those of the Lease. */
  #writes = 0;

  constructor(random: Random, world: World, kind: Kind) {
    this.#random = random;
    this.#world = world;
    this.#moments = random.fork('moments');
    world.faults.focusOn(PHASES, random.fork('focus'));
    this.#troubles = kind.throwTroubles({ faults: world.faults, random });
    this.#scene = kind.throwScene(random.fork('scene'), faultyIn(this.#troubles, world.faults));
    this.#late = throwLateTemplates(random.fork('templates'), this.#scene);
    this.#stuck = this.#troubles.has('exec') ? random.fork('stuck').pick(['p0', 'p1', '']) : '';
    const all = [...templatedHooks(this.#scene), ...this.#scene.hooks.map(({ plan }) => plan)];
    this.#plans = new Map(all.map((plan) => [plan.tag, plan]));
    world.note(`troubles: ${[...this.#troubles].join(', ')}`);
    world.note(() => `scene: ${JSON.stringify(this.#scene)}`);
    this.#api = new SimApi(() => world.wallMs);
    this.#api.onCommit((entry) => {
      world.report(() => storyOf(entry));
      world.faults.look();
    });
    this.#cluster = new SimCluster(world, this.#api);
    this.#account = new Account(world);
    world.faults.phases = () => phasesIn({ api: this.#api, account: this.#account });
    this.#deadly = new Moments({
      world,
      random: this.#moments,
      troubles: this.#troubles,
      strike: (trouble, dice) => {
        this.#strike(trouble, dice);
      },
    });
    this.#court = this.#makeCourt();
    const admits: Admits = async (member) => (await this.#guarded?.clients.admits(member)) ?? true;
    this.#snapshotter = openStorage(this.#court, random, admits);
    collectGarbage(world, this.#api);
    this.#replicas = this.#makeReplicas();
    this.#guarded = openGuarded(this.#court, random, {
      webhooks: () => this.#replicas.running,
      isFaulty: () => this.#faulty,
    });
    this.#course = this.#makeCourse();
  }

  async run(): Promise<SimResult> {
    const stage = { api: this.#api, cluster: this.#cluster, random: this.#random.fork('stage') };
    setUp(stage, this.#scene);
    holdBack({ world: this.#world, api: this.#api }, this.#scene, this.#late);
    countAwaited(this.#court, this.#late);
    this.#replicas.startMissing();
    this.#schedule();
    await this.#course.pass(
      this.#troubles.size === 0 ? BEGINNING_MS : LATE_MS + this.#random.between(1, 60) * 1_000,
    );
    await this.#settle();
    return { violation: this.#world.violation, traceHash: this.#world.traceHash };
  }

  #makeCourt(): Court {
    const views = new HookViews(this.#api, () => this.#world.elapsedMs);
    const court: Court = {
      world: this.#world,
      api: this.#api,
      account: this.#account,
      views,
      scene: this.#scene,
      cluster: this.#cluster,
      late: this.#late,
      applications: () => this.#cluster.applications,
      planOf: (tag) => planIn(this.#plans, tag),
      disturbances: new Disturbances(this.#world, this.#api),
      troubles: this.#troubles,
    };
    views.listen((view) => {
      judgeHook(court, view);
      helpOut(view, this.#world, this.#cluster);
      markInHaste(view, court, { api: this.#api, world: this.#world, random: this.#moments });
      lookAfter(view, { api: this.#api, world: this.#world, random: this.#moments });
      if (isMomentToRefuse(court, view, this.#moments)) this.#strike('refusals', this.#moments);
    });
    openCourt(court);
    return court;
  }

  #schedule(): void {
    const world = this.#world;
    const api = this.#api;
    scheduleAsking({ world, api, cluster: this.#cluster }, this.#scene);
    scheduleDeletion(this.#court, this.#random.fork('deletion'));
    scheduleVolumeDeletions(this.#court, this.#random.fork('hasty people'));
    const strikeWith = (trouble: Trouble, random: Random): void => {
      this.#strike(trouble, random);
    };
    const strikes = { world, random: this.#random, troubles: this.#troubles, strike: strikeWith };
    backUpEarly(strikes);
    scheduleStrikes({ ...strikes, times: [0, 2], withinMs: 3 * BEGINNING_MS });
  }

  #strike(trouble: Trouble, random: Random): void {
    if (!this.#faulty) return;
    const { pods } = this.#scene;
    strike(trouble, {
      world: this.#world,
      api: this.#api,
      cluster: this.#cluster,
      pods,
      replicas: this.#replicas.running,
      random,
      planOf: this.#court.planOf,
      phasesOf: (tag) => phasesOfHook(this.#court, this.#court.views.ofTag(tag)?.hook),
      isFaulty: () => this.#faulty,
    });
  }

  #makeReplicas(): Replicas<Replica> {
    return new Replicas({
      world: this.#world,
      random: this.#random,
      size: hasReplicas(this.#court) ? 2 : 1,
      refusing: 0.3,
      isFaulty: () => this.#faulty,
      skewsMs: this.#troubles.has('clocks') ? [0, 0, -7_200_000, 3_600_000] : null,
      awayMs: [50, 1_000, 5_000, 20_000, 40_000],
      make: (start) => new Replica(this.#surroundings(), start),
    });
  }

  #makeCourse(): Course {
    return new Course({
      world: this.#world,
      invariant: 'SNAP-I20',
      maxEvents: MAX_EVENTS,
      livenessMs: LIVENESS_MS,
      lookMs: LOOK_MS,
      confirmMs: 0,
      restMs: REST_MS,
      whatIsMissing: () => this.#whatIsUnfinished() ?? whatIsMissing(this.#court),
      writes: () => this.#writes,
    });
  }

  #surroundings(): Surroundings {
    return {
      world: this.#world,
      api: this.#api,
      cluster: this.#cluster,
      account: this.#account,
      planOf: this.#court.planOf,
      tagFor: (tag, place) => this.#court.views.tagFor(tag, place),
      isGuarding: this.#scene.guard !== undefined,
      has: (trouble) => this.#faulty && this.#troubles.has(trouble),
      phasesOf: (verb, tag) =>
        phasesOfCommand(this.#court, verb, this.#court.views.ofTag(tag)?.hook),
      isStuck: (pod) => this.#faulty && pod === this.#stuck,
      onSend: (command) => {
        judgeCommand(this.#court, command);
      },
      onWrite: (write) => {
        judgeRights(this.#world, write);
        this.#court.views.sent(write);
        this.#guarded?.judge.sent(write);
        if (write.resource !== LEASES) this.#writes += 1;
      },
      views: () => this.#court.views,
      onMoment: (replica) => {
        if (this.#faulty) this.#deadly.live(replica);
      },
    };
  }

  async #settle(): Promise<void> {
    this.#world.note('the faults end');
    this.#faulty = false;
    this.#api.endFaults();
    thawForgotten(this.#court);
    this.#replicas.startMissing();
    for (const { plan } of this.#scene.hooks) {
      const key = { namespace: NAMESPACE, name: plan.tag };
      if (this.#api.find(executionHooks, key) !== undefined) {
        this.#api.delete(executionHooks, key, {});
      }
    }
    await this.#course.settle();
    // A controller that is stopped, or whose cache lags, needs this time to see the last writes.
    await this.#course.pass(this.#troubles.size === 0 ? REST_MS : LONGEST_STOP_MS);
    await this.#course.rest();
    closeCourt(this.#court);
    this.#guarded?.judge.close();
  }

  #whatIsUnfinished(): string | null {
    if (this.#snapshotter.isBusy) return 'the storage cuts';
    if (this.#guarded?.clients.isBusy === true) return 'a client waits for its snapshot';
    const isAway = this.#replicas.running.some((each) => each === null || each.host.isCutOff);
    return isAway ? 'a controller is not there' : null;
  }
}
