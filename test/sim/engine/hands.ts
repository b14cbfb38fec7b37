import { type Act, type AttemptRequest, bareResult } from '../../../src/engine/act.ts';
import type { AttemptResult, Outcome } from '../../../src/model/attempt.ts';
import type { Random } from '../random.ts';
import type { SimProcess } from '../world.ts';
import { type Account, BACKSTOP_GRACE_MS, type Effect } from './account.ts';
import { judgeBegin, nameOf } from './judge-begin.ts';
import type { EnginePhase } from './phases.ts';

/** Behaviour of a handler in one attempt. Times are milliseconds from the start of the attempt. */
type Behaviour =
  | { readonly kind: 'answer'; readonly outcome: Outcome; readonly afterMs: number }
  | { readonly kind: 'reject'; readonly afterMs: number }
  | { readonly kind: 'throw' }
  | { readonly kind: 'hang' };

export interface HandsOptions {
  readonly account: Account;
  readonly process: SimProcess;
  readonly random: Random;
  /** If false, every attempt is answered in time. */
  readonly faulty: boolean;
}

/** The handlers of the simulated world. They behave at random, and record their effects in the account. */
export function makeHands(options: HandsOptions): Act {
  return (request) => {
    const effect = begin(options, request);
    const behaviour = throwDice(options, request);
    options.account.world.note(() => `${nameOf(request)} begins: ${JSON.stringify(behaviour)}`);
    if (behaviour.kind === 'throw') {
      answer(options, effect, 'Unknown');
      throw new Error('the simulated handler is broken');
    }
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome): void => {
        const broken = behaviour.kind === 'reject';
        if (options.process.alive) request.onOutput?.('stdout', 'before the end');
        if (!answer(options, effect, broken ? 'Unknown' : outcome)) return;
        // A process that the handler has left may continue to print.
        options.account.world.after(1, () => {
          if (options.process.alive) request.onOutput?.('stdout', 'after the end');
        });
        if (broken) reject(new Error('the simulated handler broke'));
        else resolve(resultOf(options.random, outcome));
      };
      obeyCancellation(options, effect, settle);
      if (behaviour.kind === 'hang') return;
      const outcome = behaviour.kind === 'answer' ? behaviour.outcome : 'Unknown';
      options.account.world.after(behaviour.afterMs, () => {
        settle(outcome);
      });
    });
  };
}

function begin({ account, process }: HandsOptions, request: AttemptRequest): Effect {
  judgeBegin(account, request, process);
  const step = account.plan.steps.find(({ name }) => name === request.step);
  if (step === undefined) throw new Error(`no step ${request.step}`);
  const effect: Effect = {
    step,
    request,
    process,
    beganMs: account.world.elapsedMs,
    cancelledMs: null,
    answer: null,
    forgotten: false,
  };
  account.effects.push(effect);
  return effect;
}

/** Records the first answer, if the process is still alive. */
function answer({ account, process }: HandsOptions, effect: Effect, outcome: Outcome): boolean {
  if (effect.answer !== null || !process.alive) return false;
  effect.answer = { atMs: account.world.elapsedMs, outcome };
  account.world.note(`${nameOf(effect.request)} answers ${outcome}`);
  return true;
}

function obeyCancellation(
  { account, random }: HandsOptions,
  effect: Effect,
  settle: (outcome: Outcome) => void,
): void {
  const { signal } = effect.request;
  const obeys = random.chance(0.7);
  signal.addEventListener('abort', () => {
    effect.cancelledMs = account.world.elapsedMs;
    if (effect.step.kind === 'cleanup') {
      account.world.violate('ENG-E9', `${nameOf(effect.request)} was signalled to stop`);
    }
    if (!obeys) return;
    account.world.after(random.between(0, 5_000), () => {
      settle(random.pick(STOPPED));
    });
  });
}

/** A stopped program may report an error of its own instead. */
const STOPPED = ['Cancelled', 'Cancelled', 'Failed'] as const;

/** The phase at which a fault of a handler is counted. The intent of the attempt is on the disk then. */
const OF_HANDLERS = (): readonly EnginePhase[] => ['running'];

/** A random outcome. A program that has failed once often fails again. */
function throwOutcome(random: Random, attempt: number): Outcome {
  const mostly = attempt === 1 ? 'Succeeded' : 'Failed';
  return random.pick<Outcome>(['Succeeded', mostly, 'Failed']);
}

function throwDice(
  { account, random, faulty }: HandsOptions,
  { timeoutMs, step, attempt }: AttemptRequest,
): Behaviour {
  const { faults } = account.world;
  const happens = (kind: string, probability: number): boolean =>
    faults.of(kind, step).chance(random, probability, OF_HANDLERS);
  // Half milliseconds, so that an answer never coincides with the engine's backstop (make-attempt.ts). Both count from
  // the start of the attempt.
  const afterMs = random.between(0, Math.min(timeoutMs ?? 20_000, 20_000) - 1) + 0.5;
  const usual = throwOutcome(random, attempt);
  if (!faulty || random.chance(0.7)) return { kind: 'answer', outcome: usual, afterMs };
  if (happens('handler rejects', 0.2)) return { kind: 'reject', afterMs };
  if (happens('handler throws', 0.1)) return { kind: 'throw' };
  if (timeoutMs === null) return { kind: 'answer', outcome: 'Succeeded', afterMs };
  if (happens('handler times out', 0.4)) {
    return { kind: 'answer', outcome: 'TimedOut', afterMs: timeoutMs + 0.5 };
  }
  if (happens('handler hangs', 0.3)) return { kind: 'hang' };
  if (!faults.of('handler late', step).strikes(random, OF_HANDLERS)) {
    return { kind: 'answer', outcome: usual, afterMs };
  }
  const lateMs = timeoutMs + BACKSTOP_GRACE_MS + random.between(0, 60_000) + 0.5;
  return { kind: 'answer', outcome: usual, afterMs: lateMs };
}

function resultOf(random: Random, outcome: Outcome): AttemptResult {
  const text = 'schöne Ausgabe '.repeat(random.between(0, 20));
  const stdout = { text, totalBytes: text.length };
  return { ...bareResult(outcome, `simulated ${outcome}`, 1), stdout };
}
