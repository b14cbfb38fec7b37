import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import type { Handler } from '../../../model/hook.ts';
import type { ResolvedAction, ContainerStatus } from '../kinds.ts';

export type HandlerChoice =
  | { readonly handler: Handler }
  /** The reason why the action cannot run on this target, as a sentence. */
  | { readonly problem: string };

/**
 * The handler of an action for one target. The host of httpGet and tcpSocket defaults to the pod's address, and a port
 * may be a port name of the container.
 */
export function handlerOf(
  { exec, httpGet, tcpSocket }: ResolvedAction,
  target: ContainerStatus,
  { namespace, pod }: { readonly namespace: string; readonly pod: Pod | undefined },
): HandlerChoice {
  if (exec !== undefined) {
    const place = { namespace, pod: target.podName, container: target.containerName };
    return { handler: { kind: 'exec', command: exec.command, ...place } };
  }
  const place = placeOf(httpGet ?? tcpSocket ?? { port: 0 }, target, pod);
  if ('problem' in place) return place;
  if (httpGet === undefined) return { handler: { kind: 'tcpSocket', ...place } };
  const { path = '/', scheme = 'HTTP', httpHeaders = [] } = httpGet;
  return { handler: { kind: 'httpGet', scheme, path, httpHeaders, ...place } };
}

function placeOf(
  { host = '', port: named }: { readonly host?: string; readonly port: number | string },
  { podName, containerName }: ContainerStatus,
  pod: Pod | undefined,
): { readonly host: string; readonly port: number } | { readonly problem: string } {
  const port = typeof named === 'number' ? named : portOf(findContainer(pod, containerName), named);
  if (port === null) {
    return { problem: `The container ${containerName} has no port named ${named}.` };
  }
  const address = host === '' ? (pod?.status?.podIP ?? '') : host;
  if (address === '') return { problem: `The pod ${podName} has no address yet.` };
  return { host: address, port };
}

function findContainer(pod: Pod | undefined, container: string): Container | undefined {
  const { containers = [], initContainers = [] } = pod?.spec ?? {};
  return [...initContainers, ...containers].find(({ name }) => name === container);
}

/** The number of a port that is given by name, or as a number in text; null: the container has no such port. */
function portOf(container: Container | undefined, name: string): number | null {
  if (/^\d+$/.test(name)) return Number(name);
  return container?.ports?.find((port) => port.name === name)?.containerPort ?? null;
}
