/** Finds the pods of a service, their addresses and ports, and whether they may receive connections. Pure. */
import type { Container, Pod, Service, ServicePort } from 'kubernetes-types/core/v1.js';

import type { ObjectMeta } from '../../../../../src/kube/object.ts';
import { byNamespace, ownKey } from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { keyOf } from '../../../../../src/controller/object-key.ts';
import { type Source, watched } from '../../../../../src/controller/source.ts';
import { pods, services } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { hasEnded, isReady } from '../../../../../src/kube/pod-state.ts';

/** A container with the field `restartPolicy`, which the type library lacks. */
type InitContainer = Container & { readonly restartPolicy?: string };

export interface BackendPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

export interface Backend {
  readonly ip: string;
  readonly ports: readonly BackendPort[];
  readonly nodeName?: string;
  readonly hostname?: string;
  readonly pod: { readonly name: string; readonly namespace: string; readonly uid: string };
  /**
   * True if the pod may get new connections: it serves and is not terminating, or the service publishes addresses that
   * are not ready.
   */
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** True if controllers maintain the addresses of the service; otherwise a user does. */
export function selects({ spec }: Service): boolean {
  return spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;
}

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === 'None';
}

export function matches(
  { spec, metadata }: Service,
  pod: { readonly metadata?: { namespace?: string; labels?: Record<string, string> } },
): boolean {
  if (metadata?.namespace !== pod.metadata?.namespace) return false;
  const labels = pod.metadata?.labels ?? {};
  return Object.entries(spec?.selector ?? {}).every(([name, value]) => labels[name] === value);
}

export function backendsOf(service: Service, selected: readonly Pod[]): readonly Backend[] {
  return selected.flatMap((pod) => backendOf(service, pod) ?? []);
}

function backendOf(service: Service, pod: Pod): Backend | null {
  const ip = pod.status?.podIP ?? '';
  if (ip === '' || hasEnded(pod)) return null;
  return { ip, ports: portsOf(service, pod), ...placeOf(service, pod), ...stateOf(service, pod) };
}

function placeOf(
  service: Service,
  { metadata, spec }: Pod,
): Pick<Backend, 'nodeName' | 'hostname' | 'pod'> {
  const { nodeName, hostname = '', subdomain } = spec ?? {};
  const named = hostname !== '' && subdomain === service.metadata?.name;
  return {
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(named ? { hostname } : {}),
    pod: identityOf(metadata),
  };
}

function identityOf({ name = '', namespace = '', uid = '' }: ObjectMeta = {}): Backend['pod'] {
  return { name, namespace, uid };
}

function stateOf({ spec }: Service, pod: Pod): Pick<Backend, 'ready' | 'serving' | 'terminating'> {
  const publish = spec?.publishNotReadyAddresses === true;
  const terminating = pod.metadata?.deletionTimestamp !== undefined;
  const serving = isReady(pod);
  return { ready: publish || (serving && !terminating), serving, terminating };
}

/** Ports of a pod. One that lacks a named port is still a backend for the other ports. */
function portsOf({ spec }: Service, pod: Pod): readonly BackendPort[] {
  return (spec?.ports ?? []).flatMap((servicePort) => {
    const port = portIn(pod, servicePort);
    if (port === null) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function portIn(pod: Pod, { port, targetPort = port, protocol }: ServicePort): number | null {
  if (typeof targetPort === 'string' && targetPort !== '') {
    return namedPort(pod, { name: targetPort, protocol: protocol ?? 'TCP' });
  }
  return Number(targetPort) === 0 ? port : Number(targetPort);
}

function namedPort(
  { spec }: Pod,
  { name, protocol }: { readonly name: string; readonly protocol: string },
): number | null {
  const containers = [...(spec?.containers ?? []), ...sidecarsOf(spec?.initContainers ?? [])];
  const found = containers
    .flatMap(({ ports = [] }) => ports)
    .find((each) => each.name === name && (each.protocol ?? 'TCP') === protocol);
  return found?.containerPort ?? null;
}

function sidecarsOf(containers: readonly InitContainer[]): readonly InitContainer[] {
  return containers.filter(({ restartPolicy }) => restartPolicy === 'Always');
}

/** The services of the cluster with the pods they select, for both Endpoints and EndpointSlices. */
interface ServicePods {
  readonly services: Informer<Service>;
  readonly sources: readonly Source[];
  readonly podsOf: (service: Service) => readonly Pod[];
}

export function servicePods({ informers }: ControllerContext): ServicePods {
  const indexes = { namespace: byNamespace };
  const ofServices = informers.of<Service>(services, { indexes });
  const ofPods = informers.of<Pod>(pods, { indexes });
  const selecting = (pod: Pod): readonly string[] =>
    ofServices
      .byIndex('namespace', pod.metadata?.namespace ?? '')
      .filter((service) => selects(service) && matches(service, pod))
      .map((service) => keyOf(service));
  return {
    services: ofServices,
    sources: [
      watched({ informer: ofServices, keys: ownKey }),
      watched({ informer: ofPods, keys: selecting }),
    ],
    podsOf: (service) =>
      ofPods
        .byIndex('namespace', service.metadata?.namespace ?? '')
        .filter((pod) => matches(service, pod)),
  };
}
