/**
 * The engine, its ledger and its journal on a simulated machine, with a few runs in parallel. The process is killed or
 * loses its power at any moment, and restarts. The clock is set, the disk fails, and handlers have any result. Then the
 * faults end, and every run must settle.
 */
import { runPlan } from '../../../src/engine/run.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import { LifehookError } from '../../../src/model/problem.ts';
import { LinkedSignal } from '../../../src/platform/linked-signal.ts';
import type { Timers } from '../../../src/platform/platform.ts';
import { FileLedger } from '../../../src/store/file-ledger.ts';
import type { ProcessTable } from '../../../src/store/process-table.ts';
import { noDiskFaults, SimDisk } from '../disk.ts';
import type { Faults } from '../faults.ts';
import type { SimResult } from '../lifecycles.ts';
import { Random } from '../random.ts';
import { throwFullOrSwarm } from '../swarm.ts';
import { type SimProcess, World } from '../world.ts';
import { Account } from './account.ts';
import { appendHistory, appendLateResults } from './foreign-records.ts';
import { makeHands } from './hands.ts';
import { FOLDER, JournalView } from './journal-view.ts';
import { watchCancellation } from './judge-cancel.ts';
import { judgeAcknowledged, judgeEnd, judgeSurvival } from './judge-end.ts';
import { judgeListener, judgeOutput } from './judge-reports.ts';
import { engineCoverage } from './coverage.ts';
import { phaseOf, PHASES, phasesIn } from './phases.ts';
import { randomPlan } from './random-plan.ts';

const FAULTS = [...engineCoverage.faults, 'no power'];
/** Far more events than any seed needs to settle its runs. */
const LIVENESS_EVENTS = 20_000;

export async function simulateEngine(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  const simulation = new EngineSimulation(new Random(seed), new World(trace, faults));
  return simulation.run();
}

interface Life {
  readonly process: SimProcess;
  readonly random: Random;
  readonly faulty: boolean;
  readonly first: boolean;
  /** Number of disk failures before the process started. */
  readonly diskFailures: number;
}

