/** One command of the demonstration: this very program, started as a user would start it. */
import { spawn } from 'node:child_process';
import process from 'node:process';

export interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends it as Ctrl-C does. */
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  /** null: it was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  /** Of both streams, as it came. */
  readonly output: string;
  readonly tookMs: number;
}

/** A command of the demonstration that takes longer has gone wrong. */
const PATIENCE_MS = 90_000;
/** Between Ctrl-C and KILL. */
const GRACE_MS = 10_000;
const OUTPUT_CHARACTERS_MAX = 1_048_576;

/** Never rejects: a program that cannot be started has an end without a code. */
export async function runCommand(
  args: readonly string[],
  { cwd, env, signal }: CommandOptions,
): Promise<CommandEnd> {
  const startedMs = performance.now();
  // In a group of its own: a Ctrl-C of the terminal reaches it once, from us, and not what cleans up.
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text).slice(-OUTPUT_CHARACTERS_MAX);
    output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
  });
  const interrupt = (): void => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
  };
  const late = setTimeout(interrupt, PATIENCE_MS);
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(null);
    });
    child.once('close', resolve);
  });
  clearTimeout(late);
  signal.removeEventListener('abort', interrupt);
  return { code, stdout, output, tookMs: performance.now() - startedMs };
}
