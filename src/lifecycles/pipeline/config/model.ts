/**
 * A pipeline's configuration for the phases: upgraded to the newest version, with all modules, profiles applied, and
 * one form for values with several spellings. Paths of modules, contexts and hooks are absolute; other paths are as in
 * the file. Names are those of skaffold/v4 unless stated.
 */
import type { Position } from '../../../model/problem.ts';
import type { StageHooks } from '../hooks/model.ts';

export interface PipelineConfig {
  /** Requirements first, without duplicates; the last module is the requested one. */
  readonly modules: readonly ModuleConfig[];
  /** Profiles activated in any module, in order of activation. */
  readonly profiles: readonly string[];
  /** The directory of the requested file: hooks run here unless they have a `dir` (PIPE-S10). */
  readonly workDir: string;
  /** Hooks of the whole run, from the lifehook.yaml next to the requested file. */
  readonly ownHooks: OwnHooks;
  /** Fields without effect: listed in one warning. */
  readonly unusedFields: readonly UnusedField[];
}

export interface UnusedField {
  /** The path of the field, such as "build.artifacts[0].runtimeType". */
  readonly path: string;
  readonly at: Position;
  /** The reason why the field is not needed. */
  readonly reason: string;
}

export interface ModuleConfig {
  /** metadata.name; null: the module has no name. */
  readonly name: string | null;
  /** Absolute path. */
  readonly file: string;
  readonly folder: string;
  /** As written in the file: "skaffold/v2beta29". */
  readonly apiVersion: string;
  readonly build: BuildConfig;
  readonly test: readonly TestConfig[];
  readonly manifests: ManifestsConfig;
  readonly deploy: DeployConfig;
  readonly portForward: readonly PortForwardConfig[];
  readonly verify: readonly VerifyConfig[];
}

export interface BuildConfig {
  readonly artifacts: readonly Artifact[];
  readonly tagPolicy: TagPolicy;
  /** null: as the target requires (for example, a local cluster needs no push). */
  readonly push: boolean | null;
  /** Maximum number of parallel builds; 0: no limit. */
  readonly concurrency: number;
  readonly platforms: readonly string[];
  /** Hooks around the whole phase. */
  readonly hooks: StageHooks;
}

export interface Artifact {
  /** The image's name as written in the file, without tag. */
  readonly image: string;
  /** Absolute path. */
  readonly context: string;
  readonly builder: Builder;
  readonly requires: readonly { readonly image: string; readonly alias: string }[];
  readonly sync: SyncConfig | null;
  readonly hooks: StageHooks;
  readonly platforms: readonly string[];
  readonly at: Position;
}

export type Builder = DockerBuilder | CustomBuilder | FolderBuilder | UnsupportedBuilder;

export interface DockerBuilder {
  readonly kind: 'docker';
  /** Relative to the context. */
  readonly dockerfile: string;
  readonly target?: string;
  /** Values may hold templates. */
  readonly buildArgs: Readonly<Record<string, string | null>>;
  readonly network?: string;
  readonly addHost: readonly string[];
  readonly cacheFrom: readonly string[];
  readonly noCache: boolean;
  readonly pullParent: boolean;
  readonly squash: boolean;
  readonly ssh?: string;
  readonly secrets: readonly {
    readonly id: string;
    readonly src?: string;
    readonly env?: string;
  }[];
  readonly cliFlags: readonly string[];
}

/** The program gets IMAGE, PUSH_IMAGE, BUILD_CONTEXT, PLATFORMS, SKIP_TEST (PIPE-C9). */
export interface CustomBuilder {
  readonly kind: 'custom';
  readonly buildCommand: string;
  readonly dependencies: CustomDependencies;
}

export type CustomDependencies =
  | {
      readonly kind: 'paths';
      readonly paths: readonly string[];
      readonly ignore: readonly string[];
    }
  | { readonly kind: 'command'; readonly command: string }
  | {
      readonly kind: 'dockerfile';
      readonly path: string;
      readonly buildArgs: Readonly<Record<string, string | null>>;
    };

/** A builder of lifehook.yaml: a directory becomes the image. It needs the local cluster, but no other program. */
export interface FolderBuilder {
  readonly kind: 'folder';
  /** The directory that becomes the image's root, relative to the context. */
  readonly path: string;
  readonly ignore: readonly string[];
  readonly command?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir?: string;
}

