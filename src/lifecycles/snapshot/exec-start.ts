/**
 * Determines whether a command was certainly not started: the server refused it, the container did not exist, or
 * nothing was sent. A command that may have started is never reported as not started.
 */
import type { ExecPort } from '../../handlers/exec.ts';
import type { Status } from '../../kube/api-error.ts';
import type { ExecResult } from '../../kube/exec-result.ts';
import type { NotStarted } from './kinds.ts';

export interface WatchedExec {
  readonly exec: ExecPort;
  /**
   * The reason why the command was not started. Call it after the attempt; null: the command was started, or that is
   * not known.
   */
  readonly notStarted: () => NotStarted | null;
}

export function watchExec(exec: ExecPort): WatchedExec {
  let calls = 0;
  let result: ExecResult | null = null;
  return {
    exec: async (options) => {
      calls += 1;
      const reported = await exec(options);
      result = reported.outcome === 'failed' ? named(reported, options.namespace) : reported;
      return result;
    },
    notStarted: () => (calls === 0 ? 'Unreached' : result === null ? null : notStartedBy(result)),
  };
}

export function notStartedBy(result: ExecResult): NotStarted | null {
  if (result.outcome !== 'failed') return null;
  return isDenial(result.status) ? 'Denied' : 'Unreached';
}

function isDenial({ code, reason }: Status): boolean {
  return code === 403 || reason === 'Forbidden';
}

function named(result: Extract<ExecResult, { outcome: 'failed' }>, namespace: string): ExecResult {
  const { status } = result;
  if (!isDenial(status)) return result;
  return { ...result, status: { ...status, message: denialText(status, namespace) } };
}

/**
 * The message about a denied command. Example: the server denies "create pods/exec in namespace shop" (403). The text
 * ends with the fix and the server's message.
 */
export function denialText({ message = '' }: Status, namespace: string): string {
  const [, verb = 'create'] = /cannot (\w+) resource "pods\/exec"/u.exec(message) ?? [];
  const reported = message === '' ? '' : ` The server says: ${message}`;
  return `the server denies "${verb} pods/exec in namespace ${namespace}" (403): grant create and get on pods/exec there to the account of the controller (docs/security.md).${reported}`;
}
