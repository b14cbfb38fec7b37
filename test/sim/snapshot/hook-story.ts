/** Formats each change of an ExecutionHook or an ApplicationSnapshot on the server as a line of a story. */
import type {
  ActionStatus,
  ApplicationSnapshot,
  ContainerStatus,
  ExecutionHook,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Entry } from '../controller/sim-api.ts';

/** Returns '' for a change that a story does not need. */
export function storyOf({ resource, type, object }: Entry): string {
  const { name = '', deletionTimestamp } = object.metadata;
  const terminating = deletionTimestamp === undefined ? '' : ', terminating';
  if (resource.startsWith('executionhooks.')) {
    if (type === 'Delete') return `status: hook ${name}: is deleted`;
    return `status: hook ${name}: ${ofHook(object as unknown as ExecutionHook)}${terminating}`;
  }
  if (!resource.startsWith('applicationsnapshots.')) return '';
  if (type === 'Delete') return `status: snapshot ${name}: is deleted`;
  const { phase = 'new', failure } = (object as unknown as ApplicationSnapshot).status ?? {};
  const reason = failure === undefined ? '' : ` (${failure.reason})`;
  return `status: snapshot ${name}: ${phase}${reason}${terminating}`;
}

function ofHook({ status = {} }: ExecutionHook): string {
  const { containerExecutionHookStatuses: targets = [], release } = status;
  if (targets.length === 0) return 'no targets yet';
  const called = release === undefined ? '' : `, release: ${release.cause}`;
  return `${targets.map(ofTarget).join(', ')}${called}`;
}

function ofTarget(target: ContainerStatus): string {
  const { podName, containerName, preActionStatus, postActionStatus, thawedBy } = target;
  const thaw = thawedBy === undefined ? ofAction(postActionStatus) : `by ${thawedBy}`;
  return `${podName}/${containerName} freeze ${ofAction(preActionStatus)}, thaw ${thaw}`;
}

function ofAction(action: ActionStatus | undefined): string {
  if (action === undefined) return 'not begun';
  if (action.actionSucceed !== undefined) return action.actionSucceed ? 'succeeded' : 'failed';
  const last = action.attempts?.at(-1);
  return last?.outcome ?? 'begun';
}
