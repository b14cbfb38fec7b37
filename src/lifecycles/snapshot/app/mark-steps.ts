/**
 * Writes marks on VolumeSnapshots, groups and their contents (SNAP-S7). `window-marks.ts` decides which marks are
 * missing, and `late-cuts.ts` those on the contents of a failed snapshot.
 */
import { aboutObject } from '../../../controller/event-recorder.ts';
import { again, done, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { isOtherObject, isReason } from '../../../kube/api-error.ts';
import type { JsonObject, KubeObject, Resource } from '../../../kube/object.ts';
import type { AdmittedVerdict } from '../kinds.ts';
import { VERDICT, VERDICT_REASON } from '../names.ts';
import { type Acting, isRefusal, recordEvent } from './acting.ts';
import type { Mark } from './late-cuts.ts';
import { hasLabels } from './verdict-marks.ts';
import type { TimedMark } from './mark-times.ts';
import type { DueMark } from './window-marks.ts';

/** Retries after a minute: each attempt that the server refuses emits an Event. */
const retryMarks: Outcome = requeueAfter(60_000, 'a mark was refused');
const CHANGED_AGAIN = 'another client changed a mark that was just written';

/**
 * The watch of the changed objects starts the next reconcile. A refused mark is retried for a window only: its objects
 * belong to other clients, which read nothing but the marks. Any other snapshot has its verdict in its own status.
 */
export async function markVerdicts(acting: Acting, due: readonly DueMark[]): Promise<Outcome> {
  const { markTimes, facts } = acting;
  const isWindow = facts.snapshot.spec.window !== undefined;
  const pauses = due.map((mark) => markTimes.pauseMs(mark));
  const marks = due.filter((_, at) => pauses[at] === 0);
  const results = await Promise.all(marks.map((mark) => markOne(acting, mark)));
  if (isWindow)
    for (const mark of marks.filter((_, at) => results[at] === true)) reportMark(acting, mark);
  if (isWindow && !results.every(Boolean)) return retryMarks;
  if (marks.length === due.length) return done;
  return requeueAfter(Math.max(...pauses), CHANGED_AGAIN);
}

async function markOne(acting: Acting, mark: DueMark): Promise<boolean> {
  const { kind, object, marks } = mark;
  acting.markTimes.record(mark);
  const written = { labels: { ...marks.labels }, annotations: { ...marks.annotations } };
  return patchMarks(acting, { resource: resourceOf(acting, kind), object, marks: written });
}

/** Reports on the marked object, so that its user sees the verdict next to it. */
function reportMark(acting: Acting, { kind, object, verdict, marks }: DueMark): void {
  if (kind === 'content' || kind === 'groupContent' || hasLabels(object, marks)) return;
  const message = `${verdict.reason}: ${verdict.message}`;
  const about = aboutObject(resourceOf(acting, kind), object);
  const note = { about, type: eventType(verdict), reason: verdict.value, message };
  acting.context.recorder.record(note);
}

export function eventType({ value }: Pick<AdmittedVerdict, 'value'>): 'Normal' | 'Warning' {
  return value === 'ApplicationConsistent' || value === 'CrashConsistent' ? 'Normal' : 'Warning';
}

export async function markContents(acting: Acting, due: readonly Mark[]): Promise<Outcome> {
  const pauses = due.map((mark) => acting.markTimes.pauseMs(timed(mark)));
  let isRefused = false;
  for (const mark of due.filter((_, at) => pauses[at] === 0)) {
    const isMarked = await markContent(acting, mark);
    isRefused ||= !isMarked;
  }
  if (isRefused) return retryMarks;
  const pauseMs = Math.max(0, ...pauses);
  return pauseMs === 0 ? again : requeueAfter(pauseMs, CHANGED_AGAIN);
}

async function markContent(acting: Acting, mark: Mark): Promise<boolean> {
  const { kind, object, reason, isLate } = mark;
  const labels = { [VERDICT]: 'Inconsistent', [VERDICT_REASON]: reason };
  const resource = resourceOf(acting, kind);
  if (!(await patchMarks(acting, { resource, object, marks: { labels } }))) return false;
  acting.markTimes.record(timed(mark));
  if (isLate) {
    const message = `${resource.kind} ${object.metadata?.name ?? ''} was cut after this snapshot had failed: it is labelled Inconsistent, and must not be trusted.`;
    recordEvent(acting, 'Warning', { reason: 'LateCut', message });
  }
  return true;
}

function timed({ object, reason }: Mark): TimedMark {
  return { object, verdict: { value: 'Inconsistent', reason } };
}

interface Marking {
  readonly resource: Resource;
  readonly object: KubeObject;
  /** The labels and annotations to set. */
  readonly marks: JsonObject;
}

/**
 * Resolves with false if the server refused the mark: a permission is missing, or another webhook or a limit refuses
 * it. The verdict is still in the snapshot's own status. An object that was deleted or replaced meanwhile needs no
 * mark.
 */
async function patchMarks(acting: Acting, { resource, object, marks }: Marking): Promise<boolean> {
  const { namespace, name = '', uid } = object.metadata ?? {};
  const key = namespace === undefined ? { name } : { namespace, name };
  // The UID is sent because a later object of the same name has no verdict: its mark could be wrong.
  const body = { metadata: { ...(uid === undefined ? {} : { uid }), ...marks } };
  try {
    await acting.client.patch(resource, key, { type: 'merge', body });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound') || isOtherObject(error)) return true;
    if (!isRefusal(error)) throw error;
    const message = `The verdict could not be written to the labels of ${resource.kind} ${name}: ${error.message}`;
    recordEvent(acting, 'Warning', { reason: 'NotMarked', message });
    return false;
  }
}

function resourceOf({ caches: { kinds } }: Acting, kind: DueMark['kind']): Resource {
  switch (kind) {
    case 'snapshot':
      return kinds.snapshots.resource;
    case 'content':
      return kinds.contents.resource;
    case 'group':
      return kinds.groups.resource;
    case 'groupContent':
      return kinds.groupContents.resource;
    default:
      return kind satisfies never;
  }
}
