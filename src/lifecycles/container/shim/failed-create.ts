/**
 * After a failed create the container is destroyed and its poststop hooks run (runtime.md, lifecycle
 * steps 12 and 13). crun leaves them out, so they are run here: every one in config.json, in order,
 * each failure a warning.
 */
import { neverCancelled } from '../../../engine/act.ts';
import { runCommand } from '../../../handlers/command.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { formatProblem } from '../../../model/problem.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { isObject, type ConfigObject } from '../config/config-text.ts';
import type { Injected } from './inject-hooks.ts';

export async function runPoststop(
  host: ShimHost,
  containerId: string,
  injected: Injected,
): Promise<void> {
  const { bundle, poststop } = injected;
  const state = JSON.stringify({
    ociVersion: bundle.config['ociVersion'],
    id: containerId,
    status: 'stopped',
    bundle: bundle.folder,
    annotations: bundle.config['annotations'],
  });
  for (const [index, hook] of poststop.entries()) {
    if (!isObject(hook)) continue;
    const result = await runOne(host, hook, { state, cwd: bundle.folder });
    // The runner has told its own story.
    if (result.stderr.text !== '') host.print('stderr', result.stderr.text);
    if (result.outcome !== 'Succeeded') host.print('stderr', `${failure(index, result.reason)}\n`);
  }
}

function runOne(
  host: ShimHost,
  { path, args, env, timeout }: ConfigObject,
  { state, cwd }: { state: string; cwd: string },
): Promise<AttemptResult> {
  const program = String(path);
  const command = Array.isArray(args) ? args.map(String) : [program];
  const handler = { kind: 'command', path: program, command, cwd, stdin: state } as const;
  return runCommand(
    { ...handler, env: environment(env) },
    {
      runId: 'poststop',
      step: program,
      attempt: 1,
      timeoutMs: typeof timeout === 'number' ? timeout * millisecondsPerSecond : null,
      signal: neverCancelled,
      hook: {
        name: program,
        handler,
        timeoutSeconds: null,
        retry: { limit: 0, backoffSeconds: 0 },
        failurePolicy: 'Ignore',
        source: { kind: 'object', object: 'config.json' },
      },
    },
    host,
  );
}

const millisecondsPerSecond = 1000;

/** Absent is empty: the host's environment never leaks into a hook that we start. */
function environment(env: unknown): Record<string, string> {
  const list = Array.isArray(env) ? env.map(String) : [];
  return Object.fromEntries(
    list.map((entry) => {
      const equals = entry.indexOf('=');
      return equals === -1 ? [entry, ''] : [entry.slice(0, equals), entry.slice(equals + 1)];
    }),
  );
}

function failure(index: number, reason: string): string {
  return formatProblem({
    code: 'LHC316',
    severity: 'warning',
    message: `The poststop hook with index ${index} failed after the create had failed: ${reason}`,
    next: 'Clean up by hand what it was to clean up.',
  });
}
