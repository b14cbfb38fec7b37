/**
 * Builds the environment of a hook: the variables of the table in Skaffold's design of lifecycle hooks, with the
 * deviations below. Pure.
 *
 * PIPE-C9   A name that the design writes without a prefix (IMAGE) is also set with the prefix SKAFFOLD_. The other
 * names have the prefix already.
 * PIPE-C10  An unknown value is unset, not empty, even if the caller's environment has it (PIPE-CASE13).
 * PIPE-CASE16 The contract overrides the caller; with `--compat` the caller overrides it, as in skaffold.
 *
 * Variables that only the documentation of skaffold promises are set too: SKAFFOLD_IMAGE and SKAFFOLD_BUILD_CONTEXT in
 * sync, and the two lists of synced files.
 */
import { withoutFolder } from '../config/paths.ts';
import { parseImageName } from './image-name.ts';

/** Facts that are the same in every phase. An absent fact is unknown. */
export interface SessionFacts {
  /** Absolute path. */
  readonly workDir: string;
  readonly defaultRepo?: string;
  readonly multiLevelRepo?: boolean;
  readonly rpcPort?: number;
  readonly httpPort?: number;
  readonly kubeContext?: string;
  readonly namespaces?: readonly string[];
  readonly profiles: readonly string[];
}

export type PhaseFacts =
  | {
      readonly kind: 'build';
      /** The reference of the image, with its tag. */
      readonly image: string;
      readonly pushImage: boolean;
      /** Absolute path. */
      readonly context: string;
    }
  /** Hooks around the whole build, which has no single image. */
  | { readonly kind: 'whole-build' }
  | {
      readonly kind: 'sync';
      /** The reference that the containers run. */
      readonly image: string;
      /** Absolute path. With `--compat`, paths of files are relative to this directory, as in skaffold. */
      readonly context: string;
      /** Absolute paths, here and in `deleted`. */
      readonly modified: readonly string[];
      readonly deleted: readonly string[];
    }
  /** `runId`: the value of the label skaffold.dev/run-id on deployed objects. */
  | { readonly kind: 'deploy'; readonly runId: string }
  | { readonly kind: 'other' };

export interface ContractInput {
  readonly session: SessionFacts;
  readonly phase: PhaseFacts;
  /** Whether the values are those of skaffold itself (`--compat`). */
  readonly compat: boolean;
}

export interface Contract {
  readonly set: Readonly<Record<string, string>>;
  /** Names of the contract that have no value now: they are removed from the caller's environment. */
  readonly unset: readonly string[];
  /**
   * For sync: the JSON list in the file that LIFEHOOK_SYNC_FILES_JSON names, since a path may contain ";"
   * (PIPE-CASE35).
   */
  readonly syncFilesJson: string | null;
}

/** Maximum bytes of one variable: Linux starts no program with a longer one. */
export const MAX_VARIABLE_BYTES = 131_071;

export const SYNC_FILES_JSON = 'LIFEHOOK_SYNC_FILES_JSON';

/** Names that are set both without and with the prefix SKAFFOLD_. */
const BARE_NAMES = [
  'IMAGE',
  'PUSH_IMAGE',
  'IMAGE_REPO',
  'IMAGE_TAG',
  'BUILD_CONTEXT',
  'SYNC_FILES',
];

const PREFIXED_NAMES = [
  'RUN_ID',
  'DEFAULT_REPO',
  'RPC_PORT',
  'HTTP_PORT',
  'KUBE_CONTEXT',
  'MULTI_LEVEL_REPO',
  'NAMESPACES',
  'WORK_DIR',
  'PROFILES',
  'FILES_ADDED_OR_MODIFIED',
  'FILES_DELETED',
];

/** Every name of the contract: a hook must not set any of them as a value. */
export const CONTRACT_NAMES: readonly string[] = [
  ...BARE_NAMES,
  ...[...BARE_NAMES, ...PREFIXED_NAMES].map((name) => `SKAFFOLD_${name}`),
  SYNC_FILES_JSON,
];

/**
 * Builds the variables of a hook. Worked example (PIPE-CASE12): a build of ghcr.io/acme/team/web:v1 from /p/web, in
 *   /p, with nothing else known, gives IMAGE=ghcr.io/acme/team/web:v1 IMAGE_REPO=ghcr.io/acme/team/web IMAGE_TAG=v1
 *   PUSH_IMAGE=false BUILD_CONTEXT=/p/web, the same five with SKAFFOLD_, SKAFFOLD_WORK_DIR=/p; in compat
 *   IMAGE_REPO=ghcr.io/acme/team.
 */
