/** `lifehook status OBJECT`: runs the status command of the object's lifecycle; OBJECT as for kubectl. */
import { LifehookError } from '../../model/problem.ts';
import { statuses } from '../lifecycles.ts';

export interface StatusOfOptions {
  /** Absent: the namespace of the kubeconfig's context. */
  readonly namespace?: string;
}

const OBJECT = /^(?<kind>[a-z]+)(?:\.[a-z.]+)?\/(?<name>[^/]+)$/;
const OF_ROLLOUTS = ['deployment', 'deployments', 'deploy'];
const OF_SNAPSHOTS = ['applicationsnapshot', 'applicationsnapshots', 'appsnap'];

/** @throws LifehookError LHG069 if no lifecycle has a status of the object. */
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

/** Pure. Throws the same error as `runStatusOf`. */
export function lifecycleOf(object: string): StatusObject {
  const { kind = '', name = '' } = OBJECT.exec(object.toLowerCase())?.groups ?? {};
  if (OF_ROLLOUTS.includes(kind)) return { lifecycle: 'rollout', name };
  if (OF_SNAPSHOTS.includes(kind)) return { lifecycle: 'snapshot', name };
  throw unknownObject(object);
}

function unknownObject(object: string): LifehookError {
  return new LifehookError({
    code: 'LHG069',
    message: `An object is deployment/NAME or applicationsnapshot/NAME; received ${JSON.stringify(object)}.`,
    next: 'Name such an object, or leave the argument out for the local cluster.',
  });
}
