/** Draws a random pod, and the behaviour of its programs. It never draws a pod that Kubernetes would refuse. */
import type { Container, LifecycleHandler, Pod, Probe } from 'kubernetes-types/core/v1.js';

import type { Faults, PhasesOf } from '../faults.ts';
import type { Random } from '../random.ts';
import type { PodPhase } from './phases.ts';
import type { Command, Program, Programs } from './sim-runtime.ts';

export interface RandomPod {
  readonly pod: Pod;
  readonly programs: Programs;
}

/** The faults that the programs of a pod may meet, and the phases that decide which of them fit. */
export interface PodFaults {
  readonly faults: Faults;
  /** Current phases of a container. */
  readonly phasesOf: (container: string) => readonly string[];
}

export function randomPod(random: Random, faults: PodFaults): RandomPod {
  const graceSeconds = random.pick([0, 1, 2, 3, 5, 10, 20, 30, 40]);
  const inits = Array.from({ length: random.pick([0, 0, 1, 2, 3]) }, (_, index) =>
    random.chance(0.5)
      ? { name: `init${index}` }
      : { ...randomContainer(`side${index}`, graceSeconds, random), restartPolicy: 'Always' },
  );
  const mains = Array.from({ length: random.pick([1, 1, 2]) }, (_, index) =>
    randomContainer(`main${index}`, graceSeconds, random),
  );
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'pod', namespace: 'default', uid: 'u' },
    spec: {
      restartPolicy: random.pick(['Always', 'OnFailure', 'Never']),
      terminationGracePeriodSeconds: graceSeconds,
      ...(random.chance(0.1) ? { activeDeadlineSeconds: random.between(5, 60) } : {}),
      ...(inits.length === 0 ? {} : { initContainers: inits }),
      containers: mains,
    },
  };
  const all = [...inits, ...mains].map(({ name }) => name);
  const programs = Object.fromEntries(
    all.map((name) => [
      name,
      randomProgram({ name, random, ...faults, phases: () => faults.phasesOf(name) }),
    ]),
  );
  return { pod, programs };
}

/** A random sidecar, which a webhook can add. */
export function randomSidecar(name: string, graceSeconds: number, random: Random): Container {
  return { ...randomContainer(name, graceSeconds, random), restartPolicy: 'Always' };
}

function randomContainer(name: string, graceSeconds: number, random: Random): Container {
  const postStart = random.chance(0.3) ? randomHandler('postStart', name, random) : null;
  const preStop = random.chance(0.6) ? randomHandler('preStop', name, random) : null;
  if (preStop?.sleep !== undefined) {
    preStop.sleep.seconds = Math.min(preStop.sleep.seconds, graceSeconds);
  }
  const lifecycle = {
    ...(postStart === null ? {} : { postStart }),
    ...(preStop === null ? {} : { preStop }),
  };
  return {
    name,
    ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
    ...randomProbes(name, random),
  };
}

function randomProbes(name: string, random: Random): Partial<Container> {
  const probe = (kind: ProbeKind): Probe => ({
    ...randomProbe(kind, random),
    ...randomCheckOf(name, kind, random.fork(`${kind} of ${name}`)),
  });
  return {
    ...(random.chance(0.2) ? { startupProbe: probe('startup') } : {}),
    ...(random.chance(0.3) ? { livenessProbe: probe('liveness') } : {}),
    ...(random.chance(0.3) ? { readinessProbe: probe('readiness') } : {}),
  };
}

type ProbeKind = 'startup' | 'liveness' | 'readiness';
const KINDS: readonly ProbeKind[] = ['startup', 'liveness', 'readiness'];

/** A random check: a command, or a connection to a port that no other probe of the pod uses. */
function randomCheckOf(name: string, kind: ProbeKind, random: Random): Probe {
  if (random.chance(0.7)) return { exec: { command: [kind] } };
  const port =
    1_000 +
    100 * name.charCodeAt(0) +
    10 * (name.charCodeAt(name.length - 1) % 10) +
    KINDS.indexOf(kind);
  return { tcpSocket: { port, ...(random.chance(0.5) ? { host: 'db.example.com' } : {}) } };
}