class EngineSimulation {
  readonly #random: Random;
  readonly #world: World;
  readonly #disk: SimDisk;
  readonly #accounts: readonly Account[];
  readonly #limitBytes: number;
  /** Whether the journal accepts records again after a failure of the disk. */
  readonly #recovers: boolean;
  /** True if the clock may also be set between a record and the decision that follows it. */
  readonly #restless: boolean;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
    this.#disk = new SimDisk({ world, random: random.fork('disk'), faults: noDiskFaults });
    world.rate = random.pick([1, 0.99, 1.01]);
    const journal = new JournalView(this.#disk);
    this.#accounts = ['a', 'b', 'c'].slice(0, random.between(1, 3)).map((runId) => {
      const plan = randomPlan(runId, random.fork(`plan ${runId}`), world.wallMs);
      return new Account({ plan, world, journal });
    });
    world.faults.focusOn(PHASES, random.fork('focus'));
    world.faults.phases = () => phasesIn(this.#accounts);
    world.faults.choose(throwFullOrSwarm(FAULTS, random.fork('swarm')), FAULTS);
    this.#restless = random.chance(0.5);
    this.#limitBytes = random.pick([2_000, 6_000, 20_000, 1_000_000]);
    this.#recovers = random.fork('recovers').chance(0.5);
  }

  async run(): Promise<SimResult> {
    for (const { plan } of this.#accounts) this.#world.note(() => `plan ${JSON.stringify(plan)}`);
    const lives = this.#random.between(1, 4);
    for (let life = 0; life < lives; life += 1) {
      const maxEvents = this.#random.between(1, 250);
      if (!this.#world.faults.strikes('short life', null)) continue;
      await this.#live({ faulty: true, first: life === 0, maxEvents });
    }
    await this.#live({ faulty: false, first: false, maxEvents: LIVENESS_EVENTS });
    // All runs are settled, so nothing may happen in this process (ENG-E11).
    await this.#live({ faulty: false, first: false, maxEvents: LIVENESS_EVENTS });
    return { violation: this.#world.violation, traceHash: this.#world.traceHash };
  }

  /** Runs one process from its start to its exit. The process is killed, unless it has completed its work before. */
  async #live(options: { faulty: boolean; first: boolean; maxEvents: number }): Promise<void> {
    const world = this.#world;
    if (world.violation !== null) return;
    const process = world.spawn();
    const random = this.#random.fork(`life ${process.pid}`);
    world.note(`process ${process.pid} starts`);
    for (const account of this.#accounts) account.lookBefore();
    this.#disk.faults = options.faulty ? { failure: 0.02, slowness: 0.04 } : noDiskFaults;
    if (options.faulty) this.#planClockSettings(random);
    let end: 'done' | Error | null = null;
    this.#main({ ...options, process, random, diskFailures: this.#disk.failures }).then(
      () => (end = 'done'),
      (error: unknown) => (end = error instanceof Error ? error : new Error(String(error))),
    );
    const inTime = await world.runUntil(() => end !== null, options.maxEvents);
    this.#judgeLife(end, inTime, options.faulty);
    this.#die(process, random);
  }

  #judgeLife(end: 'done' | Error | null, inTime: boolean, faulty: boolean): void {
    if (end instanceof Error && !(faulty && isDiskFailure(end))) {
      this.#world.violate('ENG-L2', `a run rejected: ${end.stack ?? end.message}`);
    }
    if (!faulty && !inTime) {
      this.#world.violate('ENG-L1', `not settled ${LIVENESS_EVENTS} events after the last fault`);
    }
  }

  #die(process: SimProcess, random: Random): void {
    const { faults } = this.#world;
    const powerLost = faults.of('no power', String(process.pid)).chance(random, 0.5);
    this.#world.note(`process ${process.pid} ends${powerLost ? ', power is lost' : ''}`);
    if (powerLost) this.#disk.losePower(process);
    else this.#disk.kill(process);
    // The disk keeps its state of that moment: a write in progress has happened or has not.
    faults.met(powerLost ? 'power lost' : 'process killed');
    process.alive = false;
    for (const account of this.#accounts) account.forget();
  }

  #setClock(random: Random): void {
    this.#world.setClock(random.pick([50, 5_000, 90_000, 18_000_000]) * random.pick([-1, 1]));
  }

  /** Sets the clock during the run, and sometimes at its start: a machine without a battery starts in the past. */
  #planClockSettings(random: Random): void {
    const { faults } = this.#world;
    if (faults.of('clock set', 'at the start').chance(random, 0.2)) this.#setClock(random);
    const times = random.between(0, 2);
    for (let time = 0; time < times; time += 1) {
      this.#world.after(random.between(0, 90_000), () => {
        if (faults.strikes('clock set', random)) this.#setClock(random);
      });
    }
  }

  async #main(life: Life): Promise<void> {
    const ledger = await FileLedger.open({
      files: this.#disk.filesOf(life.process),
      folder: FOLDER,
      processes: tableOf(life.process),
      limitBytes: this.#limitBytes,
      recovers: this.#recovers,
    });
    try {
      for (const account of this.#accounts) judgeSurvival(account, ledger);
      if (life.first) await appendHistory(ledger, life.random);
      await appendLateResults(ledger, life.random, this.#accounts);
      // The failure of one run ends no other run: each one handles a failure of the ledger itself.
      const runs = this.#accounts.map((account) => this.#run(account, ledger, life));
      await Promise.allSettled(runs);
      await Promise.all(runs);
    } finally {
      await ledger.close();
    }
  }

  async #run(account: Account, ledger: FileLedger, life: Life): Promise<void> {
    const recorded = await ledger.read(account.runId);
    // The settled run was dropped from the file. A lifecycle resumes only unsettled runs.
    if (account.settled !== null && recorded.length === 0) return;
    const { process, faulty } = life;
    const random = life.random.fork(account.runId);
    const { plan } = account;
    const clock = this.#world.faults.of('clock set', account.runId);
    // A resume may pass another deadline, but the recorded one stays valid.
    const moved = recorded.length > 0 && plan.deadlineAtMs !== null && random.chance(0.3);
    const listener = this.#world.faults.of('listener breaks', account.runId);
    const listening = random.fork('listener');
    account.runner = process;
    account.listenerBroke = false;
    const running = runPlan({
      plan: moved ? { ...plan, deadlineAtMs: this.#world.wallMs + 3_600_000 } : plan,
      ledger,
      act: makeHands({ account, process, random: random.fork('hands'), faulty }),
      platform: { clock: this.#world.clockOf(), timers: this.#timersOf(process) },
      emit: (event) => {
        this.#listen(account, event);
        if (faulty && this.#restless && clock.chance(random, 0.05)) this.#setClock(random);
        if (!faulty || !listener.chance(listening, 0.02)) return;
        account.listenerBroke = true;
        throw new Error('the simulated listener broke');
      },
      signal: this.#cancellation(account, life, random),
    });
    try {
      judgeEnd(account, await running);
    } finally {
      account.runner = null;
    }
  }

  #listen(account: Account, event: RunEvent): void {
    judgeListener(account);
    if (event.type === 'Output') {
      judgeOutput(account, event);
      return;
    }
    this.#world.note(() => `recorded ${JSON.stringify({ ...event, result: undefined })}`);
    judgeAcknowledged(account, event);
  }

  #cancellation(account: Account, life: Life, random: Random): LinkedSignal {
    const { process, faulty, diskFailures } = life;
    const source = new LinkedSignal();
    const { faults } = this.#world;
    const plan = faults.of('cancellation', `${account.runId} ${process.pid}`);
    if (!faulty || !plan.chance(random, 0.2)) return source;
    // A fraction of a millisecond keeps the cancellation apart from answers. Some cancellations happen during a resume.
    this.#world.after(random.fraction() * random.pick([20, 60_000, 60_000]), () => {
      if (!process.alive) return;
      faults.met('run cancelled', () => [phaseOf(account)]);
      this.#world.note(`${account.runId} is cancelled`);
      account.cancelEver = true;
      source.abort();
      watchCancellation(account, {
        process,
        isRecording: () => this.#disk.failures === diskFailures,
      });
    });
    return source;
  }

  #timersOf(process: SimProcess): Timers {
    const timers = this.#world.timersOf(process);
    return {
      after: (ms, callback) => {
        if (!(ms > 0 && ms < Infinity)) this.#world.violate('ENG-E12', `a wait of ${ms} ms`);
        return timers.after(ms, callback);
      },
    };
  }
}

function isDiskFailure(error: Error): boolean {
  if (/ENOSPC|EIO/.test(error.message)) return true;
  return error instanceof LifehookError && error.problems.some(({ code }) => code === 'LHE009');
}

/** The process table: only this process is alive. Each process has a new number, so earlier ones count as dead. */
function tableOf({ pid }: SimProcess): ProcessTable {
  return {
    self: () => Promise.resolve({ pid, started: 'simulated' }),
    isAlive: (other) => Promise.resolve(other.pid === pid),
  };
}
