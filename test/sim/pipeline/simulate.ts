/**
 * Sessions of a pipeline with one state directory on a simulated machine. Each session is a process that can be killed
 * at any change, and interrupted once or twice. Sessions run in parallel. The disk fills and fails, clocks are set, and
 * hooks have any result. Then the faults end, and one more session must run to its end. (Invariants: account.ts.)
 */
import type { Faults } from '../faults.ts';
import { Host } from '../host/host.ts';
import type { HostProcess } from '../host/host-process.ts';
import { programOf } from '../container/own-programs.ts';
import type { SimResult } from '../lifecycles.ts';
import { Random } from '../random.ts';
import { World } from '../world.ts';
import { Account, phaseOf, type Session, STATE } from './account.ts';
import { installHooks } from './hook-program.ts';
import { judgeEvents, judgeOver, judgeRecords, judgeSession } from './judge-end.ts';
import { CLEANUP_MS, isCleanup } from './judge-hook.ts';
import { randomPlan, SECRET, type SessionPlan, WHENS } from './plan.ts';
import { runSession } from './run-session.ts';
import { planTroubles, TROUBLES } from './troubles.ts';

export async function simulatePipeline(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  const simulation = new PipelineSimulation(new Random(seed), new World(trace, faults));
  return simulation.run();
}

/** Phases in which the faults may be concentrated. Some of them are short. */
const FOCI = ['opening', 'between hooks', 'working', 'closing', ...WHENS] as const;
const PLAY_MS = 3_000;
const REST_MS = 10_000;
const MAX_EVENTS = 60_000;

class PipelineSimulation {
  readonly #random: Random;
  readonly #world: World;
  readonly #account: Account;
  readonly #host: Host;
  readonly #troubles: ReadonlySet<string>;
  readonly #plan: SessionPlan;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
    this.#account = new Account(world);
    this.#troubles = new Set(TROUBLES.filter(() => random.chance(0.35)));
    this.#plan = randomPlan(random.fork('plan'));
    this.#host = new Host({ world, random: random.fork('host'), watch: this.#watch() });
    this.#account.host = this.#host;
    this.#account.programDice = random.fork('programs');
    world.faults.phases = () => this.#account.phases();
    world.faults.focusOn(FOCI, random.fork('focus'));
    installHooks({ host: this.#host, account: this.#account, random: random.fork('hooks') });
    this.#prepare(random.fork('earlier sessions'));
  }

  #watch(): ConstructorParameters<typeof Host>[0]['watch'] {
    return {
      onText: (path, text) => {
        const [, folder, attempt] = /^(.*)\/scratch\/(.*)-lifehook_env$/.exec(path) ?? [];
        if (attempt !== undefined) this.#beginAttempt(folder ?? '', attempt);
        if (path.includes('/scratch/') || !text.includes(SECRET)) return;
        this.#world.violate('PIPE-P6', `a secret is written to ${path}: ${text.slice(0, 300)}`);
      },
      onRefused: (process, what) => {
        if (!what.includes('journal.jsonl')) return;
        const session = this.#account.sessions.find((one) => one.process === process);
        if (session !== undefined) session.refusedMs ??= this.#world.elapsedMs;
      },
    };
  }

  #beginAttempt(folder: string, attempt: string): void {
    const session = this.#account.sessions.find((one) => one.folder === folder);
    session?.attempts.set(attempt, this.#world.elapsedMs);
  }

