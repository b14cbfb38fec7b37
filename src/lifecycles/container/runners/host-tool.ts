/** Runs a program of the host, such as a runtime or mkfifo, until it exits. Hooks are run by the engine instead. */
import { neverCancelled } from '../../../engine/act.ts';
import { runCommand, type CommandPlatform } from '../../../handlers/command.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { LifehookError } from '../../../model/problem.ts';
import { captureWholeOutput } from '../hook-runs/whole-output.ts';

export interface ToolCall {
  /** argv; its first item is resolved on our PATH. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** null: no timeout (a runtime runs hooks, which may have no deadline). */
  readonly timeoutMs: number | null;
}

export async function callTool(platform: CommandPlatform, call: ToolCall): Promise<AttemptResult> {
  const name = call.command[0] ?? '';
  const { command, env, timeoutMs } = call;
  const handler = {
    kind: 'command' as const,
    command,
    env,
    ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
  };
  return runCommand(
    handler,
    { runId: name, step: name, attempt: 1, timeoutMs, signal: neverCancelled },
    platform,
  );
}

/** Runs a program that must succeed: the error contains its output. */
export async function requireTool(platform: CommandPlatform, call: ToolCall): Promise<void> {
  const { outcome, reason, stderr } = await callTool(platform, call);
  if (outcome === 'Succeeded') return;
  throw toolFailed(call.command.join(' '), `${reason} ${stderr.text.trim()}`);
}

/**
 * Maximum UTF-16 units of output. The state of a container repeats the annotations of its config.json, with escapes.
 */
const TOOL_OUTPUT_MAX_UNITS = 64 * 1024 * 1024;

/** Returns the JSON that a program prints; the program must succeed. Throws a LifehookError. */
export async function readTool(platform: CommandPlatform, call: ToolCall): Promise<unknown> {
  const output = captureWholeOutput(platform.processes, TOOL_OUTPUT_MAX_UNITS);
  await requireTool({ ...platform, processes: output.processes }, call);
  const printed = output.text();
  const name = call.command.join(' ');
  if (printed === null) {
    throw toolFailed(name, `it printed more than ${TOOL_OUTPUT_MAX_UNITS} characters.`);
  }
  try {
    return JSON.parse(printed) as unknown;
  } catch {
    const beginning = JSON.stringify(printed.slice(0, shownUnits));
    throw toolFailed(name, `it must print JSON, but its output begins with ${beginning}.`);
  }
}

const shownUnits = 60;

export function toolFailed(what: string, why: string): LifehookError {
  return new LifehookError({
    code: 'LHC230',
    message: `"${what}" failed: ${why.trim()}`,
    next: 'Correct the reported problem; `lifehook oci delete --force` removes what is left.',
  });
}
