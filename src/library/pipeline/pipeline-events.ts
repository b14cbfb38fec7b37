import { keptSessions } from '../../cli/pipeline/kept-sessions.ts';
import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import { nodeFiles } from '../../platform/files.ts';
import { unlessMissing } from '../../platform/posix-error.ts';

export type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';

export interface WhichSession {
  /** The directory of skaffold.yaml. */
  readonly project: string;
  /** Id from `lifehook pipeline history`. Absent: the latest session. */
  readonly session?: string;
}

/** The events of a pipeline session, in order; empty if none were recorded. A truncated line is left out. */
export async function readPipelineEvents(which: WhichSession): Promise<readonly PipelineEvent[]> {
  const sessions = await keptSessions(`${which.project}/skaffold.yaml`);
  const found = sessions.find(({ id }) => which.session === undefined || id === which.session);
  if (found === undefined) return [];
  const bytes = (await unlessMissing(nodeFiles.read(`${found.folder}/events.ndjson`))) ?? '';
  const text = new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.codePointAt(0) ?? 0));
  return text.split('\n').flatMap((line) => eventIn(line));
}

function eventIn(line: string): PipelineEvent[] {
  try {
    // Not validated: a pipeline session of Lifehook wrote the line.
    const event = JSON.parse(line) as PipelineEvent;
    return typeof event.atMs === 'number' ? [event] : [];
  } catch {
    return [];
  }
}
