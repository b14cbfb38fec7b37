/** Types of what each lifecycle adds to the commands that all of them share: the table is in `lifecycles.ts`. */
import type { Command } from 'commander';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { OciContainers, RuntimeWorld } from '../../packages/local-cluster/src/index.ts';
import type { AdmissionRoutes } from '../controller/admission/admission-service.ts';
import type { AskAccess } from '../controller/admission/author.ts';
import type { Permission } from '../controller/ask-permissions.ts';
import type { WebhookClient } from '../controller/admission/webhook-client.ts';
import type { Observe } from '../controller/controller-event.ts';
import type { Controller } from '../controller/controller.ts';
import type { EventRecorder } from '../controller/event-recorder.ts';
import type { Informer } from '../controller/informer.ts';
import type { SharedInformers, WatchScope } from '../controller/shared-informers.ts';
import type { Capabilities } from '../kube/capabilities.ts';
import type { KubeClient, KubeConnection } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/object.ts';
import type { ContainerKey } from '../kube/referenced-secrets.ts';
import type { Problem } from '../model/problem.ts';
import type { Exposed } from '../observe/metric-set.ts';
import type { ObservedEvent } from '../observe/observed-event.ts';
import type { Span } from '../observe/trace-span.ts';
import type { Platform } from '../platform/platform.ts';
import type { ClusterChoice } from './cluster/up-command.ts';
import type { RunningCluster } from './cluster/cluster-state.ts';
import type { OpenPodWorkers, PodWorkersOptions } from './cluster/runners.ts';
import type { Looks } from './completion/complete.ts';
import type { Shop } from './demo/shop.ts';
import type { Stage } from './demo/stage.ts';
import type { Judge } from './doctor/facts.ts';
import type { WantedPlace } from './doctor/gather/local.ts';
import type { Scope } from './doctor/seen.ts';
import type { Settle } from './exit-codes.ts';
import type { StandingScope } from './install/standing.ts';
import type { KubeOptions } from './kube-connection.ts';
import type { Inputs } from './lint/find-inputs.ts';
import type { Opening, OpenSource, SourceOptions } from './ui/sources.ts';

export interface Commands {
  /** The heading of the help. */
  readonly group: 'Pipeline:' | 'Kubernetes:' | 'Containers:';
  readonly add: (program: Command, settle: Settle) => void;
}

export type PodWorkersOf = (options: PodWorkersOptions) => Promise<OpenPodWorkers>;

export interface LintFilesPart {
  readonly problemsOfFiles: (inputs: Inputs) => Promise<readonly Problem[]>;
}

export type HookedContainers = (world: RuntimeWorld, command: string) => OciContainers;

export interface WrittenPlacesPart {
  readonly writtenPlaces: () => readonly WantedPlace[];
}

export interface DoctorWorld extends Scope {
  readonly client: KubeClient;
  readonly capabilities: Capabilities;
}

export interface DoctorPart {
  readonly userPermissions: readonly Permission[];
  /** Reads facts; changes nothing. */
  readonly examine: (world: DoctorWorld) => Promise<Judge>;
}

export interface TimelineSourcePart {
  readonly timelineSource: (options: SourceOptions, opening: Opening) => OpenSource | null;
}

export interface DemoActPart {
  readonly play: (stage: Stage, shop: Shop) => Promise<void>;
}

export interface CompletionPart {
  readonly looks: Looks;
}

export interface StatusPart {
  readonly runStatus: (
    name: string,
    options: KubeOptions & { readonly output: 'text' },
  ) => Promise<number>;
}

/** The options of `lifehook down`. */
export interface StopOptions extends ClusterChoice {
  /** Stop the cluster without a thaw. */
  readonly leaveFrozen?: boolean;
  /** Milliseconds. */
  readonly thawTimeout: number;
}

/** The actions of a lifecycle before the local cluster stops; both reject if it must not stop. */
export interface StopPart {
  readonly beforeStop: (running: RunningCluster, options: StopOptions) => Promise<void>;
  /** For a cluster that was killed. `folder`: its state directory, which this process has locked. */
  readonly refuseStop: (folder: string, options: StopOptions) => Promise<void>;
}

export interface UninstallPart {
  /** Kinds with running work; the controllers resolve their finalizers. */
  readonly ended: readonly Resource[];
  /** Kinds that the controllers read until then. */
  readonly records: readonly Resource[];
  readonly gather: (client: KubeClient, scope: StandingScope) => Promise<StandingPart>;
}

/** The objects of one lifecycle in a cluster that is about to lose Lifehook. */
export interface StandingPart {
  /** One line for each object that has to end before the kinds can be deleted. */
  readonly holds: readonly string[];
  /** One line for each object that runs something else afterwards. */
  readonly afterwards?: (releaseHeld: boolean) => readonly string[];
  /** Saves what users keep, before anything is deleted; resolves with lines about it. */
  readonly keep?: () => Promise<readonly string[]>;
  /** Lets what is held start without its hooks. */
  readonly release?: () => Promise<void>;
}

/** The cache of a kind in this process, once the controllers are constructed. */
export type CacheOf = <T extends KubeObject>(resource: Resource<T>) => Informer<T>;

/** The dependencies of the controllers of any lifecycle. */
export interface ControllersWorld {
  readonly connection: KubeConnection;
  /** Opens a connection with separate sockets. */
  readonly connect: () => KubeConnection;
  readonly client: KubeClient;
  readonly platform: Platform;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly informers: SharedInformers;
  readonly scope: WatchScope;
  readonly recorder: EventRecorder;
  readonly secretsOf: (key: ContainerKey) => Promise<readonly string[]>;
  /** Hosts to which hooks may send requests, besides their pods. */
  readonly allowedHosts: readonly string[];
  /** Marks the controllers' writes for the webhook; null: none is served. */
  readonly webhookKey: string | null;
  readonly observe: (event: ObservedEvent) => void;
  readonly observeController: Observe;
}

export interface OpenControllers {
  readonly controllers: readonly Controller[];
  /** The cache that a ready process has filled. */
  readonly cache: { readonly hasSynced: boolean };
}

export type ControllersOf = (world: ControllersWorld) => OpenControllers;

export interface LifecycleMetrics extends Exposed {
  readonly observe: (event: ObservedEvent) => void;
  readonly observeController?: Observe;
}

export type MetricsOf = (cacheOf: CacheOf) => LifecycleMetrics;

export type TracesOf = (
  cacheOf: CacheOf,
  add: (span: Span) => void,
) => (event: ObservedEvent) => void;

/** The events that cached objects still show; those of ends before `sinceMs` (wall clock) are left out. */
export type RecordedEventsOf = (cacheOf: CacheOf, sinceMs: number) => readonly ObservedEvent[];

/** The API server's way to the webhook. `authority`: PEM, the CA that it trusts. */
export interface Registration {
  readonly client: WebhookClient;
  readonly authority: string;
}

export interface WebhookWorld {
  readonly client: KubeClient;
  /** Verifies which writes are the controllers'. */
  readonly key: string;
  readonly ask: AskAccess;
  /** Receives what the webhooks answer, for metrics and logs. */
  readonly report?: (event: ObservedEvent) => void;
  /** Absent: no controller runs in this process. */
  readonly cacheOf?: CacheOf;
}

export interface WebhookPart {
  /** The name of its configurations. */
  readonly name: string;
  readonly mutating?: (to: Registration) => MutatingWebhookConfiguration;
  readonly validating: (to: Registration) => ValidatingWebhookConfiguration;
  readonly routes: (world: WebhookWorld) => AdmissionRoutes;
}
