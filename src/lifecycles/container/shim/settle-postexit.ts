/**
 * Runs postexit hooks for an engine, which alone observes the exit of its container. If the engine writes the exit code
 * into a file (as conmon does for CRI-O), the hooks run at delete, with that code. Otherwise they cannot run, and this
 * is reported.
 */
import { formatProblem, type Problem } from '../../../model/problem.ts';
import { decodeUtf8, encodeUtf8 } from '../../../platform/byte-text.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf, unlessMissing } from '../../../platform/posix-error.ts';
import type { Handing } from './hand-over.ts';
import {
  planPath,
  readPlan,
  removePlan,
  startedPath,
  writePlan,
  type PostexitPlan,
} from './postexit-plan.ts';
import { runEntry } from './run-entry.ts';
import { reportWarning } from './wrapper-log.ts';

/** Milliseconds since the epoch of the last change of each file. */
type ChangeTimes = Readonly<Record<string, number>>;

/**
 * Records that the container is started: from now on it may exit by itself. Call it at start. Files with exit codes
 * that exist already are those of earlier containers of this name. Their times are kept, since the clock may be set
 * back before the exit.
 */
export async function markStarted(handing: Handing): Promise<void> {
  const { host, call, settings } = handing;
  const path = planPath(settings, call);
  const { files } = host;
  if ((await readPlan(files, path)) === null) return;
  const earlier: Record<string, number> = {};
  for (const exit of exitPaths(handing)) {
    const changedMs = await modifiedMs(files, exit);
    if (changedMs !== null) earlier[exit] = changedMs;
  }
  const mark = encodeUtf8(JSON.stringify(earlier));
  await files.create(startedPath(path), mark, markMode).catch(() => undefined);
}

const markMode = 0o600;

/**
 * The files with exit codes that existed when the container was started, with their times; null: it was not started. An
 * empty mark, from an earlier version, names no file.
 */
async function readMark(files: Files, path: string): Promise<ChangeTimes | null> {
  try {
    return JSON.parse(decodeUtf8(await files.read(path))) as ChangeTimes;
  } catch (error) {
    return codeOf(error) === null ? {} : null;
  }
}

function exitPaths({ call, settings }: Handing): readonly string[] {
  return settings.exitsDirs.map((folder) => `${folder}/${call.containerId ?? ''}`);
}

/** Runs the postexit hooks. Call at delete, before the container is destroyed. */
export async function settlePostexit(handing: Handing): Promise<void> {
  const { host, call, settings } = handing;
  const path = planPath(settings, call);
  const plan = await readPlan(host.files, path);
  if (plan === null) return;
  const earlier = await readMark(host.files, startedPath(path));
  if (earlier === null) return removePlan(host.files, path);
  const code = await exitCode(handing, earlier);
  if (code === null) {
    await reportWarning(host, call, unknownExit(handing));
    // Without --force the runtime may refuse the delete, and then the container continues and needs the plan.
    if (host.args.some((arg) => forceOptions.includes(arg))) await removePlan(host.files, path);
    return;
  }
  await removePlan(host.files, path);
  return runPlan(handing, plan, code);
}

const forceOptions = ['--force', '-f'];

async function runPlan(handing: Handing, plan: PostexitPlan, exitCodeSeen: number): Promise<void> {
  const { entry, count, bundle, state } = plan;
  const exits = Array.from({ length: count }, (_, place) => [
    `${place}:LIFEHOOK_EXIT_CODE=${exitCodeSeen}`,
    `${place}:LIFEHOOK_EXIT_SIGNAL=`,
  ]).flat();
  const stdin = JSON.stringify({ ...state, exitCode: exitCodeSeen, signal: null });
  const result = await runEntry(
    handing.host,
    { ...entry, env: [...(entry.env ?? []), ...exits] },
    { runId: 'postexit', stdin, cwd: bundle },
  );
  const said = result.stderr.text.trim();
  if (said === '' && result.outcome === 'Succeeded') return;
  await reportWarning(handing.host, handing.call, said === '' ? result.reason : said);
}

/** The content of conmon's file: the exit code, or 128 plus the signal's number. */
async function exitCode(handing: Handing, earlier: ChangeTimes): Promise<number | null> {
  const { host } = handing;
  for (const path of exitPaths(handing)) {
    const writtenMs = await modifiedMs(host.files, path);
    if (writtenMs === null || writtenMs === earlier[path]) continue;
    // Empty if the engine has removed the file meanwhile.
    const text = (await unlessMissing(host.files.read(path))) ?? '';
    const code = Number.parseInt(text, 10);
    if (Number.isInteger(code)) return code;
  }
  return null;
}

async function modifiedMs(files: Files, path: string): Promise<number | null> {
  try {
    return (await files.stat(path)).mtimeMs;
  } catch {
    return null;
  }
}

function unknownExit({ call, settings }: Handing): string {
  const problem: Problem = {
    code: 'LHC318',
    severity: 'warning',
    message: `The postexit hooks of container ${call.containerId ?? ''} do not run: its exit code is in none of ${settings.exitsDirs.join(', ')}.`,
    next: 'Name the directory into which the engine writes exit codes as "exitsDirs", or run the container with `lifehook oci`.',
  };
  return formatProblem(problem);
}

/**
 * Stores the plan at create, and reports if its hooks might not run. There is no plan for an engine whose exit codes
 * are always unknown.
 */
export async function keepPlan(
  handing: Handing,
  plan: PostexitPlan,
  manager: unknown,
): Promise<void> {
  const { host, call } = handing;
  const why = await whyNot(handing, plan, manager);
  if (why === null) return;
  const problem: Problem = {
    code: 'LHC318',
    severity: 'warning',
    message: `The postexit hooks of container ${call.containerId ?? ''} might not run: ${why}.`,
    next: 'Use poststop if the hook does not need the exit code, or run the container with `lifehook oci`.',
  };
  await reportWarning(host, call, formatProblem(problem));
}

/** The reason why the hooks might not run; null: they will run. */
async function whyNot(
  { host, call, settings }: Handing,
  plan: PostexitPlan,
  manager: unknown,
): Promise<string | null> {
  if (manager !== 'cri-o' && manager !== 'libpod') {
    return 'lifehook-runtime cannot learn the exit code of the container';
  }
  try {
    await writePlan(host.files, planPath(settings, call), plan);
  } catch (error) {
    return `they cannot be recorded in ${settings.spool} (${codeOf(error) ?? String(error)})`;
  }
  return manager === 'cri-o'
    ? null
    : 'Podman may remove the exit code of the container before it deletes the container';
}
