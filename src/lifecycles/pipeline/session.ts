/**
 * The input that every phase of a pipeline gets, and the result that it hands to the next. A phase is one function:
 * `(session, results of earlier phases) => Promise<PhaseResult<...>>`; it runs its own hooks, emits its own
 * events, and rejects only with a LifehookError for a problem that the user must fix.
 */
import type { HttpTransport } from '../../platform/http-transport.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TcpListening } from '../../platform/tcp-listener.ts';
import type { KubeClient, KubeConnection } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Artifact, ModuleConfig, PipelineConfig } from './config/model.ts';
import type { HookRunContext } from './hooks/run-context.ts';
import type { SessionFacts } from './hooks/contract.ts';
import type { Goos } from './hooks/model.ts';

export interface PipelineSession {
  readonly config: PipelineConfig;
  readonly options: RunOptions;
  readonly platform: Platform;
  /** For forwarded ports. */
  readonly listening: TcpListening;
  /** The operating system of this machine: hooks for others are skipped. */
  readonly goos: Goos;
  /** The context in which hooks run: ledger, values, history, locks, events (`tell`), cancellation (`signal`). */
  readonly hooks: HookRunContext;
  /** Facts for the environment contract; a fact that a phase finds (namespaces) is passed with its own lists. */
  readonly facts: SessionFacts;
  /** null: the command needs no cluster, or none was found. */
  readonly target: KubeTarget | null;
  /** The directory `.lifehook` next to the first file: caches, journal. */
  readonly stateFolder: string;
  /** A UUID: the value of the label `skaffold.dev/run-id` on deployed objects, and of SKAFFOLD_RUN_ID. */
  readonly runId: string;
}

/** Options of the command line; fields have the names of the flags. */
export interface RunOptions {
  readonly defaultRepo: string | null;
  readonly multiLevelRepo: boolean | null;
  /** --tag: overrides the tag policy. */
  readonly tag: string | null;
  /** null: as the file and the target require. */
  readonly push: boolean | null;
  readonly cacheArtifacts: boolean;
  readonly namespace: string | null;
  /** --build-image: only these artifacts and their requirements; empty: all. */
  readonly buildImages: readonly string[];
  /** --module: only these and their requirements; empty: all. */
  readonly modules: readonly string[];
  readonly statusCheck: boolean | null;
  /** --compat: the values and the behaviour of skaffold itself. */
  readonly compat: boolean;
  /** --label: labels of every rendered object and of the pod templates in it. */
  readonly labels: Readonly<Record<string, string>>;
  /** --watch-image: only images whose name contains one of these are watched; empty: all. */
  readonly watchImages: readonly string[];
  readonly skipTests: boolean;
  /** The program that builds Dockerfiles; null: the first of docker, podman, buildah that works. */
  readonly containerProgram: 'docker' | 'podman' | 'buildah' | null;
}

export interface KubeTarget {
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  readonly transport: HttpTransport;
  readonly context: string;
  /** The namespace of the command line, else of the context. */
  readonly namespace: string;
  /** The local cluster's images; null: another cluster. With a local cluster, nothing is pushed. */
  readonly images: ImagePort | null;
}

/** Imports built images. */
export interface ImagePort {
  /**
   * Imports a directory, an OCI layout or a tar of docker or podman under this reference; returns its id "sha256:…".
   */
  importImage(request: ImageImport): Promise<string>;
  /** null: the image does not exist. */
  idOf(reference: string): Promise<string | null>;
  /** Adds a name to an existing image. */
  tag(existing: string, reference: string): Promise<void>;
}

export interface ImageImport {
  /** Absolute. */
  readonly from: string;
  readonly reference: string;
  /** The config of an image from a directory: command, arguments, environment. */
  readonly config?: {
    readonly command?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly workingDir?: string;
  };
}

export interface BuiltArtifact {
  readonly module: ModuleConfig;
  readonly artifact: Artifact;
  /** The artifact's image in manifests, without tag. */
  readonly image: string;
  /** The reference that replaces it: default-repo, tag, and the digest if it was pushed or its tag was reassigned. */
  readonly reference: string;
  /** The content: a digest or an image id. */
  readonly id: string;
  readonly cached: boolean;
}

export interface Rendered {
  /** In the order of the modules, with images and labels set, after the hooks have changed them. */
  readonly manifests: readonly RenderedManifests[];
}

export interface RenderedManifests {
  readonly module: ModuleConfig;
  readonly objects: readonly KubeObject[];
  /** The same manifests as YAML documents. */
  readonly text: string;
}

export interface Deployed {
  /** Sorted, without duplicates, with the default namespace (PIPE-CASE33). */
  readonly namespaces: readonly string[];
  readonly objects: readonly KubeObject[];
}

export type PhaseResult<T> =
  | { readonly outcome: 'Succeeded'; readonly value: T }
  | {
      readonly outcome: 'Failed' | 'Cancelled';
      /** The exit code of the failed hook or program (PIPE-W4); 130 for an interruption. */
      readonly exitCode: number;
      /** The cause of the failure; absent: a program, or the phase itself. */
      readonly by?: 'hook';
      /** The message for the user: what failed, where it is defined, its last lines of output, and the next step. */
      readonly message: string;
    };
