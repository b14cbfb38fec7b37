/**
 * Plans one hook point of one container for the engine: pure. This module implements what the specification
 * requires for running the hooks of each point; `drive.ts` decides the consequences of a failure.
 */
import { MAX_TIMEOUT_SECONDS, makePlan, type Plan, type Step } from '../../../engine/plan.ts';
import { textEnd } from '../../../model/cut-text.ts';
import type { CommandHandler, FailurePolicy } from '../../../model/hook.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';
import type { Container, ExitRecord, Point } from '../life/container.ts';
import { ociState, type Moment } from '../life/life.ts';
import type { OciHook } from '../points.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { Problem } from '../../../model/problem.ts';

export interface PointPlanning {
  readonly container: Omit<Container, 'order'>;
  readonly point: Point;
  readonly moment: Moment;
  /** The input of precreate hooks, which replaces the container state. */
  readonly stdin?: string;
}

/** Throws a LifehookError if there are more hooks than one run supports. */
export function planPoint(planning: PointPlanning): Plan {
  const { container, point } = planning;
  const hooks = container.hooks[point] ?? [];
  return makePlan({
    runId: `${container.id}/${point}`,
    title: `container ${container.id}, ${point}`,
    steps: hooks.map((placed, index) => stepOf(planning, placed, index)),
    deadlineAtMs: null,
  });
}

export function stepName(point: Point, index: number): string {
  return `${point} hook #${index}`;
}

function stepOf(planning: PointPlanning, { hook, source }: PlacedHook, index: number): Step {
  return {
    kind: 'main',
    name: stepName(planning.point, index),
    policy: {
      timeoutSeconds:
        hook.timeout === undefined ? null : Math.min(hook.timeout, MAX_TIMEOUT_SECONDS),
      retry: { limit: 0, backoffSeconds: 0 },
      failurePolicy: policyOf(planning),
    },
    source,
  };
}

/** The commands of the plan's steps, by the name of the step. */
export function commandsOf(planning: PointPlanning): ReadonlyMap<string, CommandHandler> {
  const { container, point } = planning;
  return new Map(
    (container.hooks[point] ?? []).map(({ hook }, index) => [
      stepName(point, index),
      commandOf(planning, hook),
    ]),
  );
}

/**
 * Whether a failed hook aborts the operation. After the exit nothing can be stopped any more: every hook runs
 * (runtime.md, step 13).
 */
function policyOf({ point, container: { poststartFailure } }: PointPlanning): FailurePolicy {
  if (point === 'poststop' || point === 'postexit') return 'Ignore';
  return point === 'poststart' && poststartFailure === 'warn' ? 'Ignore' : 'Abort';
}

function commandOf(planning: PointPlanning, { path, args, env }: OciHook): CommandHandler {
  const { container, moment } = planning;
  return {
    kind: 'command',
    path,
    command: args === undefined || args.length === 0 ? [path] : args,
    cwd: folderOf(planning),
    // A hook never gets our environment, which may contain secrets: an absent `env` is empty.
    env: { ...environmentOf(env ?? []), ...ownVariables(planning) },
    stdin: planning.stdin ?? JSON.stringify(ociState(container, moment)),
  };
}

/**
 * The working directory of a hook. Hooks in the container's namespace start in its root directory, all others in the
 * bundle, as under runc. (crun starts createContainer hooks in the bundle. Under the process runner there is one
 * namespace, and paths are the host's.)
 */
function folderOf({ point, container }: PointPlanning): string {
  return point === 'createContainer' || point === 'startContainer'
    ? container.rootfs
    : container.bundle;
}

/**
 * The environment of a hook as an object. The last of several duplicates wins, as in Go; an entry was checked to be
 * NAME=value.
 */
function environmentOf(env: readonly string[]): Record<string, string> {
  return Object.fromEntries(env.map((entry) => splitAssignment(entry)));
}

export function splitAssignment(entry: string): [string, string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

/** Variables for scripts that serve several stages: no field of the OCI state names the stage. */
function ownVariables({ container, point, moment }: PointPlanning): Record<string, string> {
  return {
    LIFEHOOK_STAGE: point,
    LIFEHOOK_CONTAINER_ID: container.id,
    ...(moment.exit === undefined || moment.exit === null ? {} : exitVariables(moment.exit)),
  };
}

/**
 * The variables with the exit of the container's process. The variable that does not apply is empty. Both are empty if
 * the exit was not observed.
 */
function exitVariables({ exitCode, signal }: ExitRecord): Record<string, string> {
  return {
    LIFEHOOK_EXIT_CODE: exitCode === null ? '' : String(exitCode),
    LIFEHOOK_EXIT_SIGNAL: signal ?? '',
  };
}

export interface HookFailure {
  /** Example: "createRuntime hook #1 of container web". */
  readonly name: string;
  readonly placed: PlacedHook;
  readonly attempt: AttemptResult;
  /** `warning`: the failure stops nothing. */
  readonly severity: Problem['severity'];
}

/** The message of a failed hook: which one, its outcome, its output, its definition. */
export function describeFailure({ name, placed, attempt, severity }: HookFailure): Problem {
  const { hook, source } = placed;
  const { file, line, column } = source.kind === 'file' ? source : nowhere;
  return {
    code: severity === 'error' ? 'LHC220' : 'LHC221',
    severity,
    message: `${name} (${hook.path}) failed. ${attempt.reason} ${saidBy(attempt)}`,
    at: { file, line, column },
    next:
      severity === 'error'
        ? 'Fix or remove the hook; then create the container again.'
        : 'Fix or remove the hook; its failure stops nothing.',
  };
}

/** Maximum characters in a message: enough for the hook's last lines. The journal has the whole kept output. */
const shownCharacters = 1000;

function saidBy({ stdout, stderr }: AttemptResult): string {
  const said = [stderr, stdout]
    .map(({ text }) => textEnd(text.trim(), shownCharacters))
    .filter((text) => text !== '');
  return said.length === 0 ? 'It printed nothing.' : `It printed: "${said.join('\n')}".`;
}

/** Satisfies the type only: an OCI hook is always defined in a file. */
const nowhere = { file: 'config.json', line: 1, column: 1 };
