/** Sends a request that the API server may deny, and returns the result as a value. */
import { ApiError, isReason, UnreachableError } from '../../kube/api-error.ts';

export type Asked<T> =
  | { readonly kind: 'known'; readonly value: T }
  /** The user lacks the permission. */
  | { readonly kind: 'refused'; readonly right: Right }
  /** The server does not serve the kind, or has no such object. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string };

export interface Right {
  readonly verb: string;
  /** '' for the core group. */
  readonly group: string;
  /** The resource, with its subresource if there is one: "pods/exec". */
  readonly resource: string;
  /** Absent: the right is for all namespaces, or for a cluster-scoped kind. */
  readonly namespace?: string;
}

/** Rejects only for a bug of Lifehook. */
export async function ask<T>(right: Right, question: () => Promise<T>): Promise<Asked<T>> {
  try {
    return { kind: 'known', value: await question() };
  } catch (error) {
    if (isReason(error, 'Forbidden')) return { kind: 'refused', right };
    if (isReason(error, 'NotFound')) return { kind: 'absent' };
    if (error instanceof ApiError || error instanceof UnreachableError) {
      return { kind: 'failed', why: error.message };
    }
    throw error;
  }
}

/** Example: "list executionhooks.lifehook.dev in namespace shop" */
export function rightText({ verb, namespace, ...of }: Right): string {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `${verb} ${resourceText(of)}${where}`;
}

/** Examples: "executionhooks.lifehook.dev", "pods/exec" */
export function resourceText({ group, resource }: Pick<Right, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** RBAC rules that grant all of these rights, as YAML to paste: one rule for each group and set of verbs. */
export function rulesFor(rights: readonly Omit<Right, 'namespace'>[]): string {
  const verbsOf = new Map<string, Set<string>>();
  for (const { group, resource, verb } of rights) {
    const key = `${group}\n${resource}`;
    verbsOf.set(key, (verbsOf.get(key) ?? new Set()).add(verb));
  }
  const rules = new Map<string, { group: string; verbs: string; resources: string[] }>();
  for (const [key, verbs] of verbsOf) {
    const [group = '', resource = ''] = key.split('\n');
    const text = [...verbs].join(', ');
    const rule = rules.get(`${group} ${text}`) ?? { group, verbs: text, resources: [] };
    rule.resources.push(resource);
    rules.set(`${group} ${text}`, rule);
  }
  return [...rules.values()]
    .map(({ group, verbs, resources }) => {
      const name = group === '' ? '""' : group;
      return `{apiGroups: [${name}], resources: [${resources.join(', ')}], verbs: [${verbs}]}`;
    })
    .join(', ');
}
