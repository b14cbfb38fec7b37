/** Reports the end of a phase that rejects, so that readers of the events do not believe that it still runs. */
import { errorText } from '../../../platform/error-text.ts';
import type { EventBody } from './event-stream.ts';
import type { PipelineEvent } from './pipeline-event.ts';

type PhaseBegin = Pick<
  Extract<PipelineEvent, { type: 'PhaseEvent' }>,
  'type' | 'phase' | 'subject' | 'fileCount'
>;

/** Runs the work of a phase. If it rejects, emits the phase as failed, and rejects with the same error. */
export async function reportRejection<T>(
  emit: (event: EventBody) => void,
  event: PhaseBegin,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    emit({ ...event, status: 'Failed', message: errorText(error) });
    throw error;
  }
}
