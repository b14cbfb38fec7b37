/** The types of the parts that each lifecycle adds to shared commands; the table of parts is in `lifecycles.ts`. */
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
  /** The heading in the help under which the commands are listed. */
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
  /** Reads facts, and changes nothing. */
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
  /** True: stop the cluster without a thaw. */
  readonly leaveFrozen?: boolean;
  /** Milliseconds that the thaw may take. */
  readonly thawTimeout: number;
}

/**
 * The checks and actions of a lifecycle before the local cluster stops. Both functions reject if the cluster must not
 * stop.
 */
export interface StopPart {
  readonly beforeStop: (running: RunningCluster, options: StopOptions) => Promise<void>;
  /** Checks a cluster that was killed. `folder`: its state directory, which this process has locked. */
  readonly refuseStop: (folder: string, options: StopOptions) => Promise<void>;
}

export interface UninstallPart {
  /** The kinds whose objects have finalizers, in the order in which these objects are deleted. */
  readonly ended: readonly EndedKind[];
  /** Kinds that the controllers still read until the work of the `ended` kinds has ended. */
  readonly records: readonly Resource[];
  readonly gather: (client: KubeClient, scope: StandingScope) => Promise<StandingPart>;
}

/**
 * A kind whose objects have finalizers. The controllers remove the finalizers once the work of the objects has ended.
 */
export interface EndedKind {
  readonly resource: Resource;
  /**
   * Saves what users keep of these objects, which are about to be deleted. Idempotent. Resolves with lines that say
   * what was saved.
   */
  readonly keep?: (
    client: KubeClient,
    scope: StandingScope,
    objects: readonly KubeObject[],
  ) => Promise<readonly string[]>;
}

/** The objects of one lifecycle in a cluster from which Lifehook is about to be removed. */
export interface StandingPart {
  /** One line for each object that must be finished or deleted before the kinds can be deleted. */
  readonly holds: readonly string[];
  /** One line for each object that the uninstall changes, such as a held Deployment that gets another template. */
  readonly afterwards?: (releaseHeld: boolean) => readonly string[];
  /** Lets held templates start without their hooks. */
  readonly release?: () => Promise<void>;
}

/** Returns the cache of a kind in this process. Call it only after the controllers were constructed. */
export type CacheOf = <T extends KubeObject>(resource: Resource<T>) => Informer<T>;

/** The dependencies of the controllers of any lifecycle. */
export interface ControllersWorld {
  readonly connection: KubeConnection;
  /** Opens a connection with separate sockets. */
  readonly connect: () => KubeConnection;
  readonly client: KubeClient;
  readonly platform: Platform;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly informers: SharedInformers;
  readonly scope: WatchScope;
  readonly recorder: EventRecorder;
  readonly secretsOf: (key: ContainerKey) => Promise<readonly string[]>;
  /** Hosts to which hooks may send requests, besides their pods. */
  readonly allowedHosts: readonly string[];
  /** Marks the controllers' writes for the webhook; null: no webhook is served. */
  readonly webhookKey: string | null;
  readonly observe: (event: ObservedEvent) => void;
  readonly observeController: Observe;
}

export interface OpenControllers {
  readonly controllers: readonly Controller[];
  /** The cache that must be filled before the process is ready. */
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

/** The events that cached objects still show. Events that ended before `sinceMs` (wall clock) are left out. */
export type RecordedEventsOf = (cacheOf: CacheOf, sinceMs: number) => readonly ObservedEvent[];

/** How the API server reaches the webhook. `authority`: the CA that the API server trusts, in PEM. */
export interface Registration {
  readonly client: WebhookClient;
  readonly authority: string;
}

export interface WebhookWorld {
  readonly client: KubeClient;
  /** The key by which the webhook recognises writes of the controllers. */
  readonly key: string;
  readonly ask: AskAccess;
  /** Receives the events of answered admission requests, for metrics and logs. */
  readonly report?: (event: ObservedEvent) => void;
  /** Absent: no controller runs in this process. */
  readonly cacheOf?: CacheOf;
}

export interface WebhookPart {
  /** The name of the lifecycle's webhook configurations. */
  readonly name: string;
  readonly mutating?: (to: Registration) => MutatingWebhookConfiguration;
  readonly validating: (to: Registration) => ValidatingWebhookConfiguration;
  readonly routes: (world: WebhookWorld) => AdmissionRoutes;
}
