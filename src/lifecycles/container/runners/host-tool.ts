/** Runs a program of the host to its end: a runtime, mkfifo. Never a hook, which goes through the engine. */
import { neverCancelled } from '../../../engine/act.ts';
import { runCommand, type CommandPlatform } from '../../../handlers/command.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { LifehookError } from '../../../model/problem.ts';

export interface ToolCall {
  /** argv; its first item is looked up on our PATH. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** null: as long as it takes (a runtime runs hooks, which may have no deadline). */
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
  const hook = {
    name,
    handler,
    timeoutSeconds: null,
    retry: { limit: 0, backoffSeconds: 0 },
    failurePolicy: 'Abort' as const,
    source: { kind: 'object' as const, object: name },
  };
  return runCommand(
    handler,
    { runId: name, step: name, hook, attempt: 1, timeoutMs, signal: neverCancelled },
    platform,
  );
}

/** For a program that has to succeed: what it said is in the error. */
export async function requireTool(platform: CommandPlatform, call: ToolCall): Promise<string> {
  const { outcome, reason, stdout, stderr } = await callTool(platform, call);
  if (outcome === 'Succeeded') return stdout.text;
  throw toolFailed(call.command.join(' '), `${reason} ${stderr.text.trim()}`);
}

export function toolFailed(what: string, why: string): LifehookError {
  return new LifehookError({
    code: 'LHC230',
    severity: 'error',
    message: `"${what}" had to succeed, but did not: ${why.trim()}`,
    next: 'Correct what it complains about; `lifehook oci delete --force` removes what is left.',
  });
}
