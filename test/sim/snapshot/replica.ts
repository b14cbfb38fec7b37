/** One process with the snapshot controllers on its own machine, from its start to its death. */
import type {
  AdmissionRequest,
  Verdict,
} from '../../../src/controller/admission/admission-review.ts';
import type { AdmissionJudge } from '../../../src/controller/admission/admission-service.ts';
import type { Controller } from '../../../src/controller/controller.ts';
import { EventRecorder } from '../../../src/controller/event-recorder.ts';
import type { Informer } from '../../../src/controller/informer.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { makeSnapshotController } from '../../../src/lifecycles/snapshot/app/drive.ts';
import type { SnapshotContext } from '../../../src/lifecycles/snapshot/context.ts';
import { guardJudge } from '../../../src/lifecycles/snapshot/guard/guard-world.ts';
import { makeGuardController } from '../../../src/lifecycles/snapshot/guard/drive.ts';
import { makeHookController } from '../../../src/lifecycles/snapshot/hook/hook-controller.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { asError } from '../../../src/platform/error-text.ts';
import { ReplicaProcess, type ReplicaWorld } from '../controller/replica-process.ts';
import type { ReplicaStart } from '../controller/replicas.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import { SimHost } from '../controller/sim-host.ts';
import { networkTrouble } from '../controller/troubles.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Account, Command, Verb } from './account.ts';
import type { Trouble } from './faults.ts';
import type { HookPlan } from './hook-plans.ts';
import type { HookViews } from './hook-views.ts';
import { SimAccess, type TagFor } from './sim-access.ts';
import type { SimCluster } from './sim-cluster.ts';

/** Wraps the client of the controllers. The wrapper may answer in place of the server, or not at all. */
export type ChangeClient = (client: KubeClient, host: SimHost) => KubeClient;

/** The simulated world around the process. */
export interface Surroundings {
  readonly world: World;
  readonly api: SimApi;
  readonly cluster: SimCluster;
  readonly account: Account;
  readonly planOf: (tag: string) => HookPlan;
  /** Finds the tag of a command that several hooks share; absent: the tag in the command counts. */
  readonly tagFor?: TagFor;
  /** True if the process serves the webhook of guards. */
  readonly isGuarding?: boolean;
  readonly has: (trouble: Trouble) => boolean;
  /** Phases in which a command of the hook with this tag counts. */
  readonly phasesOf: (verb: Verb, tag: string) => readonly string[];
  readonly isStuck: (pod: string) => boolean;
  readonly onSend: (command: Command) => void;
  /** Absent: the client stays unchanged. */
  readonly changeClient?: ChangeClient;
  readonly onWrite: (write: SimWrite) => void;
  /** Records the result of each write as the process sees it. */
  readonly views: () => Pick<HookViews, 'answered' | 'unread'>;
  /** Called at a moment at which the process may die. */
  readonly onMoment: (replica: Replica) => void;
}

/** Milliseconds; longer than a process leads without the server. */
const LONGEST_COMMAND_MS = 20_000;

export class Replica {
  readonly host: SimHost;
  readonly #around: Surroundings;
  readonly #access: { freezing: SimAccess; thawing: SimAccess };
  readonly #process: ReplicaProcess;
  readonly #hasCache: boolean;
  #judge: AdmissionJudge | null = null;

