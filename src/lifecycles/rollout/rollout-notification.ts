/** Which events of this lifecycle are sent out of the cluster, and what they say. Pure. */
import type { Notification } from '../../model/event.ts';
import type { RolloutEvent } from './rollout-event.ts';

/** null: the event is for logs and metrics only. */
export function notificationOf(event: RolloutEvent): Notification | null {
  if (event.type === 'HookEnded') return ofHook(event);
  return event.type === 'PhaseEntered' ? ofPhase(event) : null;
}

/** The next run of the same stage that succeeds clears the failure, also one of another rollout. */
function ofHook(event: Extract<RolloutEvent, { type: 'HookEnded' }>): Notification | null {
  const { namespace, deployment, number, stage, phase, uid } = event;
  const problem = `hook/${namespace}/${deployment}/${stage}`;
  const what = `The ${stage} hook of rollout ${number} of Deployment ${namespace}/${deployment}`;
  if (phase === 'Succeeded') {
    const message = `${what} succeeded.`;
    return { id: `${uid}/succeeded`, type: 'run.recovered', problem, state: 'clear', message };
  }
  if (phase !== 'Failed' && phase !== 'Unknown') return null;
  const message = `${what} failed: ${event.message}`;
  return { id: `${uid}/failed`, type: 'run.failed', problem, state: 'open', message };
}

function ofPhase(event: Extract<RolloutEvent, { type: 'PhaseEntered' }>): Notification | null {
  const { namespace, deployment, number, phase, recorded } = event;
  if (recorded === undefined) return null;
  const problem = `held/${namespace}/${deployment}`;
  const what = `Rollout ${number} of Deployment ${namespace}/${deployment}`;
  if (phase !== 'Held') {
    const message = `${what} is not held: its phase is ${phase}.`;
    return { id: null, type: 'rollout.resumed', problem, state: 'clear', message };
  }
  const why = recorded.failure === undefined ? '' : `: ${recorded.failure}`;
  const next = `Apply another template, or run \`lifehook rollout retry ${deployment} -n ${namespace}\`.`;
  const message = `${what} is held${why}. ${next}`;
  const id = `${recorded.uid}/${number}/held/${recorded.at}`;
  return { id, type: 'rollout.held', problem, state: 'open', message };
}
