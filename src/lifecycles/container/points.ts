/**
 * The hook points of a container, and the hook directories. The order of the points is that of the OCI runtime
 * specification 1.3 (config.md "POSIX-platform Hooks", runtime.md "Lifecycle").
 */
export const stages = [
  'prestart',
  'createRuntime',
  'createContainer',
  'startContainer',
  'poststart',
  'poststop',
] as const;

export type Stage = (typeof stages)[number];

/** The stages of the operation `create`. */
export const createStages = ['prestart', 'createRuntime', 'createContainer'] as const;

/**
 * Points that hooks.d files may name but that are never in config.json: Lifehook runs their hooks. precreate filters
 * the proposed config.json; postexit runs when the container's process has exited, with its exit code if that is known:
 * we are the parent of the process (`lifehook oci run|create`, our node), or the engine keeps it (CRI-O).
 */
export const extensionStages = ['precreate', 'postexit'] as const;

export type ExtensionStage = (typeof extensionStages)[number];

/** One entry of a stage's list in config.json, exactly as the runtime reads it. */
export interface OciHook {
  readonly path: string;
  /** The whole argv, argv[0] included; absent: [path]. */
  readonly args?: readonly string[];
  /** NAME=value. If the list is absent, runc and crun pass their own environment to the hook. */
  readonly env?: readonly string[];
  /** Seconds, greater than zero. */
  readonly timeout?: number;
}

/** The directory in which distributions install hook files; Podman and CRI-O read it by default. */
export const VENDOR_HOOK_FOLDER = '/usr/share/containers/oci/hooks.d';

/**
 * The directories that Podman and CRI-O read: a stage that these engines do not know makes them refuse every container.
 */
export const ENGINE_HOOK_FOLDERS: readonly string[] = [
  VENDOR_HOOK_FOLDER,
  '/etc/containers/oci/hooks.d',
];

/**
 * In increasing precedence: the directory of the distribution, that of the administrator, and one
 * that only Lifehook reads, for stages that only Lifehook supports.
 */
export const DEFAULT_HOOK_FOLDERS: readonly string[] = [
  ...ENGINE_HOOK_FOLDERS,
  '/etc/lifehook/hooks.d',
];
