/**
 * Reads a bundle's config.json with its owner and mode, checks that it can be trusted, and replaces it atomically.
 *
 * A symbolic link is followed: its target is replaced, and the link stays. Other users must not be able to write the
 * bundle's directory, the file, or the directory that a link leads to: they could run programs with our rights. `trust`
 * can allow it.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ByteText, Files, FileStat } from '../../../platform/platform.ts';
import { CONFIG_MAX_BYTES, readConfig, type ConfigObject } from './config-text.ts';
import { distrust, type Trust } from '../hooksd/path-trust.ts';

export interface Bundle {
  /** The absolute path of the bundle, with every symbolic link resolved. */
  readonly folder: string;
  /** The path of config.json; if config.json is a symbolic link, the path of its target. */
  readonly configPath: string;
  readonly text: ByteText;
  readonly config: ConfigObject;
  readonly stat: FileStat;
}

export interface BundleReading {
  readonly files: Files;
  readonly folder: string;
  readonly trust: Trust;
}

/** Throws a LifehookError for every problem that a user can fix. */
export async function readBundle({ files, folder, trust }: BundleReading): Promise<Bundle> {
  const real = await resolvePath(files, folder, 'the directory of a bundle');
  const configPath = await resolvePath(files, `${real}/config.json`, 'the config.json of a bundle');
  const stat = await files.stat(configPath);
  const { size } = stat;
  if (stat.kind !== 'file' || size > CONFIG_MAX_BYTES) throw refuse(notUsable(configPath, stat));
  for (const [path, pathStat] of [
    [real, await files.stat(real)],
    [parentOf(configPath), await files.stat(parentOf(configPath))],
    [configPath, stat],
  ] as const) {
    const problem = distrust(path, pathStat, trust);
    if (problem !== undefined) throw refuse(problem);
  }
  const text = await files.read(configPath);
  const reading = readConfig(text);
  if (reading.kind === 'refused') {
    throw refuse({ ...reading.problem, at: { file: configPath, line: 1, column: 1 } });
  }
  return { folder: real, configPath, text, config: reading.config, stat };
}

/** Replaces the file atomically: readers see either the old or the new one. Mode and owner stay. */
export async function replaceConfig(files: Files, bundle: Bundle, text: ByteText): Promise<void> {
  const { mode, uid, gid } = bundle.stat;
  try {
    await files.replace(bundle.configPath, text, { mode, uid, gid });
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
    throw new LifehookError(
      {
        code: 'LHC209',
        message: `${bundle.configPath} cannot be replaced (EPERM): the new file must belong to user ${uid} and group ${gid} too. Without root, only a member of that group can create it.`,
        next: 'Run "chgrp" on the file with one of your groups, or run this command as root.',
      },
      { cause: error },
    );
  }
}

async function resolvePath(files: Files, path: string, what: string): Promise<string> {
  try {
    return await files.realPath(path);
  } catch (error) {
    throw new LifehookError(
      {
        code: 'LHC205',
        message: `${path} must be ${what}, but it cannot be reached (${codeOf(error) ?? String(error)}).`,
        next: 'Name the directory that holds config.json.',
      },
      { cause: error },
    );
  }
}

function notUsable(path: string, { kind, size }: FileStat): Problem {
  const received = kind === 'file' ? `a file of ${size} bytes` : 'something else';
  return {
    code: 'LHC206',
    severity: 'error',
    message: `${path} must be a file of at most ${CONFIG_MAX_BYTES} bytes, but is ${received}.`,
    next: 'Generate config.json again with the tool that created the bundle.',
  };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function refuse(problem: Problem): LifehookError {
  return new LifehookError(problem);
}
