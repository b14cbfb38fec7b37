/** Events as lines of text for users. Pure. */
import type {
  OutputLines,
  PipelineEvent,
} from '../../lifecycles/pipeline/events/pipeline-event.ts';

export interface EventLine {
  /** problem: a line that the user has to see, always on stderr. */
  readonly kind: 'progress' | 'output' | 'problem';
  readonly text: string;
}

/**
 * Worked examples:
 *   build web: built in 1.20 s
 *   [build/web/before/0] compiling
 *   build/web/before/0 (pre-build): done in 0.31 s
 *   deploy/kubectl/after/1 (post-deploy): skipped: it is for windows, but this machine runs linux
 */
export function eventLines(event: PipelineEvent): readonly EventLine[] {
  switch (event.type) {
    case 'Output':
      return [{ kind: 'output', text: linesText({ source: event.source, text: event.line }) }];
    case 'PhaseEvent':
      return phaseLines(event);
    case 'HostCallbackEvent':
    case 'ContainerCallbackEvent':
      return callbackLines(event);
    case 'Iteration':
      return [{ kind: 'progress', text: iterationText(event) }];
    case 'Warning':
      return [{ kind: 'problem', text: `warning ${event.code}: ${event.message}` }];
    case 'HookCounts':
    case 'PortsClosed':
    case 'Ended':
      return [];
    default:
      return event satisfies never;
  }
}

/** Worked example: the lines "compiling" and "done" are "[build/web/before/0] compiling\n[build/web/before/0] done". */
export function linesText({ source, text }: Pick<OutputLines, 'source' | 'text'>): string {
  // "$" is special in a replacement text.
  const next = `\n[${source}] `.replaceAll('$', '$$$$');
  return `[${source}] ${printable(text).replaceAll(LINE_FEEDS, next)}`;
}

type Phase = Extract<PipelineEvent, { type: 'PhaseEvent' }>;

const BEGUN: Readonly<Record<string, string>> = {
  build: 'building',
  test: 'testing',
  render: 'rendering',
  deploy: 'deploying',
  sync: 'syncing',
  verify: 'verifying',
  portForward: 'forwarding',
  cleanup: 'deleting',
};

function phaseLines(event: Phase): readonly EventLine[] {
  const { phase, status, subject, message } = event;
  const what = subject === undefined ? phase : `${phase} ${subject}`;
  const time = timeOf(event);
  switch (status) {
    case 'InProgress':
      return [{ kind: 'progress', text: `${what}: ${BEGUN[phase] ?? 'begun'}` }];
    case 'Succeeded':
      return [{ kind: 'progress', text: `${what}: ${message ?? 'done'}${time}` }];
    case 'Skipped': {
      const usual = phase === 'build' ? 'found in the cache' : 'skipped';
      return [{ kind: 'progress', text: `${what}: ${message ?? usual}` }];
    }
    case 'Failed':
      // The reason is printed once, with the next step, when the command ends.
      return [{ kind: 'progress', text: `${what}: failed${time}` }];
    default:
      return status satisfies never;
  }
}

type Callback = Extract<PipelineEvent, { type: 'HostCallbackEvent' | 'ContainerCallbackEvent' }>;

function callbackLines(event: Callback): readonly EventLine[] {
  const { callback, address, status, message, container } = event;
  const where = container === undefined ? '' : ` in ${container}`;
  const what = `${address} (${callback})${where}`;
  switch (status) {
    case 'InProgress':
      return [{ kind: 'progress', text: `${what}: started` }];
    case 'Completed':
      return [{ kind: 'progress', text: `${what}: done${timeOf(event)}` }];
    case 'Skipped':
      return [{ kind: 'progress', text: `${what}: skipped${whyOf(message)}` }];
    case 'Failed':
      return failedLines(event, what);
    default:
      return status satisfies never;
  }
}

function failedLines(event: Callback, what: string): readonly EventLine[] {
  const { callback, message, exitCode } = event;
  const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
  const line: EventLine = { kind: 'progress', text: `${what}: failed${code}${timeOf(event)}` };
  // When the command ends, only the first failure is printed. Later failures of cleanup steps are therefore printed
  // here.
  const isCleanup = callback.startsWith('error-') || callback.startsWith('finally-');
  if (!isCleanup || message === undefined) return [line];
  return [line, { kind: 'problem', text: message }];
}

function whyOf(message: string | undefined): string {
  return message === undefined ? '' : `: ${message}`;
}

function timeOf({ durationMs }: { readonly durationMs?: number }): string {
  return durationMs === undefined ? '' : ` in ${seconds(durationMs)}`;
}

function iterationText({ number, changed }: Extract<PipelineEvent, { type: 'Iteration' }>): string {
  const shown = changed.slice(0, CHANGED_SHOWN).join(', ');
  const more = changed.length > CHANGED_SHOWN ? ` and ${changed.length - CHANGED_SHOWN} more` : '';
  return `iteration ${number}${shown === '' ? '' : `: ${shown}${more}`}`;
}

const CHANGED_SHOWN = 5;
const MS_PER_SECOND = 1_000;

function seconds(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(2)} s`;
}

/** Not a string: with a string as pattern, V8 builds the result as a chain with one link per replacement. */
const LINE_FEEDS = /\n/g;

/** Text that cannot move the cursor of this terminal; colours stay. */
function printable(lines: string): string {
  // Most lines have no control character, and this search copies nothing.
  if (!CONTROL.test(lines)) return lines;
  return lines
    .split('\n')
    .map((line) => line.replaceAll(CONTROLS, ''))
    .join('\n');
}

// One character class without a look-ahead, because a look-ahead costs nine times as much.
const CONTROL = /[^\P{Cc}\t\n]/u;

// Matches control characters and their sequences, but keeps tabs and colours. Only a sequence that ends with "m" is a
// colour.
const CONTROLS = /\p{Cc}\[[0-9;?]*[A-Za-ln-z]|(?!\t)\p{Cc}(?!\[[0-9;]*m)/gu;
