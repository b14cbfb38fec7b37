/** The data that all replicas of the webhook share in a Secret: certificates, and a key. */
import { randomBytes } from 'node:crypto';
import type { Secret } from 'kubernetes-types/core/v1.js';

import { sameJson } from '../../controller/same-json.ts';
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { createOrGet } from '../../kube/get-or-null.ts';
import type { ObjectKey } from '../../kube/object.ts';
import { secrets } from '../../kube/resources.ts';
import type { MadeCertificate } from '../../platform/node-certificate.ts';
import { type CertificateStore, wholePair } from '../../platform/node-certificates.ts';

export type SecretKey = ObjectKey & { readonly namespace: string };
export type SecretData = Record<string, string>;

const TRIES = 5;

/**
 * Reads the Secret once, lets `decide` change a copy of its data, and stores the copy in one write. If the Secret was
 * changed, deleted or recreated since the read, the write is rejected and everything is repeated. Replicas that start
 * together therefore agree: no decision mixes the data of two reads.
 */
export async function decideBySecret<T>(
  client: KubeClient,
  key: SecretKey,
  decide: (data: SecretData) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const secret = await createOrGet<Secret>(client, secrets, { metadata: { ...key } });
      const data = { ...secret.data };
      const decided = await decide(data);
      const isChanged = !sameJson(data, secret.data ?? {});
      if (isChanged) await client.replace(secrets, { ...secret, data });
      return decided;
    } catch (error) {
      const isLost = isReason(error, 'Conflict') || isReason(error, 'NotFound');
      if (!isLost || tries === TRIES) throw error;
    }
  }
}

/** The certificates in the data of a Secret. Only the data in memory is read and changed. */
export function certificatesIn(data: SecretData): CertificateStore {
  return {
    read: async (name) => pairIn(data, name),
    write: async (name, { certificate, key }) => {
      data[`${name}.crt`] = btoa(certificate);
      data[`${name}.key`] = btoa(key);
    },
  };
}

const WRITE_KEY = 'write-proof.key';
const WRITE_KEY_BYTES = 32;

/**
 * The key that proves which writes are the controller's (`gate/write-proof.ts`); it is created if there is none. The
 * key never changes: a replica with an old key would reject the writes of the others.
 */
function keptWriteKey(client: KubeClient, key: SecretKey): Promise<string> {
  return decideBySecret(client, key, async (data) => {
    const kept = atob(data[WRITE_KEY] ?? '');
    if (kept.length >= WRITE_KEY_BYTES) return kept;
    const made = randomBytes(WRITE_KEY_BYTES).toString('hex');
    data[WRITE_KEY] = btoa(made);
    return made;
  });
}

function pairIn(data: SecretData, name: string): MadeCertificate | null {
  const certificate = data[`${name}.crt`];
  const key = data[`${name}.key`];
  if (certificate === undefined || key === undefined) return null;
  try {
    return wholePair({ certificate: atob(certificate), key: atob(key) });
  } catch {
    // A key pair that cannot be parsed is created again.
    return null;
  }
}

/** Name of the Secret that all replicas of the webhook share. */
export const WEBHOOK_NAME = 'lifehook-webhook';

/**
 * The key of this installation, at least 32 bytes, from the Secret `lifehook-webhook` of the namespace. The controllers
 * sign with it, and the webhook verifies with it.
 */
export function webhookKey(client: KubeClient, namespace: string): Promise<string> {
  return keptWriteKey(client, { namespace, name: WEBHOOK_NAME });
}
