/** Formats a restore as text: its phase while it runs, its result, and the cause of a failure. Pure. */
import { findCondition } from '../../controller/conditions.ts';
import {
  WAIT_FOR_CONSUMER,
  WAIT_FOR_SNAPSHOT,
} from '../../lifecycles/snapshot/restore/conditions-of.ts';
import type {
  SnapshotRestore,
  SnapshotRestoreStatus,
} from '../../lifecycles/snapshot/restore/kinds.ts';
import { countText } from '../../model/count-text.ts';
import { printable } from '../terminal-text.ts';

const WAITS: readonly string[] = [WAIT_FOR_CONSUMER, WAIT_FOR_SNAPSHOT];

/** The phase of the restore, or what it waits for. */
export function waitsForText({ status = {} }: SnapshotRestore): string {
  return waitText(status) ?? status.phase ?? '';
}

function waitText({ conditions = [] }: SnapshotRestoreStatus): string | null {
  const found = findCondition(conditions, 'Reconciling');
  return found !== undefined && WAITS.includes(found.reason) ? found.message : null;
}

/** The result, in lines of at most 80 columns unless a name is longer. */
export function restoreText({ status = {} }: SnapshotRestore): string {
  const { sourceVerdict, claims = [], verification, hooks = [], phase = '', cleanedUpAt } = status;
  const made = claims.filter(({ claimUID }) => claimUID !== undefined);
  const lines = [
    ...(sourceVerdict === undefined
      ? []
      : [`snapshot  ${sourceVerdict.value} (${sourceVerdict.reason})`]),
    ...made.map(({ sourceClaimName, claimName, size, bound }) => {
      const state = bound === true ? 'bound' : 'not bound';
      const kept = cleanedUpAt === undefined ? state : 'deleted';
      return `claim     ${sourceClaimName} -> ${claimName}, ${size}, ${kept}`;
    }),
    ...hooks.map(({ name, stage, outcome = 'Unknown', attempts = [] }) => {
      return `hook      ${name} (${stage}): ${outcome}, ${countText(attempts.length, 'attempt')}`;
    }),
    ...(verification === undefined ? [] : [`verified  ${verification.result}`]),
    `restore   ${phase}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The text that `lifehook snapshot status` prints for a restore. */
export function restoreStatusText(restore: SnapshotRestore): string {
  const { metadata, status = {} } = restore;
  const head = `SnapshotRestore ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  return `${head}\n${restoreText(restore)}${status.failure === undefined ? waitLine(status) : failureLines(restore)}`;
}

function waitLine(status: SnapshotRestoreStatus): string {
  const waits = waitText(status);
  return waits === null ? '' : `waits     ${waits}\n`;
}

function failureLines(restore: SnapshotRestore): string {
  const { message, output } = failureText(restore);
  return `\n${message}\n${output}`;
}

/** Maximum number of lines of a hook's output below the cause of a failure. The status has all lines. */
const OUTPUT_LINES_MAX = 10;

export interface FailureText {
  readonly message: string;
  /** The last output lines of the failed hook, with secrets masked as in the status; '': it printed nothing. */
  readonly output: string;
}

/** The text for a restore that has failed; call it only then. */
export function failureText({ metadata, status = {} }: SnapshotRestore): FailureText {
  const { failure = { reason: '', message: '' } } = status;
  const { namespace = '', name = '' } = metadata ?? {};
  const hook = failedHook(status);
  const cause = withoutOutput(failure.message, hook.output);
  const message = `The restore ${namespace}/${name} failed (${failure.reason}): ${cause}`;
  return { message, output: lastLines(hook) };
}

interface FailedHook {
  readonly name: string;
  readonly output: string;
}

function failedHook({ hooks = [] }: SnapshotRestoreStatus): FailedHook {
  const failed = hooks.findLast(({ outcome }) => outcome !== 'Succeeded');
  return { name: failed?.name ?? '', output: failed?.attempts?.at(-1)?.output?.trim() ?? '' };
}

/** Removes the output from the message, which repeats the output for clients that show no other field of the status. */
function withoutOutput(message: string, output: string): string {
  if (output === '') return message;
  return message.replace(` Output: ${output}.`, '').replace(` Output: ${output}`, '');
}

function lastLines({ name, output }: FailedHook): string {
  if (output === '') return '';
  const lines = output.split('\n').slice(-OUTPUT_LINES_MAX);
  return `Last lines of hook ${name}:\n${lines.map((line) => `  ${printable(line)}\n`).join('')}`;
}
