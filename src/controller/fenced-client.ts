import type { KubeClient } from '../kube/client.ts';
import { LifehookError } from '../model/problem.ts';

/**
 * The client of one reconcile. Before each write it checks whether this process may still act. A process that was
 * suspended during a reconcile writes nothing after it resumes, even if no timer has ended its term yet. Reads are not
 * checked.
 */
export function fencedClient(client: KubeClient, mayAct: () => boolean): KubeClient {
  return {
    get: (resource, key, options) => client.get(resource, key, options),
    list: (resource, options) => client.list(resource, options),
    create: async (resource, object, options) => {
      check(mayAct);
      return client.create(resource, object, options);
    },
    replace: async (resource, object, options) => {
      check(mayAct);
      return client.replace(resource, object, options);
    },
    replaceStatus: async (resource, object, options) => {
      check(mayAct);
      return client.replaceStatus(resource, object, options);
    },
    patch: async (resource, key, options) => {
      check(mayAct);
      return client.patch(resource, key, options);
    },
    apply: async (resource, object, options) => {
      check(mayAct);
      return client.apply(resource, object, options);
    },
    delete: async (resource, key, options) => {
      check(mayAct);
      return client.delete(resource, key, options);
    },
    raw: async (request) => {
      if (request.method !== 'GET') check(mayAct);
      return client.raw(request);
    },
  };
}

function check(mayAct: () => boolean): void {
  if (mayAct()) return;
  throw new LifehookError({
    code: 'LHK104',
    message:
      'A write was not sent: this process is no longer the leader, or cannot prove that it is.',
    next: 'Do nothing: the next leader reconciles the object. If it happens often, find out why the Lease is not renewed in time.',
  });
}
