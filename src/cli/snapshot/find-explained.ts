/** Finds the object that `lifehook snapshot status` explains, by KIND/NAME or by a name among Lifehook's kinds. */
import { type ApiError, isReason } from '../../kube/api-error.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';
import { snapshots } from '../../kube/snapshots.ts';
import { snapshotGuards, applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import { snapshotRestores } from '../../lifecycles/snapshot/restore/kinds.ts';
import { snapshotSchedules } from '../../lifecycles/snapshot/schedule/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import type { CliCluster } from '../kube-connection.ts';

/** The kinds, in the order in which a name without a kind is looked up. */
const EXPLAINED = {
  ApplicationSnapshot: applicationSnapshots,
  VolumeSnapshot: snapshots,
  SnapshotSchedule: snapshotSchedules,
  SnapshotRestore: snapshotRestores,
  SnapshotGuard: snapshotGuards,
} as const;

export type ExplainedKind = keyof typeof EXPLAINED;

const KINDS = Object.keys(EXPLAINED) as ExplainedKind[];

export interface Explained {
  readonly kind: ExplainedKind;
  readonly object: KubeObject;
}

type Cluster = Pick<CliCluster, 'namespace' | 'source'> & {
  readonly client: Pick<CliCluster['client'], 'get'>;
};

/** Finds the object. A kind that the user may not read is skipped if another kind has an object of that name. */
export async function findExplained(
  { client, namespace, source }: Cluster,
  text: string,
): Promise<Explained> {
  const { kinds, name } = parseName(text);
  let forbidden: ApiError | null = null;
  for (const kind of kinds) {
    const resource: Resource = EXPLAINED[kind];
    try {
      const object = await getOrNull(client, resource, { namespace, name });
      if (object !== null) return { kind, object };
    } catch (error) {
      if (!isReason(error, 'Forbidden')) throw error;
      forbidden ??= error;
    }
  }
  if (forbidden !== null) throw forbidden;
  throw new LifehookError({
    code: 'LHS401',
    message: `There is no ${oneOf(kinds)} "${name}" in namespace "${namespace}" (${source}).`,
    next: 'See `lifehook snapshot list -A`, or name another --namespace.',
  });
}

function oneOf(kinds: readonly string[]): string {
  const last = kinds.at(-1) ?? '';
  return kinds.length < 2 ? last : `${kinds.slice(0, -1).join(', ')} or ${last}`;
}

interface Named {
  readonly kinds: readonly ExplainedKind[];
  readonly name: string;
}

/** KIND, KIND.GROUP or KIND.VERSION.GROUP, as for kubectl; `snapshot list -o name` prints KIND.GROUP/NAME. */
const KIND = /^(?<own>[a-z]+)(?:(?:\.v\d\w*)?\.(?<group>[a-z][a-z\d.-]*))?$/u;

function parseName(text: string): Named {
  const at = text.indexOf('/');
  if (at === -1) return { kinds: KINDS, name: text };
  const word = text.slice(0, at).toLowerCase();
  const { own = '', group } = KIND.exec(word)?.groups ?? {};
  const kind = KINDS.find((each) => {
    const resource = EXPLAINED[each];
    const isNamed = [each.toLowerCase(), resource.plural].includes(own);
    return isNamed && (group ?? resource.group) === resource.group;
  });
  if (kind !== undefined) return { kinds: [kind], name: text.slice(at + 1) };
  const known = KINDS.map((each) => each.toLowerCase()).join(', ');
  throw new LifehookError({
    code: 'LHS412',
    message: `"${text}" must be NAME or KIND/NAME, with one of the kinds ${known}; "${word}" is none of them.`,
    next: 'Name one of these, or use `kubectl describe`.',
  });
}
