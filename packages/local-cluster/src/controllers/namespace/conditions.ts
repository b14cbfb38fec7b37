/** The conditions of a terminating namespace, with the texts of the real controller. Pure. */
import {
  type Condition,
  findCondition,
  type NewCondition,
  setCondition,
} from '../../../../../src/controller/conditions.ts';
import { type Resource } from '../../../../../src/kube/object.ts';

/** Result of one reconcile of a namespace. */
export interface ContentReport {
  /** Group versions that discovery failed to read. */
  readonly discoveryFailures: readonly {
    readonly groupVersion: string;
    readonly why: string;
  }[];
  /** Errors of the API server when objects were listed or deleted. */
  readonly deletionFailures: readonly string[];
  readonly remaining: readonly Remaining[];
}

export interface Remaining {
  readonly resource: Pick<Resource, 'group' | 'plural'>;
  readonly count: number;
  /** Finalizers of the remaining objects. One that is on several objects is listed several times. */
  readonly finalizers: readonly string[];
}

export function isEmpty({
  discoveryFailures,
  deletionFailures,
  remaining,
}: ContentReport): boolean {
  return discoveryFailures.length + deletionFailures.length + remaining.length === 0;
}

export function withReport(
  before: readonly Condition[],
  report: ContentReport,
  nowMs: number,
): readonly Condition[] {
  return conditionsOf(report).reduce(
    (conditions, next) => setCondition(conditions, withoutGeneration(conditions, next), nowMs),
    before,
  );
}

/** Keeps an observedGeneration that another client has set, so that it does not count as a change. */
function withoutGeneration(conditions: readonly Condition[], next: NewCondition): NewCondition {
  const observedGeneration = findCondition(conditions, next.type)?.observedGeneration;
  return observedGeneration === undefined ? next : { ...next, observedGeneration };
}

function conditionsOf(report: ContentReport): readonly NewCondition[] {
  return [
    discovery(report),
    good({
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      reason: 'ParsedGroupVersions',
      message: 'All legacy kube types successfully parsed',
    }),
    deletion(report),
    content(report),
    finalizers(report),
  ];
}

function discovery({ discoveryFailures }: ContentReport): NewCondition {
  const type = 'NamespaceDeletionDiscoveryFailure';
  if (discoveryFailures.length === 0) {
    const message = 'All resources successfully discovered';
    return good({ type, reason: 'ResourcesDiscovered', message });
  }
  const reported = discoveryFailures.map(({ groupVersion, why }) => `${groupVersion}: ${why}`);
  const message = `Discovery failed for some groups, ${reported.length} failing: ${reported.join(', ')}`;
  return bad({ type, reason: 'DiscoveryFailed', message });
}

function deletion({ deletionFailures }: ContentReport): NewCondition {
  const type = 'NamespaceDeletionContentFailure';
  if (deletionFailures.length === 0) {
    const message = 'All content successfully deleted, may be waiting on finalization';
    return good({ type, reason: 'ContentDeleted', message });
  }
  const reported = deletionFailures.toSorted().join(', ');
  const count = deletionFailures.length;
  const message = `Failed to delete all resource types, ${count} remaining: ${reported}`;
  return bad({ type, reason: 'ContentDeletionFailed', message });
}

function content({ remaining }: ContentReport): NewCondition {
  const type = 'NamespaceContentRemaining';
  if (remaining.length === 0) {
    const message = 'All content successfully removed';
    return good({ type, reason: 'ContentRemoved', message });
  }
  const reported = remaining
    .map(
      ({ resource, count }) =>
        `${resource.plural}.${resource.group} has ${count} resource instances`,
    )
    .toSorted();
  const message = `Some resources are remaining: ${reported.join(', ')}`;
  return bad({ type, reason: 'SomeResourcesRemain', message });
}

function finalizers({ remaining }: ContentReport): NewCondition {
  const type = 'NamespaceFinalizersRemaining';
  const counts = new Map<string, number>();
  for (const name of remaining.flatMap((kind) => kind.finalizers)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) {
    const message = 'All content-preserving finalizers finished';
    return good({ type, reason: 'ContentHasNoFinalizers', message });
  }
  const reported = [...counts].map(([name, count]) => `${name} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${reported.toSorted().join(', ')}`;
  return bad({ type, reason: 'SomeFinalizersRemain', message });
}

type Said = Pick<NewCondition, 'type' | 'reason' | 'message'>;

function good(said: Said): NewCondition {
  return { ...said, status: 'False' };
}

function bad(said: Said): NewCondition {
  return { ...said, status: 'True' };
}
