/**
 * Gathers the current state of the objects that a window admitted.
 *
 * The caches may lag. So an object that should exist by now is read from the server before it counts as missing.
 */
import type { ObjectCache } from '../../../controller/object-cache.ts';
import { keyText } from '../../../controller/object-key.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import type {
  VolumeGroupSnapshot,
  VolumeGroupSnapshotContent,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import type { AdmittedObject, ApplicationSnapshot } from '../kinds.ts';
import { contentOf, type Member, membersOf } from './content-of.ts';
import type { GatherOptions } from './facts.ts';

/** Milliseconds that an admitted object may take to appear (SNAP-W4). */
export const APPEARS_WITHIN_MS = 5_000;

export type AdmittedFacts = AdmittedSingle | AdmittedGroup;

interface Admitted<T, C> {
  readonly entry: AdmittedObject;
  /** The object with the admitted UID; null: not found. */
  readonly object: T | null;
  /** The content of the object; it may outlive the object. null: not found. */
  readonly content: C | null;
  /** Whether the object should exist by now, but the server does not have it. */
  readonly isMissing: boolean;
  /** Milliseconds since this process first saw the admission. */
  readonly forMs: number;
}

export interface AdmittedSingle extends Admitted<VolumeSnapshot, VolumeSnapshotContent> {
  readonly kind: 'single';
}

export interface AdmittedGroup extends Admitted<VolumeGroupSnapshot, VolumeGroupSnapshotContent> {
  readonly kind: 'group';
  readonly members: readonly Pick<Member, 'object' | 'content'>[];
}

export async function gatherAdmitted(
  options: GatherOptions,
  window: ApplicationSnapshot,
): Promise<readonly AdmittedFacts[]> {
  const { admitted = [], closedAt, failure } = window.status ?? {};
  const isOpen = closedAt === undefined && failure === undefined;
  const namespace = window.metadata?.namespace ?? '';
  const gathering = { ...options, namespace, isOpen };
  return Promise.all(
    admitted.map((entry) =>
      entry.kind === 'VolumeSnapshot'
        ? gatherSingle(gathering, entry)
        : gatherGroup(gathering, entry),
    ),
  );
}

interface Gathering extends GatherOptions {
  readonly namespace: string;
  /** Whether the window is open: only an open window waits for its objects. */
  readonly isOpen: boolean;
}

async function gatherSingle(gathering: Gathering, entry: AdmittedObject): Promise<AdmittedSingle> {
  const { namespace, caches } = gathering;
  const { kinds, snapshots, contents } = caches;
  const from = { resource: kinds.snapshots.resource, cache: snapshots };
  const found = await findAdmitted(gathering, entry, from);
  const content = contentOf(
    contents.byIndex('snapshot', keyText({ namespace, name: entry.name })),
    {
      uid: entry.uid,
      bound: found.object?.status?.boundVolumeSnapshotContentName,
    },
  );
  return { kind: 'single', entry, content, ...found };
}

async function gatherGroup(gathering: Gathering, entry: AdmittedObject): Promise<AdmittedGroup> {
  const { namespace, caches } = gathering;
  const from = { resource: caches.kinds.groups.resource, cache: caches.groups };
  const found = await findAdmitted(gathering, entry, from);
  const content = contentOf(
    caches.groupContents.byIndex('snapshot', keyText({ namespace, name: entry.name })),
    {
      uid: entry.uid,
      bound: found.object?.status?.boundVolumeGroupSnapshotContentName,
    },
  );
  const members = membersOf(caches, { uid: entry.uid, content });
  return { kind: 'group', entry, content, ...found, members };
}

interface From<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly cache: Pick<ObjectCache<T>, 'get'>;
}

async function findAdmitted<T extends KubeObject>(
  { client, namespace, isOpen, admittedForMs }: Gathering,
  entry: AdmittedObject,
  { resource, cache }: From<T>,
): Promise<Pick<Admitted<T, never>, 'object' | 'isMissing' | 'forMs'>> {
  const forMs = admittedForMs(entry.uid);
  const isIt = (object: T | null | undefined): object is T => object?.metadata?.uid === entry.uid;
  const key = { namespace, name: entry.name };
  const cached = cache.get(keyText(key));
  if (isIt(cached)) return { object: cached, isMissing: false, forMs };
  if (!isOpen || forMs < APPEARS_WITHIN_MS) return { object: null, isMissing: false, forMs };
  const object = await getOrNull(client, resource, key);
  return isIt(object)
    ? { object, isMissing: false, forMs }
    : { object: null, isMissing: true, forMs };
}
