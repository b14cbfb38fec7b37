/** Creates the pod as the API server stores it: the user's request, which foreign webhooks may have changed. */
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { type RandomPod, randomPod, randomProgram, randomSidecar } from './random-pod.ts';
import { admitPod, FOREIGN_CONDITION, SIDECAR } from './webhooks.ts';

export function createPod(
  world: World,
  random: Random,
  phasesOf: (container: string) => readonly string[],
): RandomPod {
  const { faults } = world;
  const { pod, programs } = randomPod(random.fork('pod'), { faults, phasesOf });
  const dice = random.fork('created pod');
  const asked = withGate(withTargets(pod, dice), dice);
  const { terminationGracePeriodSeconds = 0 } = asked.spec ?? {};
  const sidecar = (): Container => randomSidecar(SIDECAR, terminationGracePeriodSeconds, dice);
  const program = randomProgram({
    name: SIDECAR,
    random: random.fork(SIDECAR),
    faults,
    phases: () => phasesOf(SIDECAR),
  });
  const admitted = admitPod(asked, { world, random: random.fork('admission'), sidecar });
  return { pod: admitted, programs: { ...programs, [SIDECAR]: program } };
}

/** Adds a host and a port to the HTTP hooks, in each form that the API permits. */
function withTargets(pod: Pod, dice: Random): Pod {
  const { spec } = pod;
  if (spec === undefined) return pod;
  return {
    ...pod,
    spec: { ...spec, containers: spec.containers.map((one) => withTarget(one, dice)) },
  };
}

function withTarget(container: Container, dice: Random): Container {
  const { postStart, preStop } = container.lifecycle ?? {};
  for (const handler of [postStart, preStop]) {
    if (handler?.httpGet === undefined) continue;
    const host = dice.pick([undefined, undefined, '127.0.0.1', '10.0.0.7']);
    const port = dice.pick<number | string>([80, '80', 'web']);
    Object.assign(handler.httpGet, { port, ...(host === undefined ? {} : { host }) });
  }
  return { ...container, ports: [{ name: 'web', containerPort: 8_080 }] };
}

function withGate(pod: Pod, dice: Random): Pod {
  const { spec } = pod;
  if (spec === undefined || !dice.chance(0.1)) return pod;
  return { ...pod, spec: { ...spec, readinessGates: [{ conditionType: FOREIGN_CONDITION }] } };
}