/** Refused, unless lifehook.yaml has another builder for the image. */
export interface UnsupportedBuilder {
  readonly kind: 'unsupported';
  /** The name of the builder's field: "jib", "ko", "buildpacks", "bazel", "kaniko", … */
  readonly name: string;
  readonly at: Position;
}

export type TagPolicy =
  | {
      readonly kind: 'gitCommit';
      readonly variant:
        | 'Tags'
        | 'CommitSha'
        | 'AbbrevCommitSha'
        | 'TreeSha'
        | 'AbbrevTreeSha'
        | 'Branches';
      readonly prefix: string;
      readonly ignoreChanges: boolean;
    }
  | { readonly kind: 'sha256' }
  | { readonly kind: 'envTemplate'; readonly template: string }
  | { readonly kind: 'dateTime'; readonly format: string; readonly timezone: string }
  | {
      readonly kind: 'customTemplate';
      readonly template: string;
      readonly components: readonly { readonly name: string; readonly policy: TagPolicy }[];
    }
  | { readonly kind: 'inputDigest' };

export interface SyncConfig {
  readonly mode: 'manual' | 'infer' | 'auto';
  readonly manual: readonly {
    readonly src: string;
    readonly dest: string;
    readonly strip: string;
  }[];
  readonly infer: readonly string[];
  readonly hooks: StageHooks;
}

export interface TestConfig {
  readonly image: string;
  readonly context: string;
  readonly custom: readonly {
    readonly command: string;
    readonly timeoutSeconds: number | null;
    readonly dependencies: CustomDependencies | null;
  }[];
  readonly structureTests: readonly string[];
  readonly structureTestsArgs: readonly string[];
}

export interface ManifestsConfig {
  /** Globs and files relative to the module's directory. */
  readonly rawYaml: readonly string[];
  readonly kustomize: {
    readonly paths: readonly string[];
    readonly buildArgs: readonly string[];
  } | null;
  readonly helm: { readonly releases: readonly HelmRelease[]; readonly flags: HelmFlags } | null;
  readonly hooks: StageHooks;
}

/** Arguments of the helm program. */
export interface HelmFlags {
  readonly global: readonly string[];
  readonly template: readonly string[];
  readonly depBuild: readonly string[];
}

export interface HelmRelease {
  readonly name: string;
  readonly chartPath?: string;
  readonly remoteChart?: string;
  readonly version?: string;
  readonly repo?: string;
  readonly namespace?: string;
  readonly createNamespace: boolean;
  readonly skipTests: boolean;
  readonly useHelmSecrets: boolean;
  readonly valuesFiles: readonly string[];
  readonly setValues: Readonly<Record<string, string>>;
  readonly setValueTemplates: Readonly<Record<string, string>>;
  readonly setFiles: Readonly<Record<string, string>>;
  readonly overrides: unknown;
  readonly skipBuildDependencies: boolean;
}

export interface DeployConfig {
  readonly kubectl: KubectlDeployer | null;
  readonly helm: {
    readonly releases: readonly HelmRelease[];
    readonly flags: HelmFlags;
    readonly hooks: StageHooks;
  } | null;
  readonly kubeContext?: string;
  readonly kubeContextAt?: Position;
  readonly statusCheck: boolean;
  readonly statusCheckDeadlineSeconds: number;
  readonly tolerateFailuresUntilDeadline: boolean;
  readonly logsPrefix: 'auto' | 'container' | 'podAndContainer' | 'none';
}

export interface KubectlDeployer {
  readonly defaultNamespace?: string;
  readonly hooks: StageHooks;
}

export interface PortForwardConfig {
  readonly resourceType: string;
  readonly resourceName: string;
  readonly namespace?: string;
  readonly port: number | string;
  readonly address: string;
  readonly localPort?: number;
}

export interface VerifyConfig {
  readonly name: string;
  readonly timeoutSeconds: number | null;
  readonly container: {
    readonly name: string;
    readonly image: string;
    readonly command: readonly string[];
    readonly args: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
  };
  readonly execution: 'local' | 'kubernetesCluster';
}

/** Hooks that only lifehook.yaml can define: of test, ready, port-forward, verify and cleanup. */
export type OwnHooks = Readonly<
  Record<'test' | 'verify' | 'portForward' | 'cleanup' | 'ready', StageHooks>
>;
