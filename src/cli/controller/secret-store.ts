/** The webhook's certificates in a Secret, so that all replicas show the same ones. */
import type { Secret } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../kube/client.ts';
import { createOrGet } from '../../kube/create-or-get.ts';
import type { ObjectKey } from '../../kube/object.ts';
import { secrets } from '../../kube/resources.ts';
import type { MadeCertificate } from '../../platform/node-certificate.ts';
import { type CertificateStore, wholePair } from '../../platform/node-certificates.ts';

/** A write rejects with Conflict where another replica was first: read again. */
export function secretStore(
  client: KubeClient,
  key: ObjectKey & { readonly namespace: string },
): CertificateStore {
  const read = (): Promise<Secret> => createOrGet(client, secrets, { metadata: { ...key } });
  return {
    read: async (name) => pairIn(await read(), name),
    write: async (name, pair) => {
      const secret = await read();
      const data = { ...secret.data, ...encoded(name, pair) };
      await client.replace(secrets, { ...secret, data });
    },
  };
}

function encoded(name: string, { certificate, key }: MadeCertificate): Record<string, string> {
  return { [`${name}.crt`]: btoa(certificate), [`${name}.key`]: btoa(key) };
}

function pairIn({ data = {} }: Secret, name: string): MadeCertificate | null {
  const certificate = data[`${name}.crt`];
  const key = data[`${name}.key`];
  if (certificate === undefined || key === undefined) return null;
  try {
    return wholePair({ certificate: atob(certificate), key: atob(key) });
  } catch {
    // Whatever cannot be read as one is made anew.
    return null;
  }
}
