/** The options shared by all commands that run a container, in the form that the container lifecycle takes. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

import type { LoadPolicy } from '../../lifecycles/container/hooksd/load.ts';
import type { PrestartMode } from '../../lifecycles/container/hooksd/select.ts';
import type { PoststartFailure, RunnerChoice } from '../../lifecycles/container/life/container.ts';
import type { CreateOptions } from '../../lifecycles/container/life/draft.ts';
import {
  defaultRoot,
  type Life,
  type LifeEvent,
  spoolFolder,
} from '../../lifecycles/container/life/life.ts';
import { DEFAULT_SETTINGS } from '../../lifecycles/container/shim/runtime-settings.ts';
import type { Outcome } from '../../model/attempt.ts';
import type { RunEvent } from '../../model/event.ts';
import { formatProblem } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeSupervision } from '../../platform/node-supervision.ts';
import { commandTraces } from '../span-export.ts';
import type { WantedPlace } from '../doctor/gather/local.ts';
import type { FolderOptions } from './hook-folders.ts';
import { scanOptions } from './runtime-containers.ts';
import { partArgv, programFolder } from '../program-files.ts';
import { realRuntime, supervisorArgv } from '../real-runtime.ts';
import { shimWrap } from './hooked-containers.ts';
import { colourOf, printable } from '../terminal-text.ts';

export interface LifeOptions {
  readonly root?: string;
  readonly verbose?: boolean;
}

export interface CreateCommandOptions extends LifeOptions, FolderOptions {
  readonly bundle: string;
  readonly runner: string;
  readonly runtimeRoot?: string;
  readonly prestart: PrestartMode;
  readonly badFiles: LoadPolicy['badFiles'];
  readonly brokenHooks: LoadPolicy['brokenHooks'];
  readonly poststartFailure: PoststartFailure;
}

/** Creates a `Life` from the options of a command. `target` gets warnings; with --verbose it gets every event. */
export function lifeOf(options: LifeOptions, target: LineTarget = process.stderr): Life {
  return {
    platform: nodePlatform,
    supervision: nodeSupervision,
    root: lifeRoot(options),
    supervisor: supervisorArgv(),
    hookRunner: hookRunnerArgv(),
    env: environment(),
    uid: ownUid(),
    emit: lifePrinter(target, options.verbose ?? false),
  };
}

/** Runs `work`. Hooks are also traced if traces are on. */
export async function withLife<T>(
  options: LifeOptions,
  work: (life: Life) => Promise<T>,
): Promise<T> {
  const life = lifeOf(options);
  const traces = commandTraces('lifehook-oci');
  if (traces === null) return work(life);
  const emit = (event: LifeEvent): void => {
    life.emit?.(event);
    if (event.type === 'Hook') traces.observe(event.event);
  };
  try {
    return await work({ ...life, emit });
  } finally {
    await traces.stop();
  }
}

/** The directory of `--root`, which contains the containers. The records of their hooks are next to that directory. */
export function lifeRoot({ root }: Pick<LifeOptions, 'root'>): string {
  if (root === undefined) return defaultRoot(ownUid(), environment());
  return join(resolve(root), 'containers');
}

function ownUid(): number {
  return process.getuid?.() ?? 0;
}

export async function createOptions(
  id: string,
  options: CreateCommandOptions,
): Promise<CreateOptions> {
  const scan = scanOptions(options);
  const { prestart, badFiles, brokenHooks, poststartFailure } = options;
  const wrap = shimWrap(lifeRoot(options));
  return {
    id,
    bundle: resolve(options.bundle),
    runner: await runnerChoice(options),
    ...(wrap !== null && { wrap }),
    trust: scan,
    source: { scan, policy: { badFiles, brokenHooks }, prestart },
    poststartFailure,
  };
}

async function runnerChoice({ runner, runtimeRoot }: CreateCommandOptions): Promise<RunnerChoice> {
  const command = runner === 'auto' ? ((await realRuntime()) ?? 'process') : runner;
  if (command === 'process') return { kind: 'process' };
  return {
    kind: 'runtime',
    command,
    ...(runtimeRoot !== undefined && { stateFolder: resolve(runtimeRoot) }),
  };
}

/** The command of the hook runner: that of the shim if it was built, else the same runner under Node. */
function hookRunnerArgv(): readonly string[] {
  const built = join(programFolder(), 'shim', 'lifehook-hook');
  return existsSync(built) ? [built] : partArgv('keep-deadline');
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

export interface LineTarget {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Prints the events of a container as lines: warnings always, everything else with --verbose. */
function lifePrinter(target: LineTarget, verbose: boolean): (event: LifeEvent) => void {
  const colour = colourOf(target);
  const outcomeText = (outcome: Outcome): string =>
    colour(outcome === 'Succeeded' ? 'green' : 'red', outcome);
  const hookLines = (event: RunEvent): string[] => {
    switch (event.type) {
      case 'AttemptSettled': {
        const { outcome, durationMs, reason } = event.result;
        const why = outcome === 'Succeeded' ? '' : `: ${reason}`;
        return [
          `${event.step}  ${outcomeText(outcome)} in ${Math.round(durationMs)} ms${printable(why)}`,
        ];
      }
      case 'Output':
        return printable(event.text.trimEnd())
          .split('\n')
          .map((line) => `${event.step}  ${colour('dim', '|')} ${line}`);
      case 'RunOpened':
      case 'AttemptStarted':
      case 'CancelRequested':
      case 'RunSettled':
        return [];
      default:
        return event satisfies never;
    }
  };
  return (event) => {
    if (event.type === 'Warning')
      target.write(`${colour('yellow', printable(formatProblem(event.problem)))}\n`);
    else if (verbose) {
      const lines = event.type === 'Status' ? [event.status] : hookLines(event.event.detail);
      for (const line of lines) target.write(`${colour('dim', event.id)}  ${line}\n`);
    }
  };
}

export function writtenPlaces(): readonly WantedPlace[] {
  return [
    { role: 'records of container hooks', path: spoolFolder(lifeRoot({})) },
    { role: 'records of lifehook-runtime', path: DEFAULT_SETTINGS.spool, onlyIfThere: true },
  ];
}
