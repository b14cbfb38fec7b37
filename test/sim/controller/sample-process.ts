/** Runs the sample controller in one process, from its start to its exit. */
import { EventRecorder } from '../../../src/controller/event-recorder.ts';
import { LeaseElection } from '../../../src/controller/lease.ts';
import type { Leadership } from '../../../src/controller/leadership.ts';
import { type Election, runManager } from '../../../src/controller/manager.ts';
import { SharedInformers } from '../../../src/controller/shared-informers.ts';
import { configMaps } from '../../../src/kube/resources.ts';
import type { Random } from '../random.ts';
import { type Judge, LEASE } from './judge.ts';
import type { ChildJudge } from './judge-children.ts';
import { EventJudge } from './judge-events.ts';
import { LeaseJudge } from './judge-lease.ts';
import { RetryJudge } from './judge-retries.ts';
import type { SharedJudge } from './judge-shared.ts';
import { PASS_TIMEOUT_MS, TimeJudge } from './judge-times.ts';
import { WaitJudge } from './judge-waits.ts';
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
  readonly children: ChildJudge;
  readonly isFaulty: () => boolean;
  /** Suspends the process in the middle of a reconcile, for a time in milliseconds. */
  readonly stopFor: (ms: number) => void;
  readonly signal: AbortSignal;
}

export async function runSample(sample: SampleProcess): Promise<void> {
  const { api, host, machine, random, judge, shared, children, isFaulty, stopFor, signal } = sample;
  const waits = new WaitJudge(host.world);
  const networkNow = (): NetworkFaults => (isFaulty() ? networkFaults : noNetworkFaults);
  const client = makeSimClient({
    api,
    host,
    random: random.fork('network'),
    faults: networkNow,
    resets: 0.5,
    onSend: (write) => {
      judge.sent(write);
      shared.sent(write);
      children.sent(write);
    },
    onEffect: (write, result) => {
      children.applied(write, result);
    },
    onAnswer: (write, answer) => {
      judge.answered(write, answer);
      children.answered(write, answer);
      waits.answered(write, answer);
    },
    onRefusal: (write, refusal) => {
      judge.refused(write, refusal);
      waits.refused(write, refusal);
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
  const times = new TimeJudge(host, machine.clock);
  const events = eventsOf(sample, networkNow);
  const controller = makeSampleController({
    ...world,
    client: stoppedInPasses(client, { host, random: random.fork('stops'), isFaulty, stopFor }),
    informers,
    events,
    passTimeoutMs: PASS_TIMEOUT_MS,
    onPass: (key) => judge.beginPass(host.name, key),
    observe: (event) => {
      retries.observe(event);
      times.observe(event);
      waits.observe(event);
    },
  });
  informers.of(configMaps).listen((change) => {
    waits.changed(change);
  });
  const isReconciling = (): boolean => judge.reconciles(host.name);
  const ofLease = new LeaseJudge({ host, api, lease: LEASE, signal, isReconciling });
  const lease = new LeaseElection({
    ...world,
    ...LEASE,
    client: ofLease.watching(client),
    identity: host.name,
    observe: (event) => {
      ofLease.observe(event);
    },
  });
  const election = reported(lease, ({ token }) => {
    judge.beginTerm(host.name, token);
    retries.beginTerm();
    times.beginTerm();
  });
  await runManager({ informers, controllers: [controller], election, signal });
  await events.stop();
  ofLease.ended();
}

function eventsOf(
  { api, host, machine, random }: SampleProcess,
  faults: () => NetworkFaults,
): EventRecorder {
  const ofEvents = new EventJudge(host.world);
  const network = random.fork('network of events');
  const dice = random.fork('events');
  return new EventRecorder({
    platform: machine,
    random: () => dice.fraction(),
    component: 'sample',
    client: ofEvents.watching(makeSimClient({ api, host, random: network, faults })),
    observe: (event) => {
      ofEvents.observe(event);
    },
  });
}

function reported(election: Election, onTerm: (term: Leadership) => void): Election {
  return {
    acquire: async (signal) => {
      const leadership = await election.acquire(signal);
      if (leadership !== null) onTerm(leadership);
      return leadership;
    },
  };
}
