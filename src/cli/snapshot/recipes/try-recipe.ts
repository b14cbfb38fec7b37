/** Tries a recipe for a user: freezes, holds and thaws an application, with a probe before and after each step. */
import { neverCancelled } from '../../../engine/act.ts';
import { captureOutput } from '../../../handlers/output-tail.ts';
import type { ExecTarget } from '../../../kube/exec.ts';
import type { ResolvedAction, ResolvedActions } from '../../../lifecycles/snapshot/kinds.ts';
import type { ContainerAccess } from '../../../lifecycles/snapshot/context.ts';
import { openHeldSession } from '../../../lifecycles/snapshot/session/held-session.ts';
import type { HeldSession } from '../../../lifecycles/snapshot/session/session.ts';
import { makeMasker } from '../../../model/secrets.ts';
import type { CancelSignal, Platform } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';

export interface TryOptions {
  readonly actions: ResolvedActions;
  readonly access: Pick<ContainerAccess, 'exec' | 'openExec'>;
  readonly target: ExecTarget;
  readonly holdSeconds: number;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly random: () => number;
  /** Called with each step after it has ended. */
  readonly report: (step: TriedStep) => void;
  /** An abort ends the hold early; the thaw and its probe still run. */
  readonly signal?: CancelSignal;
}

export interface TriedStep {
  readonly name: 'probe' | 'freeze' | 'hold' | 'thaw';
  readonly ok: boolean;
  readonly ms: number;
  /** The result, as a sentence. */
  readonly text: string;
  readonly output: string;
}

/** True: every step had the expected result. */
export async function tryRecipe(options: TryOptions): Promise<boolean> {
  const steps: TriedStep[] = [];
  const report = (step: TriedStep): boolean => {
    steps.push(step);
    options.report(step);
    return step.ok;
  };
  await askProbe(options, false, report);
  const frozen = await freeze(options);
  if (report(frozen.step)) {
    await askProbe(options, true, report);
    report(await hold(options, frozen.session));
    await askProbe(options, true, report);
  }
  const thawed = await thaw(options, frozen);
  if (thawed !== null) report(thawed);
  await askProbe(options, false, report);
  return steps.every(({ ok }) => ok);
}

interface Frozen {
  readonly step: TriedStep;
  readonly session: HeldSession | null;
}

async function freeze(options: TryOptions): Promise<Frozen> {
  const { preAction, expirationSeconds } = options.actions;
  const timeoutMs = preAction.actionTimeoutSeconds * 1_000;
  if (preAction.session === undefined) {
    return { step: await runAction('freeze', preAction, options), session: null };
  }
  const { result, session } = await openHeldSession({
    ...options,
    ...options.access,
    action: preAction.session,
    timeoutMs,
    ...(expirationSeconds === undefined ? {} : { longestSeconds: expirationSeconds }),
  });
  const { durationMs: ms, reason: text, stdout } = result;
  const ok = result.outcome === 'Succeeded';
  return { step: { name: 'freeze', ok, ms, text, output: stdout.text }, session };
}

async function hold(options: TryOptions, session: HeldSession | null): Promise<TriedStep> {
  const { holdSeconds, platform, signal = neverCancelled } = options;
  const startedMs = platform.clock.monotonicMs();
  const ended = session?.ended.then(({ reason }) => reason);
  const early = await Promise.race([
    sleep(platform.timers, holdSeconds * 1_000, signal).then(() => null),
    ...(ended === undefined ? [] : [ended]),
  ]);
  const ms = platform.clock.monotonicMs() - startedMs;
  const text = early ?? (signal.aborted ? 'Called off.' : 'Held.');
  return { name: 'hold', ok: early === null, ms, text, output: '' };
}

async function thaw(options: TryOptions, { session }: Frozen): Promise<TriedStep | null> {
  const { preAction, postAction } = options.actions;
  if (session !== null) {
    const startedMs = options.platform.clock.monotonicMs();
    const end = await session.thaw(preAction.actionTimeoutSeconds * 1_000);
    const ms = options.platform.clock.monotonicMs() - startedMs;
    const ok = end.kind === 'thawed' && end.by === 'session' && end.exitCode === 0;
    const output = end.kind === 'thawed' ? (end.output ?? '') : '';
    return { name: 'thaw', ok, ms, text: end.reason, output };
  }
  return postAction === undefined ? null : runAction('thaw', postAction, options);
}

/** Runs the probe. Probes of recipes exit with 0 (frozen), 1 (not frozen), or another code (the probe failed). */
async function askProbe(
  options: TryOptions,
  expected: boolean,
  report: (step: TriedStep) => boolean,
): Promise<void> {
  const { probe } = options.actions;
  if (probe === undefined) return;
  const { command, timeoutSeconds } = probe;
  const ran = await runInContainer(options, command, timeoutSeconds * 1_000);
  const frozen = ran.exitCode === 0 ? true : ran.exitCode === 1 ? false : null;
  const said = frozen === null ? ran.text : frozen ? 'Frozen.' : 'Not frozen.';
  const ok = frozen === expected;
  const text = ok ? said : `${said} Expected: ${expected ? 'frozen' : 'not frozen'}.`;
  report({ name: 'probe', ok, ms: ran.ms, text, output: ok ? '' : ran.output });
}

async function runAction(
  name: 'freeze' | 'thaw',
  { exec, actionTimeoutSeconds }: ResolvedAction,
  options: TryOptions,
): Promise<TriedStep> {
  const ran = await runInContainer(options, exec?.command ?? [], actionTimeoutSeconds * 1_000);
  return { name, ok: ran.exitCode === 0, ms: ran.ms, text: ran.text, output: ran.output };
}

export interface RanInContainer {
  /** null: the command was not started, or its exit was not observed. */
  readonly exitCode: number | null;
  readonly ms: number;
  readonly text: string;
  /** The last part of stdout and stderr, in the order of arrival. */
  readonly output: string;
}

async function runInContainer(
  { access, target, platform }: Pick<TryOptions, 'access' | 'target' | 'platform'>,
  command: readonly string[],
  timeoutMs: number,
): Promise<RanInContainer> {
  const startedMs = platform.clock.monotonicMs();
  const capture = captureOutput(makeMasker([]), undefined);
  const decoder = new TextDecoder();
  const result = await access.exec({
    ...target,
    command,
    timeoutMs,
    onOutput: (_stream, bytes) => {
      capture.add('stdout', decoder.decode(bytes, { stream: true }), bytes.length);
    },
  });
  const ms = platform.clock.monotonicMs() - startedMs;
  const output = capture.finish().stdout.text;
  switch (result.outcome) {
    case 'exited':
      return {
        exitCode: result.exitCode,
        ms,
        text: `Exited with code ${result.exitCode}.`,
        output,
      };
    case 'failed':
      return { exitCode: null, ms, text: `Not started: ${result.status.message ?? ''}.`, output };
    case 'unknown':
      return {
        exitCode: null,
        ms,
        text: `Its outcome was not observed: ${result.reason}.`,
        output,
      };
    default:
      return result satisfies never;
  }
}
