/**
 * Checks the authors of objects that create hook pods: of lifecycles, and of HookRuns that the controller did not
 * write.
 */
import {
  type AdmissionRequest,
  ALLOWED,
  type Verdict,
} from '../../../controller/admission/admission-review.ts';
import { type AskAccess, judgeAuthor } from '../../../controller/admission/author.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { AUTHOR_PROOF } from '../names.ts';
import { hasFirstSpec } from '../../../controller/unchanged-spec.ts';
import { hmacSha256, isSameSecret } from '../../../platform/digests.ts';
import { canonicalDigest } from '../template-digest.ts';

export interface AuthorWorld {
  readonly ask: AskAccess;
  readonly proveAuthor: ProveAuthor;
  readonly isAuthored: IsAuthored;
}

/** Reviews a creation. Rejects if the permission could not be checked, in which case nothing is stored. */
export async function reviewCreation(
  { ask }: AuthorWorld,
  request: AdmissionRequest,
  signal: CancelSignal,
): Promise<Verdict> {
  const { kind, object, subResource = '' } = request;
  if (!MAKES_PODS.includes(kind.kind) || object === null || subResource !== '') return ALLOWED;
  return judgeAuthor({ request, needs: ['pods'], ask }, signal);
}

const MAKES_PODS: readonly string[] = ['DeploymentLifecycle', 'HookRun'];

/**
 * Reviews an update. A changed spec is refused or gets a proof; an unchanged spec keeps its proof. Rejects if the
 * permission could not be checked: the update is then stored without a proof, and no hook of that spec runs. A spec
 * without a proof gets one only if a writer requests it. The author of a patch to another field may not have reviewed
 * the rest of the spec.
 */
export async function proveChange(
  world: AuthorWorld,
  request: AdmissionRequest,
  signal: CancelSignal,
): Promise<Verdict> {
  const change = changeIn(request);
  if (change === null) return ALLOWED;
  const { before, after } = change;
  const isAsked = asksForProof(change);
  if (!isAsked && sameJson(before.spec, after.spec)) return keepProof(change);
  const verdict = await judgeAuthor({ request, needs: ['pods'], ask: world.ask }, signal);
  if (!verdict.allowed) return verdict;
  if (!isAsked && !world.isAuthored(before)) return UNPROVEN;
  const metadata = { ...before.metadata, generation: generationAfter(change) };
  return withProof(after, world.proveAuthor({ metadata, spec: after.spec }));
}

interface Change {
  readonly before: DeploymentLifecycle;
  readonly after: DeploymentLifecycle;
}

/** null: the request is not an update of a lifecycle. */
function changeIn({ kind, object, oldObject, subResource = '' }: AdmissionRequest): Change | null {
  if (kind.kind !== 'DeploymentLifecycle' || subResource !== '') return null;
  if (object === null || oldObject === null || oldObject === undefined) return null;
  return {
    before: oldObject as unknown as DeploymentLifecycle,
    after: object as unknown as DeploymentLifecycle,
  };
}

/** The generation that the stored object will have. The server increments it after the mutating webhooks. */
function generationAfter({ before, after }: Change): number {
  const { generation = 0 } = before.metadata ?? {};
  return sameJson(before.spec, after.spec) ? generation : generation + 1;
}

/** True: the writer sets the annotation of the proof to a new value, and so requests a proof. */
function asksForProof({ before, after }: Change): boolean {
  return proofIn(after) !== '' && proofIn(after) !== proofIn(before);
}

function keepProof({ before, after }: Change): Verdict {
  const kept = proofIn(before);
  return kept === proofIn(after) ? ALLOWED : withProof(after, kept);
}

const UNPROVEN: Verdict = {
  allowed: true,
  warnings: [
    `its hooks do not run: the spec was changed while the rights of its author could not be checked. Review the whole spec, then annotate it with ${AUTHOR_PROOF}=ask`,
  ],
};

function withProof({ metadata }: DeploymentLifecycle, proof: string): Verdict {
  const value = { ...metadata?.annotations, [AUTHOR_PROOF]: proof };
  return { allowed: true, patch: [{ op: 'add', path: '/metadata/annotations', value }] };
}

/**
 * The author of a spec may be unchecked while the webhook is down. A creation is then rejected (`failurePolicy: Fail`),
 * but an update is stored, because nothing may block the removal of a finalizer. A changed spec therefore needs a
 * proof: without one, the hooks of that spec do not run.
 */
type Authored = Pick<DeploymentLifecycle, 'metadata' | 'spec'>;

/**
 * Returns the value of the annotation AUTHOR_PROOF. It is valid for this spec of this object at this generation: an old
 * spec that is restored with its proof has a later generation.
 */
type ProveAuthor = (lifecycle: Authored) => string;
export type IsAuthored = (lifecycle: Authored) => boolean;

/** Makes the function that proves authors. `key`: a secret of this installation, at least 32 bytes. */
export function proveAuthorWith(key: string): ProveAuthor {
  return ({ metadata, spec }) => {
    const { uid = '', generation = 0 } = metadata ?? {};
    return hmacSha256(key, `author/${uid}/${generation}/${canonicalDigest(spec)}`);
  };
}

export function isAuthoredWith(key: string): IsAuthored {
  const prove = proveAuthorWith(key);
  return (lifecycle) =>
    hasFirstSpec(lifecycle) || isSameSecret(prove(lifecycle), proofIn(lifecycle));
}

export function proofIn({ metadata }: Authored): string {
  return metadata?.annotations?.[AUTHOR_PROOF] ?? '';
}
