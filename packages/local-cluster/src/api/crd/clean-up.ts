/**
 * Deletes all objects of a custom kind whose definition is being deleted.
 *
 * Each object is deleted as by a client, but without admission. An object with finalizers is waited for.
 */
import { LinkedSignal } from '../../../../../src/platform/linked-signal.ts';
import { textAt, isTrue, objectsAt } from '../../../../../src/kube/fields.ts';
import type { CancelSignal, Clock } from '../../../../../src/platform/platform.ts';
import { type ObjectStore, type StoredObject, TooOldError } from '../../storage/object-store.ts';
import { planDeletion } from '../verbs/plan-deletion.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { type Condition, isTrueCondition, withCondition } from './conditions.ts';

export interface CleanUp {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly resource: string;
  readonly signal: CancelSignal;
}

/** Resolves when no object is left, or when `signal` is aborted. */
export async function removeAll(cleanUp: CleanUp): Promise<void> {
  const { store, resource, signal } = cleanUp;
  while (!signal.aborted && store.count(resource) > 0) {
    const fromRevision = store.revision;
    for (const stored of store.list(resource)) await removeOne(cleanUp, stored);
    if (store.count(resource) > 0) await nextChange(cleanUp, fromRevision);
  }
}

/** Deletes one object. If another writer changes it meanwhile, the next round retries the deletion. */
async function removeOne({ store, clock }: CleanUp, stored: StoredObject): Promise<void> {
  const { object, address, revision } = stored;
  if (textAt(object, 'metadata', 'deletionTimestamp') !== '') return;
  const plan = planDeletion({
    object,
    graceful: undefined,
    graceSeconds: undefined,
    policy: 'Background',
    orphansByDefault: false,
    held: false,
    nowMs: clock.nowMs(),
  });
  if (plan.kind === 'pending') return;
  await store.write({
    address,
    expectRevision: revision,
    object: plan.kind === 'keep' ? plan.object : null,
  });
}

/** Waits until an object of the kind is created, changed or deleted. The deletions of `removeAll` count too. */
async function nextChange(
  { store, resource, signal }: CleanUp,
  fromRevision: number,
): Promise<void> {
  const end = new LinkedSignal(signal);
  try {
    await store.watch({ resource, fromRevision, signal: end })[Symbol.asyncIterator]().next();
  } catch (error) {
    if (!(error instanceof TooOldError)) throw error;
  } finally {
    end.abort();
  }
}

/** Sets the condition Established of a definition. It stays True once it is True, because objects may exist. Pure. */
export function establish(definition: JsonObject, now: string): JsonObject {
  return withCondition(definition, established(definition), now);
}

function established(definition: JsonObject): Condition {
  const type = 'Established';
  if (needsConversion(definition)) {
    return { type, status: 'False', reason: 'NotAccepted', message: NO_CONVERSION };
  }
  if (!isTrueCondition(definition, type) && !isTrueCondition(definition, 'NamesAccepted')) {
    return { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  }
  return {
    type,
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  };
}

const NO_CONVERSION =
  'the local cluster calls no conversion webhooks: it serves several versions with the conversion ' +
  'strategy None only; keep one version, or use None';

/** Whether the definition needs a conversion webhook. A single version never needs conversion. */
function needsConversion(definition: JsonObject): boolean {
  const versions = objectsAt(definition, 'spec', 'versions').filter(
    (version) => isTrue(version, 'served') || isTrue(version, 'storage'),
  );
  return versions.length > 1 && textAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
}
