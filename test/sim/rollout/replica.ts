/** One process with the rollout controllers on its own machine, from its start to its death. */
import type { Controller } from '../../../src/controller/controller.ts';
import type { Note } from '../../../src/controller/event-correlator.ts';
import { rolloutControllers } from '../../../src/lifecycles/rollout/controllers.ts';
import { proveWith } from '../../../src/lifecycles/rollout/gate/write-proof.ts';
import { sleep } from '../../../src/platform/sleep.ts';
import { ReplicaProcess, type ReplicaWorld } from '../controller/replica-process.ts';
import type { ReplicaStart } from '../controller/replicas.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import { SimHost } from '../controller/sim-host.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { rolloutNetworkTrouble, type Trouble } from './faults.ts';
import { KEY } from './gate.ts';
import { NotifyingRecorder } from './notifying-recorder.ts';

/**
 * Probability that a request of a killed process is slow. It is high because a late request matters only if another
 * replica has repeated the work before.
 */
const LINGERING = 0.7;

/** The simulated world around the process. */
export interface Surroundings {
  readonly world: World;
  readonly api: SimApi;
  readonly has: (trouble: Trouble) => boolean;
  readonly hasWebhook: boolean;
  readonly onNote: (note: Note) => void;
  /** Called when the process may die: at a write, or at an answer (null). */
  readonly onMoment: (replica: Replica, write: SimWrite | null) => void;
  /** Called when the process has sent a write, which may be its last one. */
  readonly onWrite: (write: SimWrite) => void;
}

export class Replica {
  readonly host: SimHost;
  readonly #process: ReplicaProcess;

  constructor(around: Surroundings, start: ReplicaStart) {
    const { world, api, has, onMoment, onWrite } = around;
    this.host = new SimHost({ ...start, world });
    this.#process = new ReplicaProcess({
      ...start,
      host: this.host,
      api,
      hasNetworkTrouble: () => has('network'),
      networkTrouble: rolloutNetworkTrouble,
      client: {
        lingering: LINGERING,
        onSend: (write) => {
          onMoment(this, write);
          onWrite(write);
        },
        onAnswer: () => {
          onMoment(this, null);
        },
      },
      controllers: (context, dice) => controllersOf(around, context, dice),
    });
  }

  kill(): void {
    this.#process.kill();
  }

  askToStop(): void {
    this.#process.askToStop();
  }
}

function controllersOf(
  { world, hasWebhook, onNote }: Surroundings,
  context: ReplicaWorld,
  dice: Random,
): readonly Controller[] {
  const host = context.platform;
  return rolloutControllers({
    ...context,
    scope: {},
    recorder: new NotifyingRecorder({ ...context, component: 'sim' }, onNote),
    prove: hasWebhook ? proveWith(KEY) : null,
    readLogTail: () => readLog(host, dice),
    observe: () => {},
    observeController: (event) => {
      if (event.type !== 'PassEnded') return;
      world.note(() => `${host.name}: a pass ends: ${JSON.stringify(event)}`);
    },
  });
}

/** Maximum time that the server takes to send a log, in milliseconds. */
export const SLOW_LOG_MS = 5_000;

async function readLog({ timers }: SimHost, dice: Random): Promise<string> {
  switch (dice.pick(['empty', 'lines', 'lines', 'refused', 'slow'])) {
    case 'empty':
      return '';
    case 'refused':
      throw new Error('the log is gone');
    case 'slow':
      await sleep(timers, SLOW_LOG_MS);
      return 'late';
    default:
      return 'one line\nanother\n';
  }
}
