/**
 * What every phase of a pipeline is given, and what it gives to the next. A phase is one function:
 * `(session, what the phases before it made) => Promise<PhaseResult<...>>`; it runs its own hooks, tells its own
 * events, and rejects only with a LifehookError for what the user has to mend.
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
  /** Of this machine: hooks for others are skipped. */
  readonly goos: Goos;
  /** Everything that hooks are run with: ledger, values, history, locks, events (`tell`), cancellation (`signal`). */
  readonly hooks: HookRunContext;
  /** Of the environment contract; what a phase has learned (namespaces) is given with its own lists. */
  readonly facts: SessionFacts;
  /** null: nothing that needs a cluster was asked for, or none could be found. */
  readonly target: KubeTarget | null;
  /** `.lifehook` beside the first file: caches, journal. */
  readonly stateFolder: string;
  /** A UUID: the label `skaffold.dev/run-id` of what is deployed, and SKAFFOLD_RUN_ID. */
  readonly runId: string;
}

/** Of the command line; names are the flags'. */
export interface RunOptions {
  readonly defaultRepo: string | null;
  readonly multiLevelRepo: boolean | null;
  /** --tag: instead of the tag policy. */
  readonly tag: string | null;
  /** null: as the file says, and as the target needs it. */
  readonly push: boolean | null;
  readonly cacheArtifacts: boolean;
  readonly namespace: string | null;
  /** --build-image: only these artifacts (and what they require); empty: all. */
  readonly buildImages: readonly string[];
  /** --module: only these and what they require; empty: all. */
  readonly modules: readonly string[];
  readonly statusCheck: boolean | null;
  /** --compat: the shipped tool's own values and ways. */
  readonly compat: boolean;
  /** --label: of everything that is rendered, and of templates of pods in it. */
  readonly labels: Readonly<Record<string, string>>;
  /** --watch-image: only images whose name contains one of these are watched; empty: all. */
  readonly watchImages: readonly string[];
  readonly skipTests: boolean;
  /** Which program builds Dockerfiles; null: the first of docker, podman, buildah that works. */
  readonly containerProgram: 'docker' | 'podman' | 'buildah' | null;
}

export interface KubeTarget {
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  readonly transport: HttpTransport;
  readonly context: string;
  /** Of the command line, else of the context. */
  readonly namespace: string;
  /** The local cluster's images; null: another cluster. Where there is one, nothing is pushed. */
  readonly images: ImagePort | null;
}

/** Takes built images in. */
export interface ImagePort {
  /** A folder, an OCI layout or a tar of docker or podman, under this reference; returns its id "sha256:…". */
  importImage(request: ImageImport): Promise<string>;
  /** null: there is no such image. */
  idOf(reference: string): Promise<string | null>;
  /** Another name for an image that is there. */
  tag(existing: string, reference: string): Promise<void>;
}

export interface ImageImport {
  /** Absolute. */
  readonly from: string;
  readonly reference: string;
  /** Of a folder: what the image starts, and with what. */
  readonly config?: {
    readonly command?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly workingDir?: string;
  };
}

export interface BuiltArtifact {
  readonly module: ModuleConfig;
  readonly artifact: Artifact;
  /** As manifests name it: the artifact's image, without tag. */
  readonly image: string;
  /** What stands in manifests instead: default-repo, tag, and digest where it was pushed or took its tag over. */
  readonly reference: string;
  /** Of its content: a digest or an image id. */
  readonly id: string;
  readonly cached: boolean;
}

export interface Rendered {
  /** In the order of the modules, as hooks left them, with images and labels put in. */
  readonly manifests: readonly RenderedManifests[];
}

export interface RenderedManifests {
  readonly module: ModuleConfig;
  readonly objects: readonly KubeObject[];
  /** The same as YAML documents. */
  readonly text: string;
}

export interface Deployed {
  /** Sorted, each once; the default namespace is among them (PIPE-CASE33). */
  readonly namespaces: readonly string[];
  readonly objects: readonly KubeObject[];
}

export type PhaseResult<T> =
  | { readonly outcome: 'Succeeded'; readonly value: T }
  | {
      readonly outcome: 'Failed' | 'Cancelled';
      /** The failed hook's or program's own (PIPE-W4); 130 where it was interrupted. */
      readonly exitCode: number;
      /** What failed; absent: a program, or a phase by itself. */
      readonly by?: 'hook';
      /** Everything that a user needs: what failed, where it is defined, its last lines, what to do next. */
      readonly message: string;
    };
