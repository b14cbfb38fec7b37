/** The sample controller in one process, from its start to its end. */
import { LeaseElection } from '../../../src/controller/lease.ts';
import type { Leadership } from '../../../src/controller/leadership.ts';
import { type Election, runManager } from '../../../src/controller/manager.ts';
import { SharedInformers } from '../../../src/controller/shared-informers.ts';
import type { Random } from '../random.ts';
import { type Judge, LEASE } from './judge.ts';
import { RetryJudge } from './judge-retries.ts';
import type { SharedJudge } from './judge-shared.ts';
import { makeSampleController } from './sample-controller.ts';
import type { SimApi } from './sim-api.ts';
import { makeSimClient, type NetworkFaults, noNetworkFaults } from './sim-client.ts';
import type { SimHost } from './sim-host.ts';
import { makeSimWatch, noWatchFaults, type WatchFaults } from './sim-watch.ts';
import type { SleepingMachine } from './sleeping-machine.ts';
import { stoppedInPasses } from './stops-in-passes.ts';

const networkFaults: NetworkFaults = {
  refused: 0.03,
  tooMany: 0.03,
  conflict: 0.04,
  requestLost: 0.02,
  answerLost: 0.03,
  slow: 0.03,
};
const watchFaults: WatchFaults = { relist: 0.03, repeat: 0.05, lag: 0.1 };

export interface SampleProcess {
  readonly api: SimApi;
  readonly host: SimHost;
  readonly machine: SleepingMachine;
  readonly random: Random;
  readonly judge: Judge;
  readonly shared: SharedJudge;
  readonly isFaulty: () => boolean;
  /** Stops it in the middle of a reconcile. */
  readonly stopFor: (ms: number) => void;
  readonly signal: AbortSignal;
}

export async function runSample(sample: SampleProcess): Promise<void> {
  const { api, host, machine, random, judge, shared, isFaulty, stopFor, signal } = sample;
  const client = makeSimClient({
    api,
    host,
    random: random.fork('network'),
    faults: () => (isFaulty() ? networkFaults : noNetworkFaults),
    onSend: (write) => {
      judge.sent(write);
      shared.sent(write);
    },
    onAnswer: (write, answer) => {
      judge.answered(write, answer);
    },
  });
  const watch = makeSimWatch({
    api,
    host,
    random: random.fork('watch'),
    faults: () => (isFaulty() ? watchFaults : noWatchFaults),
  });
  const informers = new SharedInformers({ watch });
  const dice = random.fork('dice');
  const world = { platform: machine, random: (): number => dice.fraction() };
  const retries = new RetryJudge(host.world);
  const controller = makeSampleController({
    ...world,
    client: stoppedInPasses(client, { host, random: random.fork('stops'), isFaulty, stopFor }),
    informers,
    onPass: (key) => judge.beginPass(host.name, key),
    observe: (event) => {
      retries.observe(event);
    },
  });
  const lease = new LeaseElection({ ...world, ...LEASE, client, identity: host.name });
  const election = told(lease, ({ token }) => {
    judge.beginTerm(host.name, token);
    retries.beginTerm();
  });
  await runManager({ informers, controllers: [controller], election, signal });
}

function told(election: Election, onTerm: (term: Leadership) => void): Election {
  return {
    acquire: async (signal) => {
      const leadership = await election.acquire(signal);
      if (leadership !== null) onTerm(leadership);
      return leadership;
    },
  };
}
