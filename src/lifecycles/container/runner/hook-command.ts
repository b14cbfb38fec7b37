/**
 * The command line of the runner (`lifehook-hook`): the wrapper writes it into config.json in the place
 * of a hook, the runner reads it. It holds nothing that differs between two runs over one bundle, so
 * that a second injection finds the first one's hooks and adds nothing.
 */
import { LifehookError } from '../../../model/problem.ts';
import type { OciHook } from '../points.ts';

/** All but startContainer, whose hooks are looked up inside the container, where there is no runner. */
export const wrappedStages = [
  'prestart',
  'createRuntime',
  'createContainer',
  'poststart',
  'poststop',
] as const;

export type WrappedStage = (typeof wrappedStages)[number];

/** warn: recorded and told, and the container goes on. retry: further attempts, then fail. */
export type OnFailure = 'fail' | 'warn' | 'retry';

export const onFailureChoices: readonly OnFailure[] = ['fail', 'warn', 'retry'];

export interface HookCommand {
  readonly stage: WrappedStage;
  /** The hook file that the hook comes from. */
  readonly file: string;
  /** Its place among the hooks that Lifehook put into this stage, from 0. */
  readonly index: number;
  readonly onFailure: OnFailure;
  /** Further attempts after the first; only with retry. */
  readonly retries: number;
  /** Of one attempt; null: no deadline. */
  readonly timeoutSeconds: number | null;
  /** The folder that takes the record. */
  readonly spool: string;
  readonly path: string;
  readonly argv: readonly string[];
}

/** Between two attempts, doubled each time. */
export const RETRY_BACKOFF_SECONDS = 1;

/** What the runner has for TERM, grace and KILL after a deadline, and for itself. */
const BACKSTOP_SECONDS = 10;

/**
 * The hook that takes the other one's place. The runner keeps the deadline; the runtime's own is left
 * as a backstop behind it, for a runner that is stuck. A hook without a deadline gets none here either.
 *
 * Worked example: timeout 2, retry with 2 retries: three attempts of 2 s, each with up to 10 s to end,
 * and pauses of 1 s and 2 s between them: the runtime waits for 39 s.
 */
export function wrapHook(runner: string, command: HookCommand, env: OciHook['env']): OciHook {
  const { timeoutSeconds, retries } = command;
  const hook: OciHook = {
    path: runner,
    args: [
      'lifehook-hook',
      `--stage=${command.stage}`,
      `--hook=${command.file}`,
      `--index=${command.index}`,
      `--on-failure=${command.onFailure}`,
      `--retries=${retries}`,
      `--timeout=${timeoutSeconds ?? 0}`,
      `--spool=${command.spool}`,
      '--',
      command.path,
      ...command.argv,
    ],
    // Absent would mean: with the whole environment of the runtime, secrets of the host included.
    env: env ?? [],
  };
  if (timeoutSeconds === null) return hook;
  const pauses = RETRY_BACKOFF_SECONDS * (2 ** retries - 1);
  return { ...hook, timeout: (retries + 1) * (timeoutSeconds + BACKSTOP_SECONDS) + pauses };
}

/** Of the runner's arguments without its name. Throws a LifehookError. */
export function readHookCommand(args: readonly string[]): HookCommand {
  const end = args.indexOf('--');
  const options = new Map(args.slice(0, Math.max(end, 0)).map(splitOption));
  const [path, ...argv] = args.slice(end + 1);
  const text = (name: string): string => {
    const value = options.get(name);
    if (value === undefined) throw notOurs(args);
    return value;
  };
  const count = (name: string): number => {
    const value = Number(text(name));
    if (!Number.isSafeInteger(value) || value < 0) throw notOurs(args);
    return value;
  };
  const choice = <T extends string>(name: string, choices: readonly T[]): T => {
    const chosen = choices.find((one) => one === text(name));
    if (chosen === undefined) throw notOurs(args);
    return chosen;
  };
  if (path === undefined) throw notOurs(args);
  return {
    stage: choice('stage', wrappedStages),
    file: text('hook'),
    index: count('index'),
    onFailure: choice('on-failure', onFailureChoices),
    retries: count('retries'),
    timeoutSeconds: count('timeout') || null,
    spool: text('spool'),
    path,
    argv,
  };
}

function splitOption(option: string): [name: string, value: string] {
  const equals = option.indexOf('=');
  return [option.slice('--'.length, equals), option.slice(equals + 1)];
}

function notOurs(args: readonly string[]): LifehookError {
  return new LifehookError({
    code: 'LHC301',
    severity: 'error',
    message: `lifehook-hook takes the arguments that lifehook-runtime writes into config.json, but was given ${JSON.stringify(args)}.`,
    next: 'Do not call it yourself: give the hook to a hooks.d file, and run the container with lifehook-runtime.',
  });
}
