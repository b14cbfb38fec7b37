/**
 * The wrapper: `lifehook-runtime`, called by an engine in place of runc or crun, with the same
 * command line.
 *
 *   create, run   run precreate hooks, add other hooks to config.json, become the runtime
 *   start, delete of a container with postexit hooks: see settle-postexit.ts
 *   all else      become the runtime
 *
 * If the runtime would skip hooks (crun: poststop after a failed create, a failed poststart) it
 * is started as a child instead. An error of the wrapper ends the call before the runtime starts:
 * exit code 1, and one line with the reason.
 */
import { formatProblem, LifehookError } from '../../../model/problem.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { findRuntime, forgetsHooks } from './find-runtime.ts';
import { isObject } from '../config/config-text.ts';
import { become, type Handing } from './hand-over.ts';
import { injectHooks, type Injected } from './inject-hooks.ts';
import { trustedOwners } from '../hooksd/path-trust.ts';
import { hasPlan, planPath } from './postexit-plan.ts';
import { createsContainer, readRuntimeCall, type RuntimeCall } from './runtime-args.ts';
import { loadSettings } from './load-settings.ts';
import { SETTINGS_PATH, SETTINGS_PATH_VARIABLE } from './runtime-settings.ts';
import { reportFailure, reportSlowness, reportWarning } from './wrapper-log.ts';

export async function runWrapper(host: ShimHost): Promise<void> {
  const call = readRuntimeCall(host.args);
  try {
    await handOver(host, call);
  } catch (error) {
    await reportFailure(host, call, error);
    host.end({ code: 1, signal: null });
  }
}

async function handOver(host: ShimHost, call: RuntimeCall): Promise<void> {
  const owners = await ownersHere(host);
  const settingsPath = host.env[SETTINGS_PATH_VARIABLE] ?? SETTINGS_PATH;
  const settings = await loadSettings(host.files, settingsPath, owners);
  const { files } = host;
  const selfPath = await host.selfPath();
  const runtime = await findRuntime({ files, wanted: settings.runtime, selfPath });
  const handing = { host, call, runtime, settings };
  await atPostexit(handing);
  if (call.command === 'start' && (await forgetsHooks(files, runtime))) {
    return (await import('./forgetful-runtime.ts')).startAndJudge(handing);
  }
  if (!createsContainer(call)) return become(handing);
  return create(handing, { selfPath, owners });
}

interface Wrapper {
  readonly selfPath: string;
  readonly owners: readonly number[];
}

async function create(handing: Handing, { selfPath, owners }: Wrapper): Promise<void> {
  const { host, call, settings, runtime } = handing;
  await reportSlowness(host, settings.spool);
  const injected = await injectHooks({
    host,
    settings,
    owners,
    bundleFolder: bundleFolder(call),
    containerId: call.containerId ?? '',
    runner: selfPath.replace(/[^/]*$/, 'lifehook-hook'),
  });
  if (injected !== null) await reportAndRecord(handing, injected);
  if (injected === null) return become(handing);
  if (injected.poststop.length === 0 && !injected.recorded) return become(handing);
  if (!(await forgetsHooks(host.files, runtime))) return become(handing);
  return (await import('./forgetful-runtime.ts')).createAndClean(handing, injected);
}

/** Handles start and delete of a container with postexit hooks, which are rare. */
async function atPostexit(handing: Handing): Promise<void> {
  const { host, call, settings } = handing;
  if (call.command !== 'start' && call.command !== 'delete') return;
  if (!(await hasPlan(host.files, planPath(settings, call)))) return;
  const { markStarted, settlePostexit } = await import('./settle-postexit.ts');
  await (call.command === 'start' ? markStarted(handing) : settlePostexit(handing));
}

async function reportAndRecord(
  handing: Handing,
  { warnings, postexit, bundle }: Injected,
): Promise<void> {
  for (const warning of warnings) {
    await reportWarning(handing.host, handing.call, formatProblem(warning));
  }
  if (postexit === null) return;
  const { annotations } = bundle.config;
  const manager = isObject(annotations) ? annotations['io.container.manager'] : undefined;
  await (await import('./settle-postexit.ts')).keepPlan(handing, postexit, manager);
}

async function ownersHere({ files }: ShimHost): Promise<number[]> {
  const { uid } = await files.stat('/proc/self');
  return trustedOwners(uid, await files.read('/proc/self/uid_map'));
}

function bundleFolder({ bundle, configFile }: RuntimeCall): string {
  if (bundle === null) {
    throw refuse('LHC314', {
      message: '--bundle has no value: the bundle directory is required.',
      next: 'Write --bundle DIRECTORY.',
    });
  }
  if (configFile !== undefined) {
    throw refuse('LHC315', {
      message: `Hooks are added to the config.json of a bundle, but --config names another file, ${configFile}.`,
      next: 'Name the file config.json, or call the OCI runtime directly, without hooks.',
    });
  }
  return bundle ?? '.';
}

function refuse(code: string, { message, next }: { message: string; next: string }): LifehookError {
  return new LifehookError({ code, message, next });
}
