/**
 * The hook points of a container's life, in the order of the OCI runtime specification 1.3
 * (config.md "POSIX-platform Hooks", runtime.md "Lifecycle"), and what a failure does at each.
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

/**
 * Points that hooks.d files may name but that never go into config.json: the caller runs them.
 * precreate filters the proposed config.json; postexit runs when the container's process has ended,
 * with its exit code, where we are its parent (`lifehook oci run|create`, our node).
 */
export const extensionStages = ['precreate', 'postexit'] as const;

export type ExtensionStage = (typeof extensionStages)[number];

/** One entry of a stage's list in config.json. Everything is as the runtime will see it. */
export interface OciHook {
  readonly path: string;
  /** The whole argv, argv[0] included; absent: [path]. */
  readonly args?: readonly string[];
  /** NAME=value. Absent is not the same as empty: see reference "env absent". */
  readonly env?: readonly string[];
  /** Seconds, greater than zero. */
  readonly timeout?: number;
}

/** Where distributions put hook files; Podman and CRI-O read it by default. */
export const VENDOR_HOOK_FOLDER = '/usr/share/containers/oci/hooks.d';

/** Those that Podman and CRI-O know: a stage that they do not know makes them refuse every container. */
export const ENGINE_HOOK_FOLDERS: readonly string[] = [
  VENDOR_HOOK_FOLDER,
  '/etc/containers/oci/hooks.d',
];

/**
 * In increasing precedence: what the distribution ships, what the administrator puts over it, and a
 * directory that only Lifehook reads, for stages that only Lifehook knows.
 */
export const DEFAULT_HOOK_FOLDERS: readonly string[] = [
  ...ENGINE_HOOK_FOLDERS,
  '/etc/lifehook/hooks.d',
];
