/**
 * The command line of the runner (`lifehook-hook`): the wrapper writes it into config.json in place of a hook, the
 * runner reads it. The command line is the same for every create of one bundle, so that a second injection, which
 * replaces the hooks of the first one, leaves the same text.
 */
import { MAX_TIMEOUT_SECONDS } from '../../../engine/plan.ts';
import { LifehookError } from '../../../model/problem.ts';
import { extensionStages, type ExtensionStage, type OciHook } from '../points.ts';

/** All stages except startContainer, whose hooks are resolved inside the container, where there is no runner. */
export const wrappedStages = [
  'prestart',
  'createRuntime',
  'createContainer',
  'poststart',
  'poststop',
] as const;

export type WrappedStage = (typeof wrappedStages)[number];

/** Includes the extension stages. No runtime supports those, so the wrapper runs their hooks itself. */
export type RunnerStage = WrappedStage | ExtensionStage;

/**
 * warn: the failure is recorded and reported, and the container continues. retry: as fail, but after further attempts.
 */
export type OnFailure = 'fail' | 'warn' | 'retry';

export const onFailureChoices: readonly OnFailure[] = ['fail', 'warn', 'retry'];

export interface HookCommand {
  readonly stage: RunnerStage;
  /** The hook file that defines the hook. */
  readonly file: string;
  /** The hook's index among the hooks that Lifehook added to this stage, from 0. */
  readonly index: number;
  readonly onFailure: OnFailure;
  /** The number of attempts after the first; only with `retry`. */
  readonly retries: number;
  /** The timeout of one attempt; null: none. */
  readonly timeoutSeconds: number | null;
  /** The directory for the record. */
  readonly spool: string;
  readonly path: string;
  readonly argv: readonly string[];
}

/** Seconds before the second attempt; doubled before each further one. */
export const RETRY_BACKOFF_SECONDS = 1;

/** Seconds that the runner may need after a deadline, for TERM, the grace period, KILL, and its own work. */
const BACKSTOP_SECONDS = 15;

/** A hook with its environment; an absent `env` is empty. */
export interface WrappedHook {
  readonly command: HookCommand;
  readonly env: OciHook['env'];
}

export function wrapHook(runner: string, command: HookCommand, env: OciHook['env']): OciHook {
  return wrapHooks(runner, [{ command, env }]);
}

/**
 * Makes one entry of config.json that runs these hooks of one stage sequentially. A runner costs as much as a hook, so
 * one entry for three hooks costs less than three entries.
 *
 * The entry has no timeout: the runner enforces each deadline. crun loses the exit of a hook that it waits for with a
 * timeout (a second pending SIGCHLD replaces it), and then kills the hook late.
 */
export function wrapHooks(runner: string, hooks: readonly WrappedHook[]): OciHook {
  const [first] = hooks;
  return {
    path: runner,
    args: [
      'lifehook-hook',
      `--stage=${first?.command.stage ?? ''}`,
      `--spool=${first?.command.spool ?? ''}`,
      ...hooks.flatMap(({ command }) => writeHook(command)),
    ],
    // Without `env` the hook would get the runtime's whole environment, with secrets of the host. The environment is
    // not in the arguments, since every user of the machine can read the arguments of a running process.
    env: hooks.flatMap(({ env = [] }, place) => env.map((entry) => `${place}:${entry}`)),
  };
}

/**
 * Seconds after which a runner of these hooks is stuck; null: one of them has no deadline.
 *
 * Worked example: timeout 2, retry with 2 retries: three attempts of 2 s, each with up to 15 s to exit,
 * and pauses of 1 s and 2 s between them: 54 s.
 */
export function stuckAfterSeconds(commands: readonly HookCommand[]): number | null {
  let sum = 0;
  for (const command of commands) {
    const seconds = backstopSeconds(command);
    if (seconds === null) return null;
    sum += seconds;
  }
  return sum;
}

/** The part of the runner's environment for the hook with this index. */
export function environmentOf(
  env: Readonly<Record<string, string>>,
  place: number,
): Record<string, string> {
  const prefix = `${place}:`;
  const mine = Object.entries(env).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(mine.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Parses the runner's arguments without its name. Throws a LifehookError. */
export function readHookCommands(args: readonly string[]): HookCommand[] {
  const commands: HookCommand[] = [];
  const [stage = '', spool = '', ...rest] = args;
  for (let at = 0; at < rest.length;) {
    const end = rest.indexOf('--', at);
    const reader = new OptionReader(args, [stage, spool, ...rest.slice(at, Math.max(end, at))]);
    const argvStart = end + 2;
    at = argvStart + reader.count('argc');
    const path = rest[end + 1];
    if (end === -1 || path === undefined || at > rest.length) throw notOurs(args);
    commands.push(readHook(reader, path, rest.slice(argvStart, at)));
  }
  if (commands.length === 0) throw notOurs(args);
  return commands;
}

function writeHook(command: HookCommand): string[] {
  return [
    `--hook=${command.file}`,
    `--index=${command.index}`,
    `--on-failure=${command.onFailure}`,
    `--retries=${command.retries}`,
    `--timeout=${command.timeoutSeconds ?? 0}`,
    `--argc=${command.argv.length}`,
    '--',
    command.path,
    ...command.argv,
  ];
}

function readHook(reader: OptionReader, path: string, argv: readonly string[]): HookCommand {
  return {
    stage: reader.choice('stage', [...wrappedStages, ...extensionStages]),
    file: reader.text('hook'),
    index: reader.count('index'),
    onFailure: reader.choice('on-failure', onFailureChoices),
    retries: reader.count('retries'),
    timeoutSeconds: reader.count('timeout') || null,
    spool: reader.text('spool'),
    path,
    argv,
  };
}

/** Seconds after which a runner of this hook must be stuck; null: the hook has no deadline. */
function backstopSeconds({ timeoutSeconds, retries }: HookCommand): number | null {
  if (timeoutSeconds === null) return null;
  const pauses = RETRY_BACKOFF_SECONDS * (2 ** retries - 1);
  const attemptSeconds = Math.min(timeoutSeconds, MAX_TIMEOUT_SECONDS) + BACKSTOP_SECONDS;
  return (retries + 1) * attemptSeconds + pauses;
}

class OptionReader {
  readonly #args: readonly string[];
  readonly #options: ReadonlyMap<string, string>;

  constructor(args: readonly string[], options: readonly string[]) {
    this.#args = args;
    this.#options = new Map(options.map(splitOption));
  }

  text(name: string): string {
    const value = this.#options.get(name);
    if (value === undefined) throw notOurs(this.#args);
    return value;
  }

  count(name: string): number {
    const value = Number(this.text(name));
    if (!Number.isSafeInteger(value) || value < 0) throw notOurs(this.#args);
    return value;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.text(name);
    const chosen = choices.find((one) => one === value);
    if (chosen === undefined) throw notOurs(this.#args);
    return chosen;
  }
}

function splitOption(option: string): [name: string, value: string] {
  const equals = option.indexOf('=');
  return [option.slice('--'.length, equals), option.slice(equals + 1)];
}

function notOurs(args: readonly string[]): LifehookError {
  return new LifehookError({
    code: 'LHC301',
    message: `lifehook-hook takes the arguments that lifehook-runtime writes into config.json, but was given ${JSON.stringify(args)}.`,
    next: 'Do not call it yourself: write the hook into a hooks.d file, and run the container with lifehook-runtime.',
  });
}
