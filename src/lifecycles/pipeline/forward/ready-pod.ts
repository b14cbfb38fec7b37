/** The pod and the port that are meant, of what the cluster shows. Pure. */
import type { Pod, Service } from 'kubernetes-types/core/v1.js';

/** A ready one before one that only runs, the youngest of those; null: none runs. One that is going is not taken. */
export function readyPod(pods: readonly Pod[]): Pod | null {
  const running = pods.filter(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined && status?.phase === 'Running',
  );
  const ready = running.filter((pod) => isReady(pod));
  const [first] = (ready.length > 0 ? ready : running).toSorted((a, b) =>
    bornAt(a) < bornAt(b) ? 1 : -1,
  );
  return first ?? null;
}

function isReady({ status }: Pod): boolean {
  return (
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  );
}

function bornAt({ metadata }: Pod): string {
  return metadata?.creationTimestamp ?? '';
}

/**
 * The pod's port; null: there is none of that name, or none of that number on the service.
 *
 * Worked example: a service with the port {name: http, port: 80, targetPort: web}, a pod whose container names 8080
 * web: "http" and 80 are 8080; on the pod itself "web" and 8080 are 8080.
 */
export function targetPort(
  wanted: number | string,
  pod: Pod,
  service: Service | null,
): number | null {
  if (service === null) return containerPort(wanted, pod);
  const found = service.spec?.ports?.find(({ name, port }) => wanted === port || wanted === name);
  if (found === undefined) return null;
  return containerPort(found.targetPort ?? found.port, pod);
}

function containerPort(wanted: number | string, { spec }: Pod): number | null {
  if (typeof wanted === 'number') return wanted;
  const ports = (spec?.containers ?? []).flatMap(({ ports: own = [] }) => own);
  return ports.find(({ name }) => name === wanted)?.containerPort ?? null;
}