function randomHandler(point: string, name: string, random: Random): LifecycleHandler {
  switch (random.pick(['exec', 'exec', 'exec', 'sleep', 'sleep', 'httpGet', 'invalid'])) {
    case 'exec':
      return { exec: { command: [point] } };
    case 'sleep':
      return { sleep: { seconds: random.between(0, point === 'postStart' ? 5 : 40) } };
    case 'httpGet':
      return { httpGet: { port: 80, path: `/${point}/${name}` } };
    default:
      return { tcpSocket: { port: 80 } };
  }
}

function randomProbe(kind: ProbeKind, random: Random): Probe {
  const own = kind !== 'readiness' && random.chance(0.3);
  return {
    initialDelaySeconds: random.between(0, 3),
    periodSeconds: random.between(1, 5),
    failureThreshold: random.between(1, 3),
    ...(kind === 'readiness' ? { successThreshold: random.between(1, 3) } : {}),
    ...(own ? { terminationGracePeriodSeconds: random.between(1, 10) } : {}),
  };
}

export interface ProgramDice {
  /** Name of the container. */
  readonly name: string;
  readonly random: Random;
  readonly faults: Faults;
  readonly phases: PhasesOf;
}

/** The phase in which a missing program is noticed: while its container starts. */
const OF_START = (): readonly PodPhase[] => ['starting'];

const OF_PROBE = (): readonly PodPhase[] => ['running'];

/**
 * Returns a function that draws the program for each run of the container. Fixed traits are the same in all runs, but
 * results differ.
 */
export function randomProgram(dice: ProgramDice): () => Program {
  const { name, random, faults } = dice;
  const exits = name.startsWith('init') ? 0.95 : random.pick([0, 0.3, 0.8]);
  const longestRun = name.startsWith('init') ? 5 : random.pick([3, 20, 90]);
  const failing = random.pick([0, 0.2, 0.5]);
  const brokenness = random.chance(0.1) ? 0.4 : 0;
  const onTerm = random.pick([0, 0.3, 2.5, 8, 'never' as const]);
  const health = random.pick([0.5, 0.9, 1]);
  return () => ({
    ...(faults.of('program missing', name).chance(random, brokenness, OF_START)
      ? { broken: 'no such program' }
      : {}),
    ...(random.chance(exits) ? { exitsAfter: random.fraction() * longestRun } : {}),
    exitCode: random.chance(failing) ? random.between(1, 130) : 0,
    onTerm,
    commands: {
      postStart: () => {
        const call = { point: 'postStart', longest: 3, failing: 0.2, hanging: 0.05 };
        return randomCall(dice, call);
      },
      preStop: () => {
        const longest = random.pick([3, 30]);
        return randomCall(dice, { point: 'preStop', longest, failing, hanging: 0.1 });
      },
      startup: () => randomCheck(dice, 'startup', health),
      liveness: () => randomCheck(dice, 'liveness', health),
      readiness: () => randomCheck(dice, 'readiness', health),
    },
  });
}

interface Call {
  readonly point: string;
  /** Maximum duration in seconds. */
  readonly longest: number;
  readonly failing: number;
  readonly hanging: number;
}

function randomCall(
  { name, random, faults, phases }: ProgramDice,
  { point, longest, failing, hanging }: Call,
): Command {
  if (faults.of(`${point} hangs`, name).chance(random, hanging, phases)) return { takes: Infinity };
  const takes = random.fraction() * longest;
  return {
    takes,
    exitCode: faults.of(`${point} fails`, name).chance(random, failing, phases) ? 1 : 0,
  };
}

/** A check of a probe at random. A slow one takes longer than the probe's timeout of one second. */
function randomCheck({ name, random, faults }: ProgramDice, kind: string, health: number): Command {
  const isSlow = faults.of('probe slow', `${kind} ${name}`).chance(random, 0.05, OF_PROBE);
  const takes = isSlow ? 3 : random.fraction() * 0.3;
  const fails = faults
    .of('probe fails', `${kind} ${name}`)
    .decides(!random.chance(health), null, OF_PROBE);
  return { takes, exitCode: fails ? 1 : 0 };
}
