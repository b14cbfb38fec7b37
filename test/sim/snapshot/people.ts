/** Users who delete, edit and annotate objects at random moments. */
import { groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import type { ObjectKey, Resource } from '../../../src/kube/object.ts';
import {
  applicationSnapshots,
  executionHooks,
  executionHookTemplates,
  type HookActions,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { RELEASE, TAKEN_ON } from '../../../src/lifecycles/snapshot/names.ts';
import { copyOf, type SimApi } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { NAMESPACE } from './sim-cluster.ts';

export interface Place {
  readonly world: World;
  readonly api: SimApi;
  readonly random: Random;
}

const EITHER_FIRST: readonly [SnapshotKinds, SnapshotKinds] = [
  [snapshots, groupSnapshots],
  [groupSnapshots, snapshots],
];
type SnapshotKinds = readonly [Resource, Resource];

type Deed = (place: Place) => void;

const DEEDS: readonly [Deed, ...Deed[]] = [
  (place) => {
    remove(place, executionHooks);
  },
  (place) => {
    remove(place, applicationSnapshots);
  },
  (place) => {
    const [first, other] = place.random.pick(EITHER_FIRST);
    remove(place, place.api.peek(first).length > 0 ? first : other);
  },
  (place) => {
    annotate(place, { [RELEASE]: 'Human@2026-01-01T00:00:00.000000Z' });
  },
  (place) => {
    annotate(place, { [TAKEN_ON]: 'a-person' });
  },
  (place) => {
    remove(place, executionHookTemplates);
  },
  editTemplate,
  editTemplate,
];

export function doSomething(place: Place): void {
  place.random.pick(DEEDS)(place);
}

function remove(place: Place, resource: Resource): void {
  const key = some(place, resource);
  if (key === null) return;
  // The webhook of the snapshotter refuses the deletion of a single member of a group.
  if (key.name.startsWith('member-')) return;
  place.world.faults.met(`${resource.kind.replace('Group', '')} deleted`);
  place.world.note(`a user deletes ${resource.kind} ${key.name}`);
  place.api.delete(resource, key, {});
}

function annotate(place: Place, annotations: Record<string, string>): void {
  const key = some(place, executionHooks);
  if (key === null) return;
  place.world.faults.met(RELEASE in annotations ? 'thaw asked for' : 'thaw marked as done');
  place.world.note(`a user annotates ${key.name}: ${Object.keys(annotations).join(', ')}`);
  place.api.patch(executionHooks, key, { type: 'merge', body: { metadata: { annotations } } });
}

/** Edits a template. Hooks that have begun must ignore the change (SNAP-I10). */
function editTemplate(place: Place): void {
  const { api, random, world } = place;
  const key = some(place, executionHookTemplates);
  if (key === null) return;
  if (random.chance(0.3)) {
    remove(place, executionHookTemplates);
    return;
  }
  world.faults.met('template edited');
  world.note(`a user edits template ${key.name}`);
  const found = copyOf(api.get(executionHookTemplates, key));
  const template = found as HookActions & { metadata: object };
  const { exec } = template.preAction ?? {};
  const thaw = template.postAction?.exec;
  exec?.command.push('edited');
  thaw?.command.push('edited');
  api.replace(executionHookTemplates, template, 'object');
}

function some({ api, random }: Place, resource: Resource): ObjectKey | null {
  const all = api.list(resource);
  const name = all[random.between(0, all.length - 1)]?.metadata.name;
  return name === undefined ? null : { namespace: NAMESPACE, name };
}
