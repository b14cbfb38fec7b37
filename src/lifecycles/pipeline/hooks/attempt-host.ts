/** Makes one attempt of a host hook, with its environment, its channels and its output. */
import { type AttemptRequest, bareResult } from '../../../engine/act.ts';
import { runCommand } from '../../../handlers/command.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { CommandHandler } from '../../../model/hook.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { Processes } from '../../../platform/platform.ts';
import {
  closeHostChannels,
  type HostChannels,
  openHostChannels,
  readHostChannels,
} from '../values/host-channels.ts';
import { LateSecrets, lookingFirst } from '../values/late-secrets.ts';
import { StdoutChannel } from '../values/stdout-channel.ts';
import { SYNC_FILES_JSON } from './contract.ts';
import { hookEnvironment } from './environment.ts';
import type { HostAction, PipelineHook } from './model.ts';
import { type Leftovers, watchLeftovers } from './leftovers.ts';
import type { HookList, HookRunContext } from './run-context.ts';
import {
  CollectedText,
  type LineBlock,
  MAX_MANIFEST_UNITS,
  outputBlocks,
  tapStdout,
} from './tap-stdout.ts';

export interface HostAttempt {
  readonly hook: PipelineHook;
  readonly action: HostAction;
  readonly list: HookList;
  readonly context: HookRunContext;
  /** Called with the manifests that a render hook with `withChange` has changed. */
  readonly onManifests: (text: string) => void;
  /** Called once the command has started, while it still runs. */
  readonly onStarted: () => void;
}

export async function attemptHost(
  attempt: HostAttempt,
  request: AttemptRequest,
): Promise<AttemptResult> {
  const { list, context } = attempt;
  const { scratch } = context;
  const { syncFilesJson } = list.contract;
  const lists = syncFilesJson === null ? {} : { [SYNC_FILES_JSON]: syncFilesJson };
  const place = { folder: context.scratchFolder, attempt: `${request.runId}-${request.attempt}` };
  try {
    const channels = await openHostChannels(scratch, place, lists);
    try {
      return await runWith(attempt, request, channels);
    } finally {
      await closeHostChannels(scratch, channels);
    }
  } catch (error) {
    const why = errorText(error);
    return bareResult(
      'Failed',
      `The files for the values of the hook could not be created or read: ${why}.`,
      0,
    );
  }
}

async function runWith(
  attempt: HostAttempt,
  request: AttemptRequest,
  channels: HostChannels,
): Promise<AttemptResult> {
  const { hook, action, context } = attempt;
  const manifests = action.withChange === true ? new CollectedText() : null;
  const stdout = hook.policy.stdoutCommands ? new StdoutChannel(hook.policy.secrets) : null;
  const tap = manifests ?? stdout;
  const leftovers = watchLeftovers(hook.policy, context.platform);
  // Secrets that are masked in every event of this attempt. Others, found late, must be masked in earlier events too.
  const known = new Set(context.values.secretValues());
  const late = lateSecrets(attempt, channels, stdout);
  const started = thenStarted(leftovers.processes, attempt.onStarted);
  const processes = lookingFirst(started, () => late.look());
  const emit = (stream: 'stdout' | 'stderr') => (block: LineBlock) => {
    context.emit({ type: 'OutputLines', source: hook.address, stream, ...block });
  };
  const lines = { stdout: outputBlocks(emit('stdout')), stderr: outputBlocks(emit('stderr')) };
  const result = await runCommand(
    handlerOf(attempt, channels),
    {
      ...request,
      lateSecrets: () => late.list(),
      onOutput: (stream, text) => {
        lines[stream].push(text);
      },
    },
    { ...context.platform, processes: tap === null ? processes : tapStdout(processes, tap) },
  );
  lines.stdout.end();
  lines.stderr.end();
  const fresh = late.list().filter((secret) => !known.has(secret));
  if (fresh.length > 0) await context.maskEarlier(fresh);
  if (hasExited(result)) await warnOfLeftovers(attempt, leftovers);
  if (result.outcome !== 'Succeeded') return result;
  const wrong = (await takeValues(attempt, channels, stdout)) ?? takeManifests(attempt, manifests);
  if (wrong === null) return result;
  return { ...result, outcome: 'Failed', reason: `The command exited with code 0, but ${wrong}.` };
}

function thenStarted(processes: Processes, onStarted: () => void): Processes {
  return {
    spawn: (spec) => {
      const running = processes.spawn(spec);
      onStarted();
      return running;
    },
  };
}

/** Whether the process exited by itself. If the hook was stopped, no process of its group is left. */
function hasExited({ outcome, exitCode, signal }: AttemptResult): boolean {
  const wasStopped = outcome === 'TimedOut' || outcome === 'Cancelled';
  return !wasStopped && (exitCode !== null || signal !== null);
}

async function warnOfLeftovers(
  { hook, context }: HostAttempt,
  leftovers: Leftovers,
): Promise<void> {
  const message = await leftovers.settle();
  if (message === null) return;
  context.emit({ type: 'Warning', code: 'LHL207', message: `${hook.address}: ${message}` });
}

const NOTHING_PRINTED: ReadonlyMap<string, string> = new Map();

function lateSecrets(
  { hook, context }: HostAttempt,
  channels: HostChannels,
  stdout: StdoutChannel | null,
): LateSecrets {
  return new LateSecrets({
    files: context.scratch,
    channels,
    declared: hook.policy.secrets,
    printed: () => stdout?.values ?? NOTHING_PRINTED,
  });
}

function handlerOf(
  { hook, action, list, context }: HostAttempt,
  channels: HostChannels,
): CommandHandler {
  const { contract, manifests } = list;
  const { callerEnv, compat, values, workDir } = context;
  const own = hook.policy.env;
  const env = hookEnvironment({
    caller: callerEnv,
    values: values.environment(),
    own,
    contract,
    compat,
  });
  return {
    kind: 'command',
    command: action.command,
    cwd: action.dir ?? workDir,
    env: { ...env, ...channels.variables },
    ...(manifests === undefined ? {} : { stdin: manifests }),
  };
}

/**
 * Takes the values that the hook has set. Returns the reason why they are refused, so that the hook fails; null: they
 * are accepted.
 */
async function takeValues(
  { hook, context }: HostAttempt,
  channels: HostChannels,
  stdout: StdoutChannel | null,
): Promise<string | null> {
  const read = await readHostChannels(context.scratch, channels);
  if (read.kind === 'refused') return read.reason;
  if (stdout !== null && stdout.refused !== null) {
    return `a set-env line of its stdout is not accepted: ${stdout.refused}`;
  }
  const recorded = context.values.record({
    hook: hook.name,
    iteration: context.iteration,
    values: { ...Object.fromEntries(stdout?.values ?? []), ...read.values },
    outputs: read.outputs,
    secrets: hook.policy.secrets,
    recordedValues: hook.policy.recordedValues,
  });
  return recorded ? null : 'all values together are too large for the environment of a process';
}

function takeManifests(
  { onManifests }: HostAttempt,
  manifests: CollectedText | null,
): string | null {
  if (manifests === null) return null;
  const text = manifests.text();
  if (text === null) return `it printed more than ${MAX_MANIFEST_UNITS} characters of manifests`;
  if (text.trim() === '') return 'it printed nothing, but its output replaces the manifests';
  onManifests(text);
  return null;
}
