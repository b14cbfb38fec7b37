/**
 * Checks that the author of an object may do by hand what the controllers would do for it. The controllers run commands
 * under their own identity. Without this check, a user could have commands run in pods that the user may not access.
 */
import { GROUP } from '../../model/api-version.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { type AdmissionRequest, ALLOWED, type Verdict } from './admission-review.ts';

/** The user of a request, as the API server has authenticated it. */
export interface Author {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** An action of the controllers for an author: a resource, and the verb that its author needs. */
export type Created =
  | 'pods'
  | 'pods/exec'
  | 'persistentvolumeclaims'
  | 'deployments/scale'
  | 'statefulsets/scale'
  | 'snapshotguards/status';

export interface AccessQuestion {
  readonly author: Author;
  readonly namespace: string;
  readonly resource: Created;
}

/**
 * Asks whether an access is allowed. null: allowed; a text: denied, with the authorizer's reason, which may be ''.
 * Rejects if the check failed.
 */
export type AskAccess = (question: AccessQuestion, signal: CancelSignal) => Promise<string | null>;

export interface AuthorQuestion {
  readonly request: AdmissionRequest;
  /** The actions of the controllers for this object. */
  readonly needs: readonly Created[];
  readonly ask: AskAccess;
}

/**
 * Checks the author's access, all rights at once, since the server waits for the webhook. Rejects if `ask` rejects and
 * no right is denied: then the failure policy of the webhook decides.
 */
export async function judgeAuthor(
  { request, needs, ask }: AuthorQuestion,
  signal: CancelSignal,
): Promise<Verdict> {
  const { namespace = '', userInfo: author = {} } = request;
  const judged = await Promise.allSettled(
    needs.map(async (resource) => {
      const reason = await ask({ author, namespace, resource }, signal);
      return reason === null ? null : refused(request, resource, reason);
    }),
  );
  for (const each of judged) {
    if (each.status === 'fulfilled' && each.value !== null) return each.value;
  }
  for (const each of judged) if (each.status === 'rejected') throw each.reason;
  return ALLOWED;
}

function refused(
  { kind, namespace = '', userInfo = {} }: AdmissionRequest,
  resource: Created,
  reason: string,
): Verdict {
  const { username = '' } = userInfo;
  const { verb, does } = NEEDED[resource];
  const why = reason === '' ? '' : ` (${reason})`;
  const message =
    `For this ${kind.kind} the controllers of Lifehook ${does}. So its author needs \`${verb}\` on ${resource} ` +
    `in namespace ${namespace}, which ${JSON.stringify(username)} does not have${why}. ` +
    'Grant that permission, or let a user who has it write the object.';
  return { allowed: false, status: { code: 403, reason: 'Forbidden', message } };
}

interface Needed {
  readonly group: string;
  readonly verb: 'create' | 'patch' | 'update';
  /** The action of the controllers, for messages. */
  readonly does: string;
}

export const NEEDED: Readonly<Record<Created, Needed>> = {
  pods: { group: '', verb: 'create', does: 'create pods with the commands that it names' },
  'pods/exec': { group: '', verb: 'create', does: 'run commands in containers' },
  persistentvolumeclaims: {
    group: '',
    verb: 'create',
    does: 'create claims from the snapshots that it names',
  },
  'deployments/scale': { group: 'apps', verb: 'patch', does: 'scale a Deployment to 0' },
  'statefulsets/scale': { group: 'apps', verb: 'patch', does: 'scale a StatefulSet to 0' },
  'snapshotguards/status': {
    group: GROUP,
    verb: 'update',
    does: 'admit the VolumeSnapshots of other clients (spec.window), which is reserved for the webhook of a SnapshotGuard',
  },
};
