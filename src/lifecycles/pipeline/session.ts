/**
 * Defines the input that every phase of a pipeline gets, and the result that a phase returns. A phase is one function:
 * `(session, results of earlier phases) => Promise<PhaseResult<...>>`. It runs its own hooks, and emits its own events.
 * It rejects with a LifehookError for a problem that the user must fix, and with the error itself if a file cannot be
 * written or a request fails that the phase does not expect to fail.
 */
import type { HttpTransport } from '../../platform/http-transport.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TcpListening } from '../../platform/tcp-listener.ts';
import type { KubeClient, KubeConnection } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ProcessTable } from '../../store/process-table.ts';
import type { Artifact, ModuleConfig, PipelineConfig } from './config/model.ts';
import type { HookRunContext } from './hooks/run-context.ts';
import type { SessionFacts } from './hooks/contract.ts';
import type { Goos } from './hooks/model.ts';

export interface PipelineSession {
  readonly config: PipelineConfig;
  readonly options: RunOptions;
  readonly platform: Platform;
  /** Identifies the sessions that lock a shared file of the state directory. */
  readonly processTable: ProcessTable;
  /** Opens the local ports that are forwarded. */
  readonly listening: TcpListening;
  /** The operating system of this machine. Hooks for other systems are skipped. */
  readonly goos: Goos;
  /** The context in which hooks run: ledger, values, history, locks, events (`emit`), cancellation (`signal`). */
  readonly hooks: HookRunContext;
  /**
   * Facts for the environment contract. Facts that only a phase finds, such as namespaces, are passed with its hook
   * lists.
   */
  readonly facts: SessionFacts;
  /** null: the command needs no cluster, or none was found. */
  readonly target: KubeTarget | null;
  /** The directory `.lifehook` next to the requested file, with caches and the journal. */
  readonly stateFolder: string;
  /** A UUID: the value of the label `skaffold.dev/run-id` on deployed objects, and of SKAFFOLD_RUN_ID. */
  readonly runId: string;
}

/** Options of the command line; fields have the names of the flags. */
export interface RunOptions {
  readonly defaultRepo: string | null;
  readonly multiLevelRepo: boolean | null;
  /** --tag: overrides the tag policy; null: not given. */
  readonly tag: string | null;
  /** null: images are pushed if the file and the target require it. */
  readonly push: boolean | null;
  readonly cacheArtifacts: boolean;
  readonly namespace: string | null;
  /** --build-image: only these artifacts and their requirements; empty: all. */
  readonly buildImages: readonly string[];
  /** --module: only these modules and their requirements; empty: all. */
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
  /** The namespace of the command line, or else that of the context. */
  readonly namespace: string;
  /** The images of the local cluster, to which nothing is pushed; null: it is another cluster. */
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
  /** Absolute path of the archive or directory to import. */
  readonly from: string;
  readonly reference: string;
  /** The config of the image, if a directory is imported: command, arguments, environment. */
  readonly config?: {
    readonly command?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly workingDir?: string;
  };
}

export interface BuiltArtifact {
  readonly module: ModuleConfig;
  readonly artifact: Artifact;
  /** The artifact's image as manifests name it, without tag. */
  readonly image: string;
  /**
   * The reference that replaces the image in manifests: with default-repo and tag. It also has the digest if the image
   * was pushed or its tag was reassigned.
   */
  readonly reference: string;
  /** The id of the content: a digest or an image id. */
  readonly id: string;
  readonly cached: boolean;
}

export interface Rendered {
  /** In the order of the modules. Images and labels are set, and hooks have made their changes. */
  readonly manifests: readonly RenderedManifests[];
}

export interface RenderedManifests {
  readonly module: ModuleConfig;
  readonly objects: readonly KubeObject[];
  /** The same manifests as YAML documents. */
  readonly text: string;
}

export interface Deployed {
  /** The namespaces of the objects and the default namespace, sorted and without duplicates (PIPE-CASE33). */
  readonly namespaces: readonly string[];
  readonly objects: readonly KubeObject[];
}

export type PhaseResult<T> =
  | { readonly outcome: 'Succeeded'; readonly value: T }
  | {
      readonly outcome: 'Failed' | 'Cancelled';
      /** The exit code of the failed hook or program (PIPE-W4); 130 for an interruption. */
      readonly exitCode: number;
      /** The cause of the failure; absent: a program or the phase itself has failed. */
      readonly by?: 'hook';
      /** The message for the user: what failed, where it is defined, its last lines of output, and the next step. */
      readonly message: string;
    };

/** The result of a phase that did not succeed. */
export type PhaseFailure = Exclude<PhaseResult<never>, { outcome: 'Succeeded' }>;
