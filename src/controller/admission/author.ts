/**
 * Checks that the author of an object may do by hand what the controllers would do for it. They run commands under
 * their own identity, so without this check a user could run commands in pods that the user may not access.
 */
import type { CancelSignal } from '../../platform/platform.ts';
import { type AdmissionRequest, ALLOWED, type Verdict } from './admission-review.ts';

/** The user of a request, as the API server has authenticated it. */
export interface Author {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Resources of the core group; the verb is always `create`. */
export type Created = 'pods' | 'pods/exec';

export interface AccessQuestion {
  readonly author: Author;
  readonly namespace: string;
  readonly resource: Created;
}

/** null: allowed; else the authorizer's reason, which may be ''. Rejects if the check failed. */
export type AskAccess = (question: AccessQuestion, signal: CancelSignal) => Promise<string | null>;

export interface AuthorQuestion {
  readonly request: AdmissionRequest;
  /** The resources that the controllers create for this object. */
  readonly needs: readonly Created[];
  readonly ask: AskAccess;
}

/** Rejects if `ask` rejects: then the failure policy of the webhook decides. */
export async function judgeAuthor(
  { request, needs, ask }: AuthorQuestion,
  signal: CancelSignal,
): Promise<Verdict> {
  const { namespace = '', userInfo: author = {} } = request;
  for (const resource of needs) {
    const reason = await ask({ author, namespace, resource }, signal);
    if (reason !== null) return refused(request, resource, reason);
  }
  return ALLOWED;
}

function refused(
  { kind, namespace = '', userInfo = {} }: AdmissionRequest,
  resource: Created,
  reason: string,
): Verdict {
  const { username = '' } = userInfo;
  const why = reason === '' ? '' : ` (${reason})`;
  const message =
    `For this ${kind.kind} the controllers of Lifehook ${DONE[resource]}. So its author needs \`create\` on ${resource} ` +
    `in namespace ${namespace}, which ${JSON.stringify(username)} does not have${why}. ` +
    'Grant it, or let a user write the object who has it.';
  return { allowed: false, status: { code: 403, reason: 'Forbidden', message } };
}

const DONE: Readonly<Record<Created, string>> = {
  pods: 'create pods with commands of its choice',
  'pods/exec': 'run commands in containers',
};