export function makeContract(input: ContractInput): Contract {
  const bare = known(bareValues(input));
  // For sync, skaffold has only SKAFFOLD_IMAGE and SKAFFOLD_BUILD_CONTEXT, so only SYNC_FILES is set without the
  // prefix.
  const inBoth = Object.entries(bare).filter(
    ([name]) => input.phase.kind !== 'sync' || name === 'SYNC_FILES',
  );
  const set: Record<string, string> = {
    ...Object.fromEntries(inBoth),
    ...prefixed(bare),
    ...prefixed(known(sessionValues(input))),
    ...prefixed(known(phaseValues(input))),
  };
  const { phase } = input;
  return {
    set,
    unset: CONTRACT_NAMES.filter((name) => set[name] === undefined && isOurs(name, phase)),
    syncFilesJson:
      phase.kind === 'sync'
        ? JSON.stringify([...phase.modified, ...phase.deleted].toSorted())
        : null,
  };
}

/** Whether the phase defines the name. In other phases the caller's own IMAGE, IMAGE_TAG and so on are kept. */
function isOurs(name: string, { kind }: PhaseFacts): boolean {
  if (!BARE_NAMES.includes(name)) return true;
  if (name === 'SYNC_FILES') return kind === 'sync';
  return kind === 'build' || kind === 'whole-build';
}

type Values = Readonly<Record<string, string | undefined>>;

function bareValues({ phase, compat }: ContractInput): Values {
  switch (phase.kind) {
    case 'build': {
      const { repo, parent, tag } = parseImageName(phase.image);
      return {
        IMAGE: phase.image,
        PUSH_IMAGE: String(phase.pushImage),
        IMAGE_REPO: compat ? parent : repo,
        IMAGE_TAG: tag ?? undefined,
        BUILD_CONTEXT: phase.context,
      };
    }
    case 'whole-build':
      if (!compat) return {};
      return { IMAGE: '', PUSH_IMAGE: 'false', IMAGE_REPO: '', IMAGE_TAG: '', BUILD_CONTEXT: '' };
    case 'sync':
      return {
        IMAGE: phase.image,
        BUILD_CONTEXT: phase.context,
        SYNC_FILES: fileList([...phase.modified, ...phase.deleted].toSorted()),
      };
    case 'deploy':
    case 'other':
      return {};
    default:
      return phase satisfies never;
  }
}

function phaseValues({ phase, compat }: ContractInput): Values {
  if (phase.kind === 'deploy') return { RUN_ID: phase.runId };
  if (phase.kind !== 'sync') return {};
  const shown = (files: readonly string[]): string | undefined =>
    fileList(compat ? files.map((file) => withoutFolder(phase.context, file)) : files.toSorted());
  return { FILES_ADDED_OR_MODIFIED: shown(phase.modified), FILES_DELETED: shown(phase.deleted) };
}

function sessionValues({ session, phase, compat }: ContractInput): Values {
  const { namespaces, multiLevelRepo, profiles } = session;
  // skaffold passes no cluster to build hooks, and no profiles to any hook.
  const knowsCluster = !compat || (phase.kind !== 'build' && phase.kind !== 'whole-build');
  return {
    DEFAULT_REPO: session.defaultRepo,
    MULTI_LEVEL_REPO: multiLevelRepo === undefined ? undefined : String(multiLevelRepo),
    RPC_PORT: session.rpcPort?.toString(),
    HTTP_PORT: session.httpPort?.toString(),
    KUBE_CONTEXT: knowsCluster ? session.kubeContext : undefined,
    NAMESPACES: knowsCluster ? namespaces?.join(',') : undefined,
    WORK_DIR: session.workDir,
    PROFILES: compat ? undefined : profiles.join(','),
  };
}

/**
 * The files in the form of a variable. undefined: the list is too long for a variable. The JSON list is always
 * complete.
 */
function fileList(files: readonly string[]): string | undefined {
  const text = files.join(';');
  const longestName = 'SKAFFOLD_FILES_ADDED_OR_MODIFIED='.length;
  const bytes = new TextEncoder().encode(text).length + longestName;
  return bytes > MAX_VARIABLE_BYTES ? undefined : text;
}

function known(values: Values): Record<string, string> {
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function prefixed(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`SKAFFOLD_${name}`, value]),
  );
}