  /** Creates earlier session directories, sometimes so many that the product removes the oldest. */
  #prepare(dice: Random): void {
    const { tree } = this.#host;
    const earlier = dice.pick([0, 29, 31]);
    tree.makeFolders(`${STATE}/sessions`);
    for (let index = 0; index < earlier; index += 1) {
      const folder = `${STATE}/sessions/20251231T${String(100_000 + index)}-0000${100 + index}`;
      tree.makeFolders(folder);
      tree.put(`${folder}/session.json`, tree.newFile('{"exitCode":0}'));
    }
    tree.syncAll();
  }

  async run(): Promise<SimResult> {
    const users = this.#random.fork('users');
    let atMs = 0;
    const sessions = users.between(1, 3);
    for (let session = 0; session < sessions; session += 1) {
      this.#world.after(atMs, () => {
        this.#give(users);
      });
      atMs += users.between(0, 1_200);
    }
    planTroubles(
      { host: this.#host, account: this.#account, troubles: this.#troubles, withinMs: PLAY_MS },
      this.#random.fork('faults'),
    );
    await this.#pass(PLAY_MS);
    if (this.#world.violation === null) await this.#endFaults();
    const { violation, traceHash } = this.#world;
    return { violation, traceHash };
  }

  #give(users: Random): void {
    const { faults } = this.#world;
    if (!faults.strikes('user: run', users)) return;
    const digest = users.pick(['one', 'one', 'two']);
    this.#begin(digest);
    const isTwice = this.#troubles.has('two at once') && users.chance(0.6);
    if (!isTwice || !faults.strikes('second session at once', users)) return;
    this.#world.after(users.pick([0, 1, 5, 50]), () => {
      this.#begin(digest);
    });
  }

  #begin(digest: string): Session {
    const account = this.#account;
    const host = this.#host;
    const program = programOf(
      host,
      async (process) => {
        const code = await runSession(account, session, process);
        session.exitCode = code;
        judgeSession(account, session);
        return code;
      },
      (error, { failures }) => {
        const isExcused = failures > 0;
        account.require(
          isExcused,
          'PIPE-L1',
          () => `session ${session.n} broke: ${stackOf(error)}`,
        );
      },
    );
    host.programs.set('/lifehook/pipeline', program);
    const process = host.start({
      file: '/lifehook/pipeline',
      argv: ['lifehook', 'pipeline', 'run'],
      env: {},
      sink: { reader: null, write: () => undefined, holders: 0 },
      parent: null,
    });
    const session: Session = {
      n: account.sessions.length + 1,
      process,
      plan: this.#plan,
      hooks: [],
      stages: new Map(),
      skipped: new Set(),
      stoppedLists: new Set(),
      isClosing: false,
      attempts: new Map(),
      beganMs: this.#world.elapsedMs,
      digest,
      folder: null,
      endedMs: null,
      exitCode: null,
      refusedMs: null,
      cancelledMs: null,
      hurriedMs: null,
    };
    account.sessions.push(session);
    this.#world.note(`user: pipeline run as session ${session.n}, inputs ${digest}`);
    process.onEnd.push(({ code, signal }) => {
      session.endedMs = this.#world.elapsedMs;
      this.#world.note(`session ${session.n} ends with ${signal ?? code}`);
    });
    this.#mayDie(process);
    return session;
  }

  #mayDie(process: HostProcess): void {
    if (!this.#account.faulty || !this.#troubles.has('kill at a change')) return;
    if (this.#random.chance(0.5)) process.deathChance = 1 / this.#random.pick([5, 20, 60]);
  }

  async #endFaults(): Promise<void> {
    const host = this.#host;
    const account = this.#account;
    account.faulty = false;
    Object.assign(host.faults, { full: false, syncFailure: 0, slowness: 0 });
    for (const process of host.processes.values()) process.deathChance = 0;
    this.#world.note('the faults are over');
    await this.#pass(REST_MS);
    await this.#endSessions();
    for (const process of host.processes.values()) host.kill(process);
    judgeRecords(account);
    judgeEvents(account);
    if (this.#world.violation !== null) return;
    const last = this.#begin('one');
    await this.#world.runUntil(() => !last.process.alive, MAX_EVENTS);
    account.require(!last.process.alive, 'PIPE-L1', () => `session ${last.n} does not end`);
    const fails = this.#plan.flat().some(({ workFails }) => workFails);
    const isRight = fails || last.exitCode === 0;
    account.require(isRight, 'PIPE-L1', () => `session ${last.n} ends with ${last.exitCode}`);
    judgeRecords(account);
  }

  /** The user kills hanging hooks without a deadline. Cleanup hooks always have a deadline. */
  async #endSessions(): Promise<void> {
    const account = this.#account;
    for (const { hooks } of account.sessions) {
      for (const { process, address } of hooks) {
        if (process?.alive === true && !isCleanup(phaseOf(address))) this.#host.kill(process);
      }
    }
    const isOver = (): boolean => account.sessions.every(({ process }) => !process.alive);
    let late = false;
    this.#world.after(CLEANUP_MS + REST_MS, () => {
      late = true;
    });
    await this.#world.runUntil(() => late || isOver(), MAX_EVENTS);
    for (const session of account.sessions) judgeOver(account, session);
  }

  async #pass(ms: number): Promise<void> {
    let over = false;
    this.#world.after(ms, () => {
      over = true;
    });
    if (await this.#world.runUntil(() => over, MAX_EVENTS)) return;
    this.#world.violate('PIPE-L1', `more than ${MAX_EVENTS} events in ${ms} ms`);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
