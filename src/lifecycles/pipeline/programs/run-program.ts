/**
 * Runs one external program (git, docker, helm, a custom builder) by the process rules of a host hook: no shell, its
 * own process group that is killed when the session is cancelled, output emitted line by line, secrets masked.
 * Never rejects because the program fails.
 */
import { runCommand } from '../../../handlers/command.ts';
import type { AttemptResult, Outcome } from '../../../model/attempt.ts';
import { exitCodeOf } from '../../../model/exit-code.ts';
import { secretValues } from '../../../model/secrets.ts';
import { CollectedText, MAX_MANIFEST_UNITS, outputBlocks, tapStdout } from '../hooks/tap-stdout.ts';
import type { PhaseFailure, PipelineSession } from '../session.ts';

export interface ProgramSpec {
  readonly argv: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** Variables set in addition to the caller's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The source that is named in the events with the program's lines. */
  readonly source: string;
  /** Returns the whole stdout, which is then neither emitted as lines nor kept in the tail. */
  readonly capture?: 'stdout';
  /** Seconds; absent: no deadline. */
  readonly timeoutSeconds?: number;
}

export interface ProgramResult {
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /**
   * The whole stdout, only with `capture`. At most MAX_MANIFEST_UNITS UTF-16 units: a program that prints more has
   * failed.
   */
  readonly stdout: string;
  /** The last lines of stderr, or of stdout if stderr is empty. */
  readonly tail: string;
  /** The reason for the outcome as one sentence, for messages. */
  readonly reason: string;
}

export type ProgramSession = Pick<PipelineSession, 'hooks' | 'platform'>;

export async function runProgram(
  spec: ProgramSpec,
  session: ProgramSession,
): Promise<ProgramResult> {
  const { hooks, platform } = session;
  const captured = spec.capture === undefined ? null : new CollectedText();
  const { processes } = platform;
  const lines = {
    stdout: linesTo('stdout', spec, session),
    stderr: linesTo('stderr', spec, session),
  };
  const secrets = [...hooks.values.secretValues(), ...secretValues(hooks.callerEnv)];
  const result = await runCommand(
    handlerOf(spec, session),
    {
      runId: spec.source,
      step: spec.source,
      secrets,
      attempt: 1,
      timeoutMs: spec.timeoutSeconds === undefined ? null : spec.timeoutSeconds * MS_PER_SECOND,
      signal: hooks.signal,
      onOutput: (stream, text) => {
        lines[stream].push(text);
      },
    },
    { ...platform, processes: captured === null ? processes : tapStdout(processes, captured) },
  );
  lines.stdout.end();
  lines.stderr.end();
  return resultOf(result, captured);
}

/** The result of a phase whose program failed, with the program's exit code (PIPE-W4). */
export function programFailure(
  { outcome, exitCode, signal, tail, reason }: ProgramResult,
  { title, next }: { readonly title: string; readonly next: string },
): PhaseFailure {
  const rows = [
    `${title}: ${reason}`,
    ...tail
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => `  | ${row}`),
  ];
  const message = [...rows, `  next: ${next}`].join('\n');
  if (outcome === 'Cancelled') return { outcome: 'Cancelled', exitCode: INTERRUPTED, message };
  const own = outcome === 'TimedOut' ? TIMED_OUT : exitCodeOf({ exitCode, signal });
  return { outcome: 'Failed', exitCode: own === null || own === 0 ? FAILED : own, message };
}

const MS_PER_SECOND = 1_000;
const FAILED = 1;
const TIMED_OUT = 124;
const INTERRUPTED = 130;

/** Maximum number of lines in a tail; below: of UTF-16 units. */
const TAIL_LINES = 20;
const TAIL_UNITS = 4_096;

function linesTo(
  stream: 'stdout' | 'stderr',
  { source }: ProgramSpec,
  { hooks }: ProgramSession,
): ReturnType<typeof outputBlocks> {
  return outputBlocks((block) => {
    hooks.emit({ type: 'OutputLines', source, stream, ...block });
  });
}

function handlerOf(
  { argv, cwd, env, stdin }: ProgramSpec,
  { hooks }: ProgramSession,
): Parameters<typeof runCommand>[0] {
  return {
    kind: 'command',
    command: argv,
    cwd,
    env: { ...hooks.callerEnv, ...env },
    ...(stdin === undefined ? {} : { stdin }),
  };
}

function resultOf(result: AttemptResult, captured: CollectedText | null): ProgramResult {
  const { outcome, exitCode, signal, reason } = result;
  const stdout = captured === null ? '' : captured.text();
  const rest = { exitCode, signal, tail: tailOf(result) };
  if (stdout === null) {
    return {
      ...rest,
      outcome: 'Failed',
      stdout: '',
      reason: `It printed more than ${MAX_MANIFEST_UNITS} characters.`,
    };
  }
  return { ...rest, outcome, stdout, reason };
}

function tailOf({ stdout, stderr }: AttemptResult): string {
  const said = stderr.text.trim() === '' ? stdout.text : stderr.text;
  return said.slice(-TAIL_UNITS).trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}
