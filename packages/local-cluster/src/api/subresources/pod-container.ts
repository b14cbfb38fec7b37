/** Which container of a pod is meant, and who runs it. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { objectsAt, textAt } from '../../../../../src/kube/fields.ts';
import type { PodStreams } from '../pod-streams.ts';
import { badRequest, type Named, StatusError } from '../status.ts';

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** The one that is named, or the only one. */
export function containerOf(pod: JsonObject, named: string): string {
  const podName = textAt(pod, 'metadata', 'name');
  const containers = namesAt(pod, 'containers');
  const inits = namesAt(pod, 'initContainers');
  const others = namesAt(pod, 'ephemeralContainers');
  if (named !== '') {
    if ([...containers, ...inits, ...others].includes(named)) return named;
    throw badRequest(`container ${named} is not valid for pod ${podName}`);
  }
  const [only, ...more] = containers;
  if (only !== undefined && more.length === 0) return only;
  const preferred = textAt(pod, 'metadata', 'annotations', DEFAULT_CONTAINER);
  if (containers.includes(preferred)) return preferred;
  const init = inits.length === 0 ? '' : ` or one of the init containers: [${inits.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${podName}, choose one of: [${containers.join(' ')}]${init}`,
  );
}

function namesAt(pod: JsonObject, list: string): string[] {
  return objectsAt(pod, 'spec', list).map((container) => textAt(container, 'name'));
}

export function requireNode(streams: PodStreams | null, what: Named, name: string): PodStreams {
  if (streams !== null) return streams;
  const message = `${what.plural} "${name}" has no node to ask: this cluster was started without one`;
  throw new StatusError({ code: 503, reason: 'ServiceUnavailable', message });
}
