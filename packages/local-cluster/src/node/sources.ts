/** Reads the ConfigMaps and Secrets that a container or a volume refers to. */
import type { WatchAny } from '../../../../src/controller/shared-informers.ts';
import { isReason } from '../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import type { KubeObject, Resource } from '../../../../src/kube/object.ts';
import { configMaps, secrets } from '../../../../src/kube/resources.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';

type SourceKind = 'configmap' | 'secret';

export interface SourceReference {
  readonly kind: SourceKind;
  readonly name: string;
}

/** The reference to the object of this name; empty without a name. */
export function referenceTo(kind: SourceKind, name: string | undefined): SourceReference[] {
  return name === undefined ? [] : [{ kind, name }];
}

/** Values by key, as bytes; undefined if the object does not exist. */
export type SourceData = ReadonlyMap<string, Uint8Array> | undefined;

export class Sources {
  readonly #found: ReadonlyMap<string, SourceData>;

  constructor(found: ReadonlyMap<string, SourceData>) {
    this.#found = found;
  }

  data({ kind, name }: SourceReference): SourceData {
    return this.#found.get(`${kind}/${name}`);
  }

  text(reference: SourceReference, key: string): string | undefined {
    const bytes = this.data(reference)?.get(key);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }
}

/** Reads each object only once, even if it is referenced several times. */
export async function readSources(
  client: KubeClient,
  namespace: string,
  references: readonly SourceReference[],
): Promise<Sources> {
  const found = new Map<string, SourceData>();
  for (const { kind, name } of references) {
    const key = `${kind}/${name}`;
    if (!found.has(key)) found.set(key, await readSource(client, namespace, { kind, name }));
  }
  return new Sources(found);
}

async function readSource(
  client: KubeClient,
  namespace: string,
  { kind, name }: SourceReference,
): Promise<SourceData> {
  try {
    if (kind === 'secret') {
      const secret = await client.get(secrets, { namespace, name });
      return new Map(
        Object.entries(secret.data ?? {}).map(([key, text]) => [key, fromBase64(text)]),
      );
    }
    const map = await client.get(configMaps, { namespace, name });
    const texts = Object.entries(map.data ?? {}).map(([key, text]) => [key, utf8(text)] as const);
    const binary = Object.entries(map.binaryData ?? {}).map(
      ([key, text]) => [key, fromBase64(text)] as const,
    );
    return new Map([...texts, ...binary]);
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

interface SourceListener {
  sourceChanged(namespace: string, source: SourceReference): void;
}

/**
 * Watches ConfigMaps and Secrets until the signal aborts, so that volumes are updated at once. Rejects if a watch fails
 * or ends earlier. It keeps no objects: a volume reads the few that it needs from the API again.
 */
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
