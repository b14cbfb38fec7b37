/** `lifehook status OBJECT`: the status verb of the lifecycle that the object belongs to, as kubectl writes objects. */
import { LifehookError } from '../../model/problem.ts';
import { statuses } from '../lifecycles.ts';

export interface StatusOfOptions {
  /** Instead of that of the kubeconfig's context. */
  readonly namespace?: string;
}

const OBJECT = /^(?<kind>[a-z]+)(?:\.[a-z.]+)?\/(?<name>[^/]+)$/;
const OF_ROLLOUTS = ['deployment', 'deployments', 'deploy'];
const OF_SNAPSHOTS = ['applicationsnapshot', 'applicationsnapshots', 'appsnap'];

/** @throws LifehookError LHG069 where it is no object that has a status of ours. */
export async function runStatusOf(object: string, options: StatusOfOptions): Promise<number> {
  const found = lifecycleOf(object);
  const { namespace } = options;
  const asked = { output: 'text', ...(namespace !== undefined && { namespace }) } as const;
  const part = await statuses[found.lifecycle]?.();
  if (part === undefined) throw unknownObject(object);
  return part.runStatus(found.name, asked);
}

export interface StatusObject {
  readonly lifecycle: 'rollout' | 'snapshot';
  readonly name: string;
}

/** Pure. @throws as above. */
export function lifecycleOf(object: string): StatusObject {
  const { kind = '', name = '' } = OBJECT.exec(object.toLowerCase())?.groups ?? {};
  if (OF_ROLLOUTS.includes(kind)) return { lifecycle: 'rollout', name };
  if (OF_SNAPSHOTS.includes(kind)) return { lifecycle: 'snapshot', name };
  throw unknownObject(object);
}

function unknownObject(object: string): LifehookError {
  return new LifehookError({
    code: 'LHG069',
    severity: 'error',
    message: `An object is deployment/NAME or applicationsnapshot/NAME; received ${JSON.stringify(object)}.`,
    next: 'Name one of these, or nothing for the local cluster.',
  });
}
