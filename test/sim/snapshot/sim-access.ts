/**
 * The access of one simulated controller to containers: commands that run to their end, and sessions. Each command is
 * in the account before it can have an effect.
 */
import { UnreachableError } from '../../../src/kube/api-error.ts';
import type { ExecOptions, ExecTarget, OpenExecOptions } from '../../../src/kube/exec.ts';
import { type ExecResult, notStarted } from '../../../src/kube/exec-result.ts';
import type { StreamSession } from '../../../src/kube/stream-session.ts';
import type { ContainerAccess } from '../../../src/lifecycles/snapshot/context.ts';
import { failure } from '../controller/sim-api.ts';
import type { SimHost } from '../controller/sim-host.ts';
import type { Random } from '../random.ts';
import type { Account, Command, Verb } from './account.ts';
import type { Application } from './application.ts';
import { type ExecFate, stuckFates, throwFate, usualFate } from './exec-fate.ts';
import type { HookPlan } from './hook-plans.ts';
import type { SimCluster } from './sim-cluster.ts';
import { type SessionDice, throwFreezing, throwOpening } from './session-fate.ts';
import { runHolder, tagOfHolder } from './sim-holder.ts';
import { SimStream } from './sim-stream.ts';

/** Finds the tag of a command from the tag in its argv and the place where it runs. */
export type TagFor = (
  tag: string,
  place: { readonly pod: string; readonly container: string },
) => string;

export interface AccessOptions {
  readonly host: SimHost;
  readonly random: Random;
  readonly cluster: SimCluster;
  readonly account: Account;
  readonly isFaulty: () => boolean;
  /** Phases in which a command of the hook with this tag counts. */
  readonly phasesOf: (verb: Verb, tag: string) => readonly string[];
  /** Maximum duration of slow commands, in milliseconds; 0: only the trouble exec makes commands slow. */
  readonly longestMs: () => number;
  /** True if no thaw in this pod can succeed now. */
  readonly isStuck: (pod: string) => boolean;
  /** Plan of the hook with this tag. */
  readonly planOf: (tag: string) => HookPlan;
  readonly tagFor: TagFor;
  /** Called before a command has any effect, so that judges can check the state at that moment. */
  readonly onSend: (command: Command) => void;
  /** Called when the state of a command has changed, so that the controller may die then. */
  readonly onMoment: () => void;
}

/** Milliseconds until a silent connection is noticed. */
const NOTICED_MS = 10_000;
const LOST: ExecResult = { outcome: 'unknown', cause: 'lost', reason: 'the connection broke' };

const NOT_FOUND = notStarted('BadRequest', 'container not found');
const DENIED = 'cannot create resource "pods/exec" in the namespace "ns"';
const FORBIDDEN = notStarted('Forbidden', DENIED);

interface Sending extends ExecTarget {
  readonly tag: string;
  readonly command: readonly string[];
}

/** Records the result of a command as its controller receives it. */
function reported(command: Command, result: ExecResult): void {
  command.isKnown = result.outcome !== 'unknown';
  command.notStarted = result.outcome === 'failed';
  command.succeeded = result.outcome === 'exited' && result.exitCode === 0;
}

/** Calls `answer` with the result, unless the answer never arrives. `real`: exit code of the command if it ran. */
function answerTo(
  fate: ExecFate['answer'],
  { random, real, wasThere }: { random: Random; real: number; wasThere: boolean },
  answer: Answer,
): void {
  if (fate.kind === 'never') return;
  if (fate.kind === 'lost') answer(random.between(1, 2_000), LOST);
  else if (fate.kind === 'denied') answer(1, FORBIDDEN);
  else if (fate.kind === 'refused' || !wasThere) answer(1, NOT_FOUND);
  else answer(random.between(1, 20), { outcome: 'exited', exitCode: fate.code ?? real });
}

/** Error with which a session does not open; null if it opens, or if there is no answer. */
function refusalOf({ application }: Command, trouble: string | null): Error | null {
  if (trouble === 'no') return new UnreachableError('no route to the server', { sent: false });
  if (trouble === 'denied') return failure(403, 'Forbidden', DENIED);
  if (application?.alive !== true) return failure(500, 'InternalError', 'container not found');
  return trouble === 'lost' ? new UnreachableError('it broke', { sent: true }) : null;
}