  constructor(around: Surroundings, start: ReplicaStart) {
    this.#around = around;
    const { world, api, has } = around;
    this.host = new SimHost({ ...start, world });
    this.#hasCache = start.random.fork('webhook cache').chance(0.5);
    this.#access = {
      freezing: this.#makeAccess(start.random.fork('freezing')),
      thawing: this.#makeAccess(start.random.fork('thawing')),
    };
    this.#process = new ReplicaProcess({
      ...start,
      host: this.host,
      api,
      hasNetworkTrouble: () => has('network'),
      networkTrouble,
      client: {
        onSend: (write) => {
          around.onWrite(write);
          around.onMoment(this);
        },
        onAnswer: (write) => {
          around.views().answered(write, null);
          around.onMoment(this);
        },
        onRefusal: (write, refusal) => {
          around.views().answered(write, refusal);
        },
        onUnread: (read) => {
          around.views().unread(read);
        },
      },
      controllers: (context) => this.#controllers(context),
      onEnd: (end) => {
        this.#breakOff(
          end === 'killed' ? start.random.pick(['reset', 'reset', 'silence']) : 'reset',
        );
        start.onEnd();
      },
    });
  }

  kill(): void {
    this.#process.kill();
  }

  askToStop(): void {
    this.#process.askToStop();
  }

  /**
   * Calls the webhook of the guards. `signal` is aborted when the API server disconnects. Never settles if there is no
   * answer.
   */
  review(request: AdmissionRequest, signal: AbortSignal): Promise<Verdict> {
    const { host } = this;
    const end = new AbortController();
    signal.addEventListener('abort', () => {
      host.deliver(() => {
        end.abort();
      });
    });
    return new Promise((resolve, reject) => {
      if (host.isCutOff) return;
      host.deliver(() => {
        void this.#answer(request, end.signal, { resolve, reject });
      });
    });
  }

  async #answer(
    request: AdmissionRequest,
    signal: AbortSignal,
    { resolve, reject }: { resolve: (verdict: Verdict) => void; reject: (error: Error) => void },
  ): Promise<void> {
    const { host } = this;
    const mayAnswer = (): boolean => host.process.alive && !host.isCutOff;
    try {
      if (this.#judge === null) throw new Error('the webhook does not listen yet');
      const verdict = await this.#judge(request, signal);
      if (mayAnswer()) resolve(verdict);
    } catch (error) {
      if (mayAnswer()) reject(asError(error));
    }
  }

  /** Disconnects the process from the server and from all containers. */
  cutOffFor(ms: number): void {
    this.host.cutOffFor(ms);
    this.#breakOff('silence');
  }

  #breakOff(how: 'reset' | 'silence'): void {
    this.#access.freezing.breakOff(how);
    this.#access.thawing.breakOff(how);
  }

  #controllers(world: ReplicaWorld): readonly Controller[] {
    const context: SnapshotContext = {
      ...world,
      client: this.#around.changeClient?.(world.client, this.host) ?? world.client,
      scope: {},
      recorder: new EventRecorder({ ...world, client: deafClient(world.client), component: 'sim' }),
      freezing: this.#access.freezing.access,
      thawing: this.#access.thawing.access,
      observe: () => {},
      observeController: () => {},
    };
    const controllers = [makeHookController(context), makeSnapshotController(context)];
    if (this.#around.isGuarding !== true) return controllers;
    this.#judge = guardJudge({ ...context, cache: this.#cacheOf(context) });
    return [...controllers, makeGuardController(context)];
  }

  /** Half of the webhooks have no cache of windows, like a webhook in a process without controllers. */
  #cacheOf({ informers, scope }: SnapshotContext): Informer<ApplicationSnapshot> | undefined {
    return this.#hasCache ? informers.of(applicationSnapshots, { scope }) : undefined;
  }

  #makeAccess(random: Random): SimAccess {
    const { cluster, account, planOf, tagFor, has, phasesOf, isStuck, onSend, onMoment } =
      this.#around;
    return new SimAccess({
      host: this.host,
      random,
      cluster,
      account,
      planOf,
      tagFor: tagFor ?? ((tag) => tag),
      onSend,
      isFaulty: () => has('exec'),
      phasesOf,
      longestMs: () => (has('serverCuts') ? LONGEST_COMMAND_MS : 0),
      isStuck,
      onMoment: () => {
        onMoment(this);
      },
    });
  }
}

/** A client that sends no Kubernetes Events, since no judge reads them. */
function deafClient(client: KubeClient): KubeClient {
  return {
    ...client,
    create: (_resource, object) => Promise.resolve(object),
    patch: <T>() => Promise.resolve({} as T),
  };
}
