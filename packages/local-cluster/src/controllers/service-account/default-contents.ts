/**
 * Creates the default content of each namespace: the service account `default`, and the CA certificate with which pods
 * verify the API server.
 *
 * Both are recreated when they are deleted.
 */
import type { ConfigMap, Namespace, ServiceAccount } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { done, type Reconcile } from '../../../../../src/controller/reconcile.ts';
import { sameJson } from '../../../../../src/controller/same-json.ts';
import { type Source, watched } from '../../../../../src/controller/source.ts';
import { isNamespaceTerminating, isReason } from '../../../../../src/kube/api-error.ts';
import type { KubeObject } from '../../../../../src/kube/object.ts';
import { configMaps, namespaces, serviceAccounts } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';

const ACCOUNT = 'default';
const CERTIFICATE = 'kube-root-ca.crt';
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints ' +
  'such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across ' +
  'distributions of Kubernetes clusters.';

export function makeServiceAccountController(context: ControllerContext): Controller {
  const { client, informers } = context;
  const accounts = informers.of<ServiceAccount>(serviceAccounts, { scope: named(ACCOUNT) });
  const ofNamespaces = informers.of(namespaces);
  return makeController({
    ...context,
    name: 'service-account',
    sources: sourcesOf(ofNamespaces, accounts),
    reconcile: inActive(ofNamespaces, async (namespace) => {
      if (accounts.get(`${namespace}/${ACCOUNT}`) !== undefined) return;
      await client.create(serviceAccounts, { metadata: { name: ACCOUNT, namespace } });
    }),
  });
}

/** Returns null if the API server has no certificate of its own: then there is nothing to publish. */
export function makeRootCertificateController(context: ControllerContext): Controller | null {
  const { client, informers, authority } = context;
  if (authority === undefined) return null;
  const maps = informers.of<ConfigMap>(configMaps, { scope: named(CERTIFICATE) });
  const ofNamespaces = informers.of(namespaces);
  return makeController({
    ...context,
    name: 'root-certificate',
    sources: sourcesOf(ofNamespaces, maps),
    reconcile: inActive(ofNamespaces, async (namespace) => {
      const data = { 'ca.crt': authority };
      const known = maps.get(`${namespace}/${CERTIFICATE}`);
      const metadata = {
        name: CERTIFICATE,
        namespace,
        annotations: { 'kubernetes.io/description': DESCRIPTION },
      };
      if (known === undefined) await client.create(configMaps, { metadata, data });
      else if (!sameJson(known.data, data)) await client.replace(configMaps, { ...known, data });
    }),
  });
}

function named(name: string): { readonly fieldSelector: string } {
  return { fieldSelector: `metadata.name=${name}` };
}

function sourcesOf<T extends KubeObject>(
  ofNamespaces: Informer<Namespace>,
  informer: Informer<T>,
): readonly Source[] {
  return [
    watched({ informer: ofNamespaces, keys: ownKey }),
    watched({ informer, keys: ({ metadata }) => [metadata?.namespace ?? ''] }),
  ];
}

function inActive(
  ofNamespaces: Informer<Namespace>,
  ensure: (namespace: string) => Promise<void>,
): Reconcile {
  return async (name) => {
    const namespace = ofNamespaces.get(name);
    if (namespace === undefined || namespace.metadata?.deletionTimestamp !== undefined) return done;
    try {
      await ensure(name);
    } catch (error) {
      // Another client created the object first, or the namespace is terminating: the watch reports both.
      if (!isReason(error, 'AlreadyExists', 'NotFound') && !isNamespaceTerminating(error))
        throw error;
    }
    return done;
  };
}
