import type { LifecycleEvent } from '../../../model/lifecycle-event.ts';
import type { PipelineEvent } from './pipeline-event.ts';

export type PipelineLifecycleEvent = LifecycleEvent<'pipeline', PipelineEvent>;

/** Wraps a session's event in the envelope of all lifecycles. The end of a hook is that of its last attempt. Pure. */
export function pipelineEnvelope(detail: PipelineEvent): PipelineLifecycleEvent {
  const { runId: run, atMs } = detail;
  const event = { lifecycle: 'pipeline', run, atMs, attempt: null, detail } as const;
  if (detail.type !== 'HostCallbackEvent' && detail.type !== 'ContainerCallbackEvent') {
    return { ...event, target: {}, point: null };
  }
  const { address, container, callback: point, status, durationMs } = detail;
  const target = { hook: address, ...(container === undefined ? {} : { container }) };
  const hasEnded = durationMs !== undefined && (status === 'Completed' || status === 'Failed');
  if (!hasEnded) return { ...event, target, point };
  const outcome = status === 'Completed' ? 'Succeeded' : 'Failed';
  return { ...event, target, point, end: { outcome, durationMs } };
}
