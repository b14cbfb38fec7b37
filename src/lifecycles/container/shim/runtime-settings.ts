/** The settings of the wrapper, and their defaults without a configuration file. */
import type { LoadPolicy } from '../hooksd/load.ts';
import type { PrestartMode } from '../hooksd/select.ts';
import { DEFAULT_HOOK_FOLDERS, VENDOR_HOOK_FOLDER } from '../points.ts';
import type { OnFailure } from './hook-command.ts';

export const SETTINGS_PATH = '/etc/lifehook/runtime.json';
/**
 * Name of the environment variable with the path of another configuration file, for tests and for several installations
 * on one machine.
 */
export const SETTINGS_PATH_VARIABLE = 'LIFEHOOK_RUNTIME_CONFIG';

export interface RuntimeSettings {
  /** The real runtime: its path, or its name in the usual directories. null: runc, else crun. */
  readonly runtime: string | null;
  /** In increasing precedence: a file masks those of the same name in earlier directories. */
  readonly hooksDirs: readonly string[];
  readonly index: string;
  /** The directory for the records, one per hook run. */
  readonly spool: string;
  readonly prestart: PrestartMode;
  /** false: hooks are added to config.json unwrapped, without the runner. */
  readonly wrap: boolean;
  readonly missingBinary: LoadPolicy['brokenHooks'];
  readonly invalidFile: 'fail' | 'skip';
  readonly allowWritableByOthers: boolean;
  /** The directories that Podman itself reads: Podman also runs the precreate hooks in them. */
  readonly podmanHooksDirs: readonly string[];
  /**
   * The directories in which engines write the exit code of a container, in a file named by its id (conmon's
   * --exit-dir).
   */
  readonly exitsDirs: readonly string[];
  /** Keyed by the name of the hook file. */
  readonly hooks: Readonly<Record<string, HookSettings>>;
}

export interface HookSettings {
  readonly onFailure: OnFailure;
  /** The number of attempts after the first; only with onFailure "retry". */
  readonly retries: number;
}

/** The settings of a hook file without an entry in the configuration. */
export const DEFAULT_HOOK_SETTINGS: HookSettings = { onFailure: 'fail', retries: 3 };

export const DEFAULT_SETTINGS: RuntimeSettings = {
  runtime: null,
  hooksDirs: DEFAULT_HOOK_FOLDERS,
  index: '/var/lib/lifehook/hooks.index',
  spool: '/run/lifehook/hooks',
  prestart: 'createRuntime',
  wrap: true,
  missingBinary: 'skip',
  invalidFile: 'fail',
  allowWritableByOthers: false,
  podmanHooksDirs: [VENDOR_HOOK_FOLDER],
  exitsDirs: ['/run/crio/exits', '/run/libpod/exits'],
  hooks: {},
};
