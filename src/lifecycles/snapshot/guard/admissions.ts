/**
 * Writes admitted objects into the status of a window.
 *
 * The writes of this process run one after another, each based on the result of the one before. If another process
 * wrote the window, the write is a conflict, and the request is decided again (SNAP-W2).
 */
import { isReason } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { type AdmittedObject, type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import { hasRoom, isIn, isOverWindow } from './choose-window.ts';
import { findObject } from './find-object.ts';
import { CALL_MS, RECORD_TRIES } from './limits.ts';

type Client = Pick<KubeClient, 'get' | 'replaceStatus'>;

export class Admissions {
  readonly #client: Client;
  /** The last write of this process to each window, keyed by the window's UID. The next write is based on it. */
  readonly #last = new Map<string, Promise<ApplicationSnapshot | null>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Resolves with true if the entry is recorded; false: the window has changed, so decide again. */
  async admit(window: ApplicationSnapshot, entry: AdmittedObject): Promise<boolean> {
    const uid = window.metadata?.uid ?? '';
    const before = this.#last.get(uid) ?? Promise.resolve(null);
    const written = before.then((last) => this.#write(last ?? window, entry));
    const settled = written.catch(() => null);
    this.#last.set(uid, settled);
    try {
      return (await written) !== null;
    } finally {
      if (this.#last.get(uid) === settled) this.#last.delete(uid);
    }
  }

  /** Records an object that was not frozen. The window may be closed, since this record delays no thaw. */
  async record(entry: AdmittedObject, seen: ApplicationSnapshot): Promise<boolean> {
    const { namespace = '', name = '', uid } = seen.metadata ?? {};
    for (let tries = 0; tries < RECORD_TRIES; tries += 1) {
      const window = await findObject(this.#client, applicationSnapshots, { namespace, name });
      if (window === null || window.metadata?.uid !== uid) return false;
      if (!hasRoom(window, entry.claimNames.length)) return false;
      if (await this.admit(window, entry)) return true;
    }
    return false;
  }

  /** null: nothing was written. */
  async #write(
    window: ApplicationSnapshot,
    entry: AdmittedObject,
  ): Promise<ApplicationSnapshot | null> {
    if (!mayAdd(window, entry)) return null;
    const admitted = [...(window.status?.admitted ?? []), entry];
    const object = { ...window, status: { ...window.status, admitted } };
    try {
      return await this.#client.replaceStatus(applicationSnapshots, object, { timeoutMs: CALL_MS });
    } catch (error) {
      if (isReason(error, 'Conflict', 'NotFound')) return null;
      throw error;
    }
  }
}

function mayAdd(
  window: ApplicationSnapshot,
  { uid, unfrozen, claimNames }: AdmittedObject,
): boolean {
  if (isIn(window, uid) || !hasRoom(window, claimNames.length)) return false;
  if (unfrozen !== undefined) return true;
  const { cutRequestedAt, sealedAt } = window.status ?? {};
  return cutRequestedAt !== undefined && sealedAt === undefined && !isOverWindow(window);
}
