/**
 * Watches ConfigMaps and Secrets, so that volumes are updated at once. It stores nothing of them: the informers of the
 * controllers store what they need, and a volume reads its few objects again.
 */
import type { WatchAny } from '../../../../src/controller/shared-informers.ts';
import type { KubeObject, Resource } from '../../../../src/kube/object.ts';
import { configMaps, secrets } from '../../../../src/kube/resources.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { SourceKind, SourceReference } from './sources.ts';

export interface SourceListener {
  sourceChanged(namespace: string, source: SourceReference): void;
}

/** Runs until the signal aborts. Rejects if a watch ends without it. */
export async function followSources(
  watch: WatchAny,
  listener: SourceListener,
  signal: CancelSignal,
): Promise<void> {
  const notify =
    (kind: SourceKind) =>
    ({ metadata: { namespace = '', name = '' } = {} }: KubeObject): void => {
      listener.sourceChanged(namespace, { kind, name });
    };
  await Promise.all([
    follow({ watch, resource: configMaps, signal, notify: notify('configmap') }),
    follow({ watch, resource: secrets, signal, notify: notify('secret') }),
  ]);
}

interface Following<T extends KubeObject> {
  readonly watch: WatchAny;
  readonly resource: Resource<T>;
  readonly signal: CancelSignal;
  readonly notify: (object: KubeObject) => void;
}

async function follow<T extends KubeObject>(following: Following<T>): Promise<void> {
  const { watch, resource, signal, notify } = following;
  for await (const event of watch({ resource, scope: {}, signal })) {
    if (signal.aborted) return;
    if (event.type === 'Upsert') notify(event.object);
  }
  if (!signal.aborted) throw new Error(`the watch of ${resource.plural} ended by itself`);
}
