/** `lifehook status OBJECT`: runs the status command of the object's lifecycle; OBJECT as for kubectl. */
import { GROUP } from '../../model/api-version.ts';
import { LifehookError } from '../../model/problem.ts';
import type { KubeOptions } from '../kube-connection.ts';
import { statuses } from '../lifecycles.ts';

/** KIND/NAME, KIND.GROUP/NAME or KIND.VERSION.GROUP/NAME. */
const OBJECT = /^(?<kind>[a-z]+)(?:(?:\.v\d\w*)?\.(?<group>[a-z][a-z\d.-]*))?\/(?<name>[^/]+)$/;
const OF_ROLLOUTS = ['deployment', 'deployments', 'deploy'];
const OF_SNAPSHOTS = ['applicationsnapshot', 'applicationsnapshots', 'appsnap'];

/** @throws LifehookError LHG069 if no lifecycle has a status of the object. */
export async function runStatusOf(object: string, options: KubeOptions): Promise<number> {
  const found = lifecycleOf(object);
  const part = await statuses[found.lifecycle]?.();
  if (part === undefined) throw unknownObject(object);
  return part.runStatus(found.name, { ...options, output: 'text' });
}

export interface StatusObject {
  readonly lifecycle: 'rollout' | 'snapshot';
  readonly name: string;
}

/**
 * Determines the lifecycle of an object in a `lifehook status` argument. Pure. Throws the same error as `runStatusOf`.
 */
export function lifecycleOf(object: string): StatusObject {
  const { kind = '', group, name = '' } = OBJECT.exec(object.toLowerCase())?.groups ?? {};
  const isOf = (kinds: readonly string[], own: string): boolean =>
    kinds.includes(kind) && (group ?? own) === own;
  if (isOf(OF_ROLLOUTS, 'apps')) return { lifecycle: 'rollout', name };
  if (isOf(OF_SNAPSHOTS, GROUP)) return { lifecycle: 'snapshot', name };
  throw unknownObject(object);
}

function unknownObject(object: string): LifehookError {
  return new LifehookError({
    code: 'LHG069',
    message: `An object is deployment/NAME or applicationsnapshot/NAME; received ${JSON.stringify(object)}.`,
    next: 'Name such an object, or leave the argument out for the local cluster.',
  });
}
