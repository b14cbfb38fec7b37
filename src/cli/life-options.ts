/** The options that every command of a container's life shares, as the lifecycle takes them. */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import type { PoststartFailure, RunnerChoice } from '../lifecycles/container/container.ts';
import type { CreateOptions } from '../lifecycles/container/draft.ts';
import type { LoadPolicy } from '../lifecycles/container/hooksd/load.ts';
import type { PrestartMode } from '../lifecycles/container/hooksd/select.ts';
import { defaultRoot, type Life } from '../lifecycles/container/life.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { nodeSupervision } from '../platform/node-supervision.ts';
import type { FolderOptions } from './hook-folders.ts';
import { lifePrinter } from './life-printer.ts';
import { scanOptions } from './scan-options.ts';

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

export function lifeOf({ root, verbose }: LifeOptions): Life {
  const uid = process.getuid?.() ?? 0;
  const env = environment();
  return {
    platform: nodePlatform,
    supervision: nodeSupervision,
    root: root === undefined ? defaultRoot(uid, env) : resolve(root),
    supervisor: supervisorArgv(),
    env,
    uid,
    emit: lifePrinter(process.stderr, verbose ?? false),
  };
}

export async function createOptions(
  id: string,
  options: CreateCommandOptions,
): Promise<CreateOptions> {
  const scan = scanOptions(options);
  const { prestart, badFiles, brokenHooks, poststartFailure } = options;
  return {
    id,
    bundle: resolve(options.bundle),
    runner: runnerChoice(options),
    trust: scan,
    source: { scan, policy: { badFiles, brokenHooks }, prestart },
    poststartFailure,
  };
}

/** auto: a real runtime where there is one and we may use it; both need root. */
function runnerChoice({ runner, runtimeRoot }: CreateCommandOptions): RunnerChoice {
  const stateFolder = runtimeRoot === undefined ? {} : { stateFolder: resolve(runtimeRoot) };
  if (runner === 'process') return { kind: 'process' };
  if (runner !== 'auto') return { kind: 'runtime', command: runner, ...stateFolder };
  const found = process.getuid?.() === 0 ? ['runc', 'crun'].find(isOnPath) : undefined;
  return found === undefined
    ? { kind: 'process' }
    : { kind: 'runtime', command: found, ...stateFolder };
}

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The native supervisor where it was built, else the same under Node. */
function supervisorArgv(): readonly string[] {
  const folder = dirname(realpathSync(process.argv[1] ?? '.'));
  const native = join(folder, 'shim', 'lifehook-supervise');
  return existsSync(native) ? [native] : [process.execPath, join(folder, 'supervise.js')];
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
