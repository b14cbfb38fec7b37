/** One process with the controllers of this lifecycle on a machine of its own, from its start to its death. */
import type { Controller } from '../../../src/controller/controller.ts';
import { EventRecorder } from '../../../src/controller/event-recorder.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { makeSnapshotController } from '../../../src/lifecycles/snapshot/app/snapshot-controller.ts';
import type { SnapshotContext } from '../../../src/lifecycles/snapshot/context.ts';
import { makeHookController } from '../../../src/lifecycles/snapshot/hook/hook-controller.ts';
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
import type { HookPlan } from './scene.ts';
import { SimAccess } from './sim-access.ts';
import type { SimCluster } from './sim-cluster.ts';

/** The client of the controllers: it may answer for the server, or not at all. */
export type ChangeClient = (client: KubeClient, host: SimHost) => KubeClient;

/** The world around it. */
export interface Surroundings {
  readonly world: World;
  readonly api: SimApi;
  readonly cluster: SimCluster;
  readonly account: Account;
  readonly planOf: (tag: string) => HookPlan;
  readonly has: (trouble: Trouble) => boolean;
  /** Of a command of the hook with this tag. */
  readonly phasesOf: (verb: Verb, tag: string) => readonly string[];
  readonly isStuck: (pod: string) => boolean;
  readonly onSend: (command: Command) => void;
  /** Absent: as it is. */
  readonly changeClient?: ChangeClient;
  readonly onWrite: (write: SimWrite) => void;
  /** What a write has come to, as its process hears it; null: it is taken. */
  readonly onAnswer: (write: SimWrite, refusal: Error | null) => void;
  /** A moment at which it may die. */
  readonly onMoment: (replica: Replica) => void;
}

/** Longer than a term of the Lease lasts without the server. */
const LONGEST_COMMAND_MS = 20_000;

export class Replica {
  readonly host: SimHost;
  readonly #around: Surroundings;
  readonly #access: { freezing: SimAccess; thawing: SimAccess };
  readonly #process: ReplicaProcess;

  constructor(around: Surroundings, start: ReplicaStart) {
    this.#around = around;
    const { world, api, has } = around;
    this.host = new SimHost({ ...start, world });
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
          around.onAnswer(write, null);
          around.onMoment(this);
        },
        onRefusal: (write, refusal) => {
          around.onAnswer(write, refusal);
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

  /** Neither the server nor a container can be reached. */
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
    return [makeHookController(context), makeSnapshotController(context)];
  }

  #makeAccess(random: Random): SimAccess {
    const { cluster, account, planOf, has, phasesOf, isStuck, onSend, onMoment } = this.#around;
    return new SimAccess({
      host: this.host,
      random,
      cluster,
      account,
      planOf,
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

/** Kubernetes Events are told on the side: nobody here looks at them. */
function deafClient(client: KubeClient): KubeClient {
  return {
    ...client,
    create: (_resource, object) => Promise.resolve(object),
    patch: <T>() => Promise.resolve({} as T),
  };
}