type Answer = (afterMs: number, result: ExecResult) => void;

export class SimAccess {
  readonly access: ContainerAccess;
  readonly #options: AccessOptions;
  readonly #streams = new Set<SimStream>();
  #sessions = 0;

  constructor(options: AccessOptions) {
    this.#options = options;
    const noNetwork = (): Promise<never> => Promise.reject(new Error('no network in here'));
    this.access = {
      exec: (given) => this.#exec(given),
      openExec: (given) => this.#openExec(given),
      network: { httpGet: noNetwork, tcpConnect: noNetwork },
    };
  }

  /** Breaks all held sessions, because the controller has exited or the network is down. */
  breakOff(how: 'reset' | 'silence'): void {
    for (const stream of this.#streams) stream.breakOff(how, NOTICED_MS);
    this.#streams.clear();
  }

  #exec(options: ExecOptions): Promise<ExecResult> {
    const { host } = this.#options;
    const { timeoutMs, signal } = options;
    const [verb = '', tag = ''] = options.command;
    const command = this.#send(verb as Verb, { ...options, tag });
    return new Promise((settle) => {
      const resolve = (result: ExecResult): void => {
        signal?.removeEventListener('abort', cancel);
        settle(result);
      };
      const leave = (cause: 'timedOut' | 'cancelled') => (): void => {
        command.abandoned = true;
        resolve({ outcome: 'unknown', cause, reason: `it was ${cause}` });
      };
      const cancel = leave('cancelled');
      signal?.addEventListener('abort', cancel);
      if (timeoutMs !== undefined) host.timers.after(timeoutMs, leave('timedOut'));
      if (host.isAlone) {
        host.timers.after(1, () => {
          const result = notStarted('Unreachable', 'no route to the server');
          reported(command, result);
          resolve(result);
        });
        return;
      }
      this.#run(command, (afterMs, result) => {
        host.world.after(afterMs, () => {
          if (host.isAlone) return;
          host.deliver(() => {
            reported(command, result);
            resolve(result);
            this.#options.onMoment();
          });
        });
      });
    });
  }

  #run(command: Command, answer: Answer): void {
    const { host, random } = this.#options;
    const fate = this.#fateOf(command);
    const wasThere = command.application?.alive === true;
    const workMs = this.#workMs(command);
    host.world.after(random.between(1, 20) + workMs, () => {
      // A freeze that arrives after the controller has stopped waiting has no effect, because no controller could undo
      // it.
      const isLate = command.verb === 'freeze' && (command.abandoned || !host.process.alive);
      const real = fate.takesEffect && !isLate ? this.#doWork(command) : 0;
      this.#options.onMoment();
      answerTo(fate.answer, { random, real, wasThere }, answer);
    });
  }

  #workMs({ verb, tag }: Command): number {
    const { host, random, isFaulty, longestMs } = this.#options;
    const slow = host.world.faults.of('command slow', `${verb} ${tag}`);
    const { phases } = this.#dice(verb, tag);
    if (longestMs() > 0 && slow.chance(random, 0.2, phases)) {
      return random.between(100, longestMs());
    }
    const isSlow = isFaulty() && slow.chance(random, 0.08, phases);
    return isSlow ? random.between(100, 3_000) : random.between(1, 40);
  }

  #fateOf({ verb, tag, pod }: Command): ExecFate {
    const { random, cluster, isFaulty, planOf } = this.#options;
    const dice = this.#dice(verb, tag);
    if (!cluster.answers(pod)) {
      const kind = random.pick<'lost' | 'never'>(['lost', 'never']);
      return { fault: 'node lost', takesEffect: false, answer: { kind } };
    }
    if (verb === 'thaw' && this.#options.isStuck(pod)) {
      const fate = random.pick(stuckFates);
      const stuck = dice.faults.of('thaw stuck', tag);
      return stuck.strikes(null, dice.phases) ? fate : usualFate;
    }
    return isFaulty() ? throwFate({ ...dice, verb, plan: planOf(tag) }) : usualFate;
  }

  #dice(verb: Verb, tag: string): SessionDice {
    const { host, random, phasesOf } = this.#options;
    return { faults: host.world.faults, random, tag, phases: () => phasesOf(verb, tag) };
  }

  #doWork({ verb, tag, application }: Command): number {
    if (application?.alive !== true) return 137;
    switch (verb) {
      case 'freeze':
        return application.takeLock(tag);
      case 'thaw':
        return application.giveLock(tag);
      case 'probe':
        return application.freeze === null ? 1 : 0;
      default:
        return verb satisfies never;
    }
  }

  #send(verb: Verb, { tag: given, command: words, pod, container = '' }: Sending): Command {
    const { host, cluster, account, tagFor, onSend } = this.#options;
    const tag = tagFor(given, { pod, container });
    const application = cluster.reach(pod, container);
    const place = { pod, container, application };
    const command = account.command({ verb, tag, words, host: host.name, ...place });
    onSend(command);
    return command;
  }

  #openExec(options: OpenExecOptions): Promise<StreamSession> {
    const { host, random, isFaulty } = this.#options;
    const { signal, command: words } = options;
    const command = this.#send('freeze', { ...options, tag: tagOfHolder(words) });
    return new Promise((resolve, reject) => {
      const refuse = (error: Error): void => {
        host.timers.after(random.between(1, 500), () => {
          reject(error);
        });
      };
      signal?.addEventListener('abort', () => {
        refuse(new UnreachableError('called off', { sent: true }));
      });
      const trouble = isFaulty() ? throwOpening(this.#dice('freeze', command.tag)) : null;
      const refusal = refusalOf(command, host.isAlone ? 'no' : trouble);
      if (refusal !== null) refuse(refusal);
      else if (command.application !== undefined && trouble === null) {
        const stream = this.#hold(command, command.application, words);
        host.world.after(random.between(1, 30), () => {
          host.deliver(() => {
            resolve(stream);
          });
        });
      }
    });
  }

  #hold(command: Command, application: Application, words: readonly string[]): SimStream {
    const { host, random, account, isFaulty, cluster, planOf, onMoment, onSend } = this.#options;
    const { world } = host;
    const { tag, pod, container } = command;
    const session = `${host.name}/${(this.#sessions += 1)}`;
    const stream = new SimStream(host, () => random.between(1, 15));
    this.#streams.add(stream);
    let alive = true;
    application.onStop.add(() => {
      alive = false;
      stream.exit(137);
    });
    if (!cluster.answers(pod)) stream.breakOff('silence', NOTICED_MS);
    if (isFaulty() && world.faults.of('session breaks', tag).chance(random, 0.4)) {
      world.after(random.between(1, 5_000), () => {
        world.faults.met('session broken');
        stream.breakOff(random.pick(['reset', 'silence']), random.between(1, NOTICED_MS));
      });
    }
    const fate = isFaulty() ? throwFreezing(this.#dice('freeze', tag)) : null;
    const holder = runHolder({
      world,
      stream,
      command: words,
      // A command with the timing `eof` has no timer, so only a probe can show that the connection is silent
      // (SNAP-G14).
      timing: random.pick(planOf(tag).probed ? ['read', 'sleep', 'eof'] : ['read', 'sleep']),
      work: {
        isAlive: () => alive,
        freeze: (isWanted) =>
          new Promise((resolve) => {
            if (fate === 'hangs') return;
            world.after(random.between(1, 60), () => {
              if (!isWanted() || !alive) return;
              const code = fate === 'fails' ? 1 : application.takeLock(tag, session);
              command.succeeded = code === 0;
              resolve(code);
              onMoment();
            });
          }),
        thaw: () => {
          const place = { pod, container, application };
          onSend(account.command({ verb: 'thaw', tag, words, host: null, ...place }));
          return application.giveLock(tag, session);
        },
      },
    });
    account.holders.push({ tag, application, mayThaw: () => holder.mayThaw });
    return stream;
  }
}
