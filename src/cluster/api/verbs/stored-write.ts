import { LifehookError } from '../../../model/problem.ts';
import type { ObjectStore, StoreWrite, WriteResult } from '../../storage/object-store.ts';
import { StatusError, tooManyRequests } from '../status.ts';

/** Seconds that a client waits when the disk does not keep up. */
const RETRY_AFTER_SECONDS = 1;

/** The store's refusals as a server's. */
export async function storedWrite(store: ObjectStore, change: StoreWrite): Promise<WriteResult> {
  try {
    return await store.write(change);
  } catch (error) {
    const code = error instanceof LifehookError ? error.problems[0]?.code : undefined;
    if (code === 'LHE010') {
      const message =
        'the server has received too many requests and has asked us to try again later';
      throw tooManyRequests(message, RETRY_AFTER_SECONDS);
    }
    if (code === 'LHE011') {
      throw new StatusError({ code: 500, reason: '', message: 'etcdserver: request is too large' });
    }
    throw error;
  }
}
