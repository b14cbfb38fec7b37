/**
 * The wrapper: `lifehook-runtime`, called by an engine in the place of runc or crun, with the same
 * command line.
 *
 *   create, run   put the hooks that apply into the bundle's config.json, then become the runtime
 *   all else      become the runtime
 *
 * Where the runtime would leave out poststop hooks after a failed create it is started and waited for
 * instead. What is wrong on our side stops the container before it exists: exit code 1, and one line
 * that says why.
 */
import { LifehookError } from '../../../model/problem.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { poststopRan } from './poststop-records.ts';
import { findRuntime, skipsPoststopAfterFailedCreate } from './find-runtime.ts';
import { injectHooks, type Injected } from './inject-hooks.ts';
import { createsContainer, readRuntimeCall, type RuntimeCall } from './runtime-args.ts';
import { loadSettings, SETTINGS_PATH, SETTINGS_PATH_VARIABLE } from './runtime-settings.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import { tellFailure, tellSlowness } from './wrapper-log.ts';

export async function runWrapper(host: ShimHost): Promise<void> {
  const call = readRuntimeCall(host.args);
  try {
    await handOver(host, call);
  } catch (error) {
    await tellFailure(host, call, error);
    host.end({ code: 1, signal: null });
  }
}

async function handOver(host: ShimHost, call: RuntimeCall): Promise<void> {
  const owners = await trustedOwners(host);
  const settingsPath = host.env[SETTINGS_PATH_VARIABLE] ?? SETTINGS_PATH;
  const settings = await loadSettings(host.files, settingsPath, owners);
  const { files } = host;
  const selfPath = await host.selfPath();
  const runtime = await findRuntime({ files, wanted: settings.runtime, selfPath });
  if (!createsContainer(call)) return become(host, call, runtime);
  await tellSlowness(host, settings.spool);
  const injected = await injectHooks({
    host,
    settings,
    owners,
    bundleFolder: bundleFolder(call),
    runner: selfPath.replace(/[^/]*$/, 'lifehook-hook'),
  });
  if (injected === null || injected.poststop.length === 0) return become(host, call, runtime);
  if (!skipsPoststopAfterFailedCreate(runtime)) return become(host, call, runtime);
  return runAndClean(host, call, { runtime, settings, injected });
}

/** Whoever runs the containers, and root. */
async function trustedOwners(host: ShimHost): Promise<number[]> {
  const { uid } = await host.files.stat('/proc/self');
  return uid === 0 ? [0] : [0, uid];
}

function bundleFolder({ bundle, configFile }: RuntimeCall): string {
  if (bundle === null) {
    throw refuse('LHC314', {
      message: '--bundle is the last argument, and its value, the bundle folder, is missing.',
      next: 'Give it: --bundle FOLDER.',
    });
  }
  if (configFile !== undefined) {
    throw refuse('LHC315', {
      message: `Hooks are put into the config.json of a bundle, but --config names another file, ${configFile}.`,
      next: 'Call it config.json, or call the runtime itself, without hooks.',
    });
  }
  return bundle ?? '.';
}

function become(host: ShimHost, call: RuntimeCall, runtime: string): Promise<never> {
  return host.become(runtime, inheritedDescriptors(host, call));
}

/** Socket activation and --preserve-fds, as runc adds them up. */
function inheritedDescriptors({ env }: ShimHost, { preserveFds }: RuntimeCall): number {
  const activated = Number.parseInt(env['LISTEN_FDS'] ?? '0', 10);
  return (Number.isSafeInteger(activated) ? activated : 0) + (preserveFds ?? 0);
}

interface Create {
  readonly runtime: string;
  readonly settings: RuntimeSettings;
  readonly injected: Injected;
}

async function runAndClean(
  host: ShimHost,
  call: RuntimeCall,
  { runtime, settings: { spool, wrap }, injected }: Create,
): Promise<void> {
  const containerId = call.containerId ?? '';
  const sinceMs = host.clock.nowMs();
  const standIn = host.runInPlace(runtime, inheritedDescriptors(host, call));
  for (const signal of forwarded) {
    host.supervision.onSignal(signal, () => {
      standIn.signal(signal);
    });
  }
  const exit = await standIn.exited;
  // `run` also fails with the container's own exit code, after a life that ended with its poststop
  // hooks; their records tell. Without the runner there are none, and twice would be worse than never.
  const created =
    call.command === 'run' && (!wrap || (await poststopRan(host, { spool, containerId, sinceMs })));
  if (exit.code !== 0 && !created) {
    const { cleanUp } = await import('./seldom.ts');
    await cleanUp(host, containerId, injected);
  }
  host.end(exit);
}

const forwarded = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

function refuse(code: string, { message, next }: { message: string; next: string }): LifehookError {
  return new LifehookError({ code, severity: 'error', message, next });
}
