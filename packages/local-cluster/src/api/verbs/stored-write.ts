import { storedBytes } from '../../../../../src/kube/stored-size.ts';
import { LifehookError } from '../../../../../src/model/problem.ts';
import { MAX_OBJECT_BYTES } from '../../storage/open-store.ts';
import type { StoreWrite, WriteResult } from '../../storage/object-store.ts';
import type { RequestScope } from '../context.ts';
import { StatusError, tooManyRequests } from '../status.ts';

/** Seconds that a client waits when the disk is too slow. */
const RETRY_AFTER_SECONDS = 1;

/** Translates the store's errors to those of a server. */
export async function storedWrite(
  { api, definition }: Pick<RequestScope, 'api' | 'definition'>,
  change: StoreWrite,
): Promise<WriteResult> {
  const { object } = change;
  // A real server stores custom kinds as JSON encoded by Go, and built-in kinds as protobuf, which escapes nothing.
  const isJson = object !== null && definition.custom;
  if (isJson && storedBytes(object) > MAX_OBJECT_BYTES) throw tooLarge();
  try {
    return await api.store.write(change);
  } catch (error) {
    const code = error instanceof LifehookError ? error.problems[0]?.code : undefined;
    if (code === 'LHE010') {
      const message =
        'the server has received too many requests and has asked us to try again later';
      throw tooManyRequests(message, RETRY_AFTER_SECONDS);
    }
    if (code === 'LHE011') throw tooLarge();
    throw error;
  }
}

function tooLarge(): StatusError {
  return new StatusError({ code: 500, reason: '', message: 'etcdserver: request is too large' });
}
