/** Runs one hook entry of a config.json exactly as the specification demands, for stages that no runtime runs. */
import { neverCancelled } from '../../../engine/act.ts';
import { runCommand } from '../../../handlers/command.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import type { ConfigObject } from '../config/config-text.ts';

export interface EntryRun {
  /** The id of the run in its log and its record. */
  readonly runId: string;
  readonly stdin: string;
  readonly cwd: string;
}

export function runEntry(
  host: Pick<ShimHost, 'clock' | 'timers' | 'processes'>,
  { path, args, env, timeout }: ConfigObject,
  { runId, stdin, cwd }: EntryRun,
): Promise<AttemptResult> {
  const program = String(path);
  const command = Array.isArray(args) ? args.map(String) : [program];
  return runCommand(
    { kind: 'command', path: program, command, cwd, stdin, env: environment(env) },
    {
      runId,
      step: program,
      attempt: 1,
      timeoutMs: typeof timeout === 'number' ? timeout * millisecondsPerSecond : null,
      signal: neverCancelled,
    },
    host,
  );
}

const millisecondsPerSecond = 1000;

/** The environment of a hook. An absent one is empty: the host's environment never leaks into a hook that we start. */
function environment(env: unknown): Record<string, string> {
  const list = Array.isArray(env) ? env.map(String) : [];
  return Object.fromEntries(
    list.map((entry) => {
      const equals = entry.indexOf('=');
      return equals === -1 ? [entry, ''] : [entry.slice(0, equals), entry.slice(equals + 1)];
    }),
  );
}
