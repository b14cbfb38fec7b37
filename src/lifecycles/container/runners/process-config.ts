/**
 * Reads the part of config.json that the process runner supports, and refuses settings that it cannot
 * honour: another user, a terminal, a working directory that does not exist.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';
import { isObject, type ConfigObject } from '../config/config-text.ts';
import { isUserBindMount } from '../facts.ts';
import type { Life } from '../life/life.ts';
import type { Making } from './oci-runner.ts';
import { splitAssignment } from '../hook-runs/plan-point.ts';

export interface HostProgram {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The working directory, as a path on the host. */
  readonly cwd: string;
}

export interface CheckedProcess {
  readonly program: HostProgram;
  readonly warnings: readonly Problem[];
}

/** Throws a LifehookError with all reasons. */
export async function checkProcess(life: Life, making: Making): Promise<CheckedProcess> {
  const { config } = making.bundle;
  const process = isObject(config['process']) ? config['process'] : {};
  const args = textsOf(process['args']);
  const env = Object.fromEntries(textsOf(process['env']).map(splitAssignment));
  const cwd = await findCwd(life.platform.files, making, process['cwd']);
  const program = { args, env, cwd: cwd ?? making.rootfs };
  const refusals = [
    ...refusalsOfLists(process),
    ...(await refusalsOfProgram(life.platform.files, program)),
    ...(cwd === null ? [noCwd(making, process['cwd'])] : []),
    ...refusalsOfUser(life, process),
    ...refusalsOfTerminal(making, process),
  ];
  if (refusals.length > 0) {
    throw new LifehookError(refusals.map((refusal) => refused(making, refusal)));
  }
  return { program, warnings: unhonoured(making, config) };
}

function refusalsOfLists(process: ConfigObject): string[] {
  const { args, env } = process;
  return [
    ...(isTextList(args) && args.length > 0
      ? []
      : ['process.args must be a list of strings, the program first']),
    ...(isTextList(env ?? []) && textsOf(env).every((entry) => entry.indexOf('=') > 0)
      ? []
      : ['process.env must be a list of "NAME=value" strings']),
  ];
}

/** The directories that execvp searches without PATH. */
const pathWithoutPath = '/bin:/usr/bin';

async function refusalsOfProgram(
  files: Files,
  { args: [name], env, cwd }: HostProgram,
): Promise<string[]> {
  if (name === undefined) return [];
  // env(1) would take such a name as an assignment.
  if (name.includes('=')) return ['process.args[0] must not contain a "="'];
  const folders = name.includes('/') ? [''] : (env['PATH'] ?? pathWithoutPath).split(':');
  for (const folder of folders) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (await isFile(files, path.startsWith('/') ? path : `${cwd}/${path}`)) return [];
  }
  return [`it runs programs of this host, and ${JSON.stringify(name)} is not found here`];
}

async function isFile(files: Files, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).kind === 'file';
  } catch {
    return false;
  }
}

function noCwd({ rootfs }: Making, cwd: unknown): string {
  return `process.cwd must be a directory below ${rootfs}, but ${JSON.stringify(cwd)} is none`;
}

function refusalsOfTerminal({ stdio }: Making, { terminal }: ConfigObject): string[] {
  if (terminal !== true || stdio === 'inherit') return [];
  return [
    'process.terminal asks for a terminal, which a container in the background does not have',
  ];
}

/** The container's cwd below the root directory; no symbolic link may lead out of it. */
async function findCwd(files: Files, { rootfs }: Making, cwd: unknown): Promise<string | null> {
  if (typeof cwd !== 'string' || !cwd.startsWith('/')) return null;
  try {
    const path = await files.realPath(`${rootfs}${cwd}`);
    const inside = `${path}/`.startsWith(rootfs === '/' ? '/' : `${rootfs}/`);
    return inside && (await files.stat(path)).kind === 'folder' ? path : null;
  } catch {
    return null;
  }
}

/** Refuses to run the process of a non-root user as root. A process with fewer rights than requested is safe. */
function refusalsOfUser({ uid }: Life, process: ConfigObject): string[] {
  const user = isObject(process['user']) ? process['user'] : {};
  const asked = user['uid'] ?? 0;
  if (uid !== 0 || asked === 0) return [];
  return [
    `process.user asks for user ${JSON.stringify(asked)}, but the process runner runs as root`,
  ];
}

/** Warns that bind mounts are missing, which users may overlook. That namespaces and limits are missing is obvious. */
function unhonoured({ id, bundle }: Making, config: ConfigObject): Problem[] {
  const mounts: readonly unknown[] = Array.isArray(config['mounts']) ? config['mounts'] : [];
  const missing = mounts.filter(isUserBindMount).map((mount) => destinationOf(mount));
  if (missing.length === 0) return [];
  return [
    {
      code: 'LHC225',
      severity: 'warning',
      message: `The process runner mounts nothing: container ${id} runs without its bind mounts at ${missing.join(', ')}.`,
      at: { file: bundle.configPath, line: 1, column: 1 },
      next: 'Use an OCI runtime (--runner runc) if the container needs them.',
    },
  ];
}

function destinationOf(mount: unknown): string {
  return isObject(mount) ? String(mount['destination']) : '';
}

function textsOf(value: unknown): readonly string[] {
  return isTextList(value) ? value : [];
}

function isTextList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false;
  return value.every((item) => typeof item === 'string' && !item.includes('\0'));
}

function refused({ bundle }: Making, reason: string): Problem {
  return {
    code: 'LHC224',
    severity: 'error',
    message: `The process runner cannot run this bundle: ${reason}.`,
    at: { file: bundle.configPath, line: 1, column: 1 },
    next: 'Correct config.json, or use an OCI runtime (--runner runc).',
  };
}
